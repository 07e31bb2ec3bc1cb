import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKubeconfig } from "../../agreed/kubeconfig";
import { removeStrayKubeconfigs, strayKubeconfigs } from "../../agreed/stray-kubeconfigs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "strays-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kubeconfig = (authority: string): string =>
  JSON.stringify({
    clusters: [{ cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": authority } }],
    users: [{ user: { "client-certificate-data": "CERT", "client-key-data": "canary" } }],
  });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });

test("only the plugin's files of this cluster are found, and go", () => {
  write("kubeconfig123", kubeconfig("OURS"));
  write("kubeconfig4", kubeconfig("OURS"));
  write("kubeconfig5", kubeconfig("THEIRS"));
  write("kubeconfig", kubeconfig("OURS"));
  write("kubeconfig6.bak", kubeconfig("OURS"));
  write("kubeconfig7", "nonsense: [");
  write("kubeconfig8", "");
  const found = [join(folder, "kubeconfig123"), join(folder, "kubeconfig4")];
  expect(strayKubeconfigs("OURS", folder).sort()).toEqual(found);
  expect(removeStrayKubeconfigs("OURS", folder).sort()).toEqual(found);
  expect(readdirSync(folder).sort()).toEqual(
    ["kubeconfig", "kubeconfig5", "kubeconfig6.bak", "kubeconfig7", "kubeconfig8"].sort(),
  );
  expect(strayKubeconfigs("OURS", folder)).toEqual([]);
});

test("links, pipes and folders that somebody put into the temp folder are left alone, and hold nothing up", () => {
  const elsewhere = join(folder, "mine");
  writeFileSync(elsewhere, kubeconfig("OURS"));
  symlinkSync(elsewhere, join(folder, "kubeconfig1"));
  symlinkSync("/dev/zero", join(folder, "kubeconfig2"));
  execFileSync("mkfifo", [join(folder, "kubeconfig3")]);
  execFileSync("mkdir", [join(folder, "kubeconfig4")]);
  expect(strayKubeconfigs("OURS", folder)).toEqual([]);
  expect(strayKubeconfigs("OURS", join(folder, "none"))).toEqual([]);
});

test("a kubeconfig that is none is refused without a word of it", () => {
  for (const text of ["canary: [", '{"users": "canary"}', ""]) {
    expect(() => readKubeconfig(text)).toThrow("kubeconfig: has no cluster");
    expect(() => readKubeconfig(text)).not.toThrow("canary");
  }
  expect(readKubeconfig(kubeconfig("A")).servers).toEqual(["https://127.0.0.1:6443"]);
});
