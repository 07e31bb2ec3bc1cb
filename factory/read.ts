import { composeTree } from "./compose";
import { parseYaml } from "./parse-yaml";
import { excerpt, type Findings, noFindings } from "./read-fault";
import {
  type Field,
  isNull,
  readBoolean,
  readList,
  readMap,
  readString,
  readUnsigned,
  refuseType,
} from "./read-fields";
import { readOptions } from "./read-options";
import type { Bootloader, MetaValue, Schematic } from "./types";

/** Reads a schematic as the factory does: strictly, the first document, strings as they are written. */
export function readSchematic(text: string): { readonly schematic: Schematic; readonly findings: Findings } {
  const findings = noFindings();
  const yaml = parseYaml(text, findings);
  const draft = emptyDraft();
  if (yaml) readRoot({ node: composeTree(yaml, findings), path: "", findings }, draft);
  return { schematic: draft, findings };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type CustomizationDraft = Writable<Omit<Schematic["customization"], "secureboot">> & {
  secureboot: Writable<Schematic["customization"]["secureboot"]>;
};

interface Draft {
  owner: string;
  overlay: Writable<Schematic["overlay"]>;
  customization: CustomizationDraft;
}

function emptyDraft(): Draft {
  return {
    owner: "",
    overlay: { image: "", name: "", options: {} },
    customization: {
      embeddedMachineConfiguration: "",
      extraKernelArgs: [],
      meta: [],
      officialExtensions: [],
      bootloader: "none",
      secureboot: { enrollKeys: "", includeWellKnownCertificates: false },
      sectorSize: 0,
    },
  };
}

function readRoot(root: Field, draft: Draft): void {
  readMap(root, "Schematic", {
    owner: (field) => (draft.owner = readString(field)),
    overlay: (field) => readOverlay(field, draft.overlay),
    customization: (field) => readCustomization(field, draft.customization),
  });
}

function readOverlay(overlay: Field, draft: Draft["overlay"]): void {
  overlay.findings.overlayGiven = overlay.node.kind === "map" && overlay.node.entries.length > 0;
  readMap(overlay, "Overlay", {
    image: (field) => (draft.image = readString(field)),
    name: (field) => (draft.name = readString(field)),
    options: (field) => (draft.options = readOptions(field)),
  });
}

function readCustomization(customization: Field, draft: CustomizationDraft): void {
  readMap(customization, "Customization", {
    embeddedMachineConfiguration: (field) => (draft.embeddedMachineConfiguration = readEmbedded(field)),
    extraKernelArgs: (field) => (draft.extraKernelArgs = readList(field, "[]string", readString)),
    meta: (field) => (draft.meta = readList(field, "[]schematic.MetaValue", readMeta)),
    systemExtensions: (list) =>
      readMap(list, "SystemExtensions", {
        officialExtensions: (field) => (draft.officialExtensions = readList(field, "[]string", readString)),
      }),
    bootloader: (field) => (draft.bootloader = readBootloader(field)),
    secureboot: (secureboot) =>
      readMap(secureboot, "SecureBootCustomization", {
        enrollKeys: (field) => (draft.secureboot.enrollKeys = readString(field)),
        includeWellKnownCertificates: (field) =>
          (draft.secureboot.includeWellKnownCertificates = readBoolean(field)),
      }),
    diskImage: (disk) =>
      readMap(disk, "DiskImageCustomization", {
        sectorSize: (field) => (draft.sectorSize = readUnsigned(field, Number.MAX_SAFE_INTEGER, "uint")),
      }),
  });
}

function readEmbedded(field: Field): string {
  if (field.node.kind === "scalar") return readString(field);
  refuseType(field, "text (put `|` after the key and indent the machine config below it)", "string");
  return "";
}

function readMeta(item: Field): MetaValue {
  const meta = { key: 0, value: "" };
  readMap(item, "MetaValue", {
    key: (field) => (meta.key = readUnsigned(field, 255, "uint8")),
    value: (field) => (meta.value = readString(field)),
  });
  return meta;
}

const bootloaders: readonly Bootloader[] = ["none", "dual-boot", "sd-boot", "grub"];

function readBootloader(field: Field): Bootloader {
  const { node, path, findings } = field;
  if (isNull(node)) return "none";
  if (node.kind !== "scalar") {
    refuseType(field, `one of ${bootloaders.join(", ")}`, "imageropts.BootloaderKind");
    return "none";
  }
  const known = bootloaders.find((name) => name === node.text.toLowerCase());
  if (known) return known;
  const rule = `the bootloader must be one of ${bootloaders.join(", ")}`;
  const library = `${node.text} does not belong to BootloaderKind values`;
  const repair = "take one of them, or leave the key out";
  findings.faults.push({ key: path, value: excerpt(node.text), rule, repair, line: node.line, library });
  return "none";
}
