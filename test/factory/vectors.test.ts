import { readFileSync } from "node:fs";
import { join } from "node:path";
import { idOfText } from "../../factory/write";
import { allDialects, args, asYaml, extensions, resolved, testdata, written } from "./support";

const meta = (value: string) => asYaml({ customization: { meta: [{ key: 10, value }] } });
const overlay = (image: string, name: string) => asYaml({ overlay: { image: `siderolabs/${image}`, name } });

/** Ids that upstream's tests, code and documentation publish. */
const published: readonly (readonly [name: string, input: string, id: string])[] = [
  ["vanilla", "customization: {}", "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba"],
  [
    "qemu-guest-agent",
    extensions("qemu-guest-agent"),
    "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515",
  ],
  [
    "Longhorn",
    extensions("iscsi-tools", "util-linux-tools"),
    "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245",
  ],
  ["meta foo", meta("foo"), "d308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f"],
  [
    "sector size",
    "customization: {diskImage: {sectorSize: 4096}}",
    "92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea",
  ],
  [
    "two args",
    args("nolapic", "nomodeset"),
    "e0fb1129bbbdfb5d002e94af4cdce712a8370e850950a33a242d4c3f178c532d",
  ],
  [
    "meta JSON",
    meta('{"externalIPs":["1.2.3.4"]}'),
    "fe866116408a5a13dab7d5003eb57a00954ea81ebeec3fbbcd1a6d4462a00036",
  ],
  [
    "sd-boot",
    "customization: {bootloader: sd-boot}",
    "9ed5fecdacb36b5c5427b87d409f1065cfb2df69b0f71c58b868d9d466d8dab3",
  ],
  [
    "SD-BOOT",
    "customization: {bootloader: SD-BOOT}",
    "9ed5fecdacb36b5c5427b87d409f1065cfb2df69b0f71c58b868d9d466d8dab3",
  ],
  [
    "args, meta and extensions",
    "customization: {systemExtensions: {officialExtensions: [siderolabs/amd-ucode, siderolabs/intel-ucode]}, meta: [{value: foo, key: 10}], extraKernelArgs: [noapic, nolapic]}",
    "6ba13d510dcc57f233b9b498d34a3c919c1abdd5675b46ad53cf4f2e66362f82",
  ],
  [
    "NVIDIA, unsorted",
    extensions(
      "nvidia-container-toolkit",
      "nvidia-open-gpu-kernel-modules",
      "nonfree-kmod-nvidia",
      "nvidia-fabricmanager",
      "i915-ucode",
      "amdgpu-firmware",
    ),
    "42c5a897579913a97ad7edc56c0d858bc4dd8639951e02b084edbb2e190a7898",
  ],
  [
    "iscsi-tools",
    extensions("iscsi-tools"),
    "c9078f9419961640c712a8bf2bb9174933dfcf1da383fd8ea2b7dc21493f8bac",
  ],
  [
    "PowerStore",
    extensions("iscsi-tools", "multipath-tools", "nvme-cli", "util-linux-tools"),
    "4f50d1375e1c91b2bcac34a8a99ccc83ab9220f7f1ab65172ccff510bb926b4b",
  ],
  ["Xen", extensions("xen-guest-agent"), "53b20d86399013eadfd44ee49804c1fef069bfdee3b43f3f3f5a2f57c03338ac"],
  [
    "boot assets",
    "customization: {extraKernelArgs: [net.ifnames=0], systemExtensions: {officialExtensions: [siderolabs/gvisor, siderolabs/intel-ucode]}}",
    "b8e8fbbe1b520989e6c52c8dc8303070cb42095997e76e812fa8892393e1d176",
  ],
  [
    "nanopi-r4s",
    overlay("sbc-rockchip", "nanopi-r4s"),
    "5f74a09891d5830f0b36158d3d9ea3b1c9cc019848ace08ff63ba255e38c8da4",
  ],
  [
    "rockpi4c",
    overlay("sbc-rockchip", "rockpi4c"),
    "08e72e242b71f42c9db5bed80e8255b2e0d442a372bc09055b79537d9e3ce191",
  ],
  [
    "pine64",
    overlay("sbc-allwinner", "pine64"),
    "185431e0f0bf34c983c6f47f4c6d3703aa2f02cd202ca013216fd71ffc34e175",
  ],
  [
    "libretech",
    overlay("sbc-allwinner", "libretech_all_h3_cc_h5"),
    "5689d7795f91ac5bf6ccc85093fad8f8b27f6ea9d96a9ac5a059997bffd8ad5c",
  ],
  [
    "orangepi",
    overlay("sbc-allwinner", "orangepi-r1-plus-lts"),
    "da388062cd9318efdc7391982a77ebb2a97ed4fbda68f221354c17839a750509",
  ],
  ["vga", args("vga=791"), "eea1f9534c46d95c4715a2f13d17eacb927c13a42ef087c79b22c3bd0c49d073"],
  [
    "Raspberry Pi",
    "overlay: {image: siderolabs/sbc-raspberrypi, name: rpi_generic}\ncustomization: {systemExtensions: {officialExtensions: [siderolabs/iscsi-tools]}}",
    "f47e6cd2634c7a96988861031bcc4144468a1e3aef82cca4f5b5ca3fffef778a",
  ],
];

const twoDocuments = `apiVersion: v1alpha1
kind: HostnameConfig
hostname: my-custom-hostname
auto: off
---
apiVersion: v1alpha1
kind: KmsgLogConfig
name: remote-log
url: tcp://10.0.0.50:5044/
`;
const embedded = (text: string) => asYaml({ customization: { embeddedMachineConfiguration: text } });

/** Edge values, measured on the library itself. */
const edges: readonly (readonly [name: string, input: string, id: string])[] = [
  ["arg 1.0", args("1.0"), "9ea34f05f638032dd574150967a3726b4804a4a663cda768ae4fa3585f0a00e6"],
  ["arg date", args("2001-01-01"), "06abbb34961af20f3f6120f8e428de441bd1d144e1e85648a4394606150f5608"],
  [
    "arg with minus",
    args("-init_on_alloc"),
    "5a1d6c87cd1102cbb38f85b828a3e448b06780d3213c02cce99f16001e6b7109",
  ],
  ["arg a: b", args("a: b"), "2e4b2172be5277aad1aff8bebc98b8fa59774f53a1fd0407b5418472559dd6e3"],
  ["arg #a", args("#a"), "ee24ae7d8d7f1c980047066ed29638ee6734352609d66893b41ab0eae9ae296e"],
  [
    "arg ip=",
    args("ip=10.0.0.2::10.0.0.1:255.255.255.0::eth0:off:::"),
    "3e7391e7d9710b7eb14233b2c43d0aa80137506a9392b34993070bd8e94ba57c",
  ],
  ["arg é", args("é"), "e0a5b9516666afe598e56c8df815951fec1c86d19e4c78994af2f280257ce216"],
  [
    "long arg",
    args(`${"word ".repeat(60)}end`),
    "b5282065dba171761f3bf2a18ffa05ff77aec8a0348c49d6e704390413e9ba9b",
  ],
  ["meta {}", meta("{}"), "de3de71abf5a50551986885ddf49ce25e86459a502da360255704ecffdec2e35"],
  [
    "embedded with empty lines",
    embedded("a: 1\n\n"),
    "fca4adecd171aece57ec3ed47c15f15f8345fd781febe6f868a47a13e904b30d",
  ],
  [
    "two embedded documents",
    embedded(twoDocuments),
    "818f3b8dff2f4109953a5ff4d461132fac6c5503686f0c102c732a28ab6b10db",
  ],
  ["owner", "owner: alice", "325e789382e85e76ab77e38cb320a816e2c9550cb5afe960b21f75e06605e2e9"],
  [
    "enrollKeys force",
    "customization: {secureboot: {enrollKeys: force}}",
    "f5212e5887c51d0b6a4c4686781c0b2a41a56b51549e4b9c06095d9d733c8a28",
  ],
];

test.each([...published, ...edges])("%s has its id in every dialect", (_, input, id) => {
  expect(allDialects.map((dialect) => idOfText(written(input, dialect)))).toEqual(allDialects.map(() => id));
  expect(resolved(input)).toMatchObject({ id, certain: true });
});

test("10:20 has two ids, today's first", () => {
  const { id, certain, candidates, warnings } = resolved(args("10:20"));
  expect(id).toBe("11e0fbe4b797a5d2c4e00428eb6f5ed264fa232775e2d116a3d183c2821aa2a2");
  expect(certain).toBe(false);
  expect(candidates.map((candidate) => [candidate.dialects.join(), candidate.id])).toEqual([
    ["D4", "11e0fbe4b797a5d2c4e00428eb6f5ed264fa232775e2d116a3d183c2821aa2a2"],
    ["D1,D2,D3,D5", "a17b66efb7dc93aaef2c8d7fafbbb09c61c5de53ef498b70ec34f7cdd0baf54e"],
  ]);
  expect(warnings[0]).toMatch(
    /^The id depends on the factory's version: 11e0fbe4.*v1\.5\.0 and later.*a17b66ef/,
  );
});

const real = testdata("schematics/ids.tsv").trim().split("\n").slice(1);

test.each(real.map((line) => line.split("\t")))("%s", (file, id) => {
  expect(resolved(testdata(`schematics/${file}`))).toMatchObject({ id, certain: true });
});

test("the committed schematic", () => {
  const text = readFileSync(join(__dirname, "../../factory/schematic.yaml"), "utf8");
  expect(resolved(text).id).toBe("613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245");
});

test("a sorted list would be another schematic", () => {
  const sorted = extensions("amd-ucode", "amdgpu-firmware", "iscsi-tools", "util-linux-tools");
  expect(resolved(sorted).id).toBe("c8ba0e519b1d1fa77faf5a3225ec0023bf08831cb0cd376562ff5742866bcd41");
});
