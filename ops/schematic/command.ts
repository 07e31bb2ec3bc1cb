import type { Command } from "commander";
import { defaults } from "../../config/defaults";
import { ConfigError, type Fault, formatFault, jsonFaults } from "../../base/faults";
import { readUtf8, whyUnreadable } from "../../base/text";
import { versionPairs } from "../../config/versions";
import { type Architecture, imageReferences, type ImageReferences } from "../../factory/images";
import { resolveSchematic } from "../../factory/resolve";
import type { ResolvedSchematic } from "../../factory/types";

interface Options {
  readonly talosVersion: string;
  readonly arch: string;
  readonly factoryUrl: string;
  readonly text?: boolean;
  readonly json?: boolean;
}

interface Images {
  readonly metal: ImageReferences;
  readonly hcloud: ImageReferences;
}

export function register(program: Command): void {
  program
    .command("schematic <file>")
    .description("what the Image Factory will make of a schematic, without asking it")
    .option("--talos-version <version>", "Talos version of the images", withV, versionPairs.at(-1)?.talos)
    .option("--arch <arch>", "amd64 or arm64", "amd64")
    .option("--factory-url <url>", "the Image Factory", defaults.factoryUrl)
    .option("--text", "also the canonical text, whose sha256 is the id")
    .option("--json", "everything as JSON")
    .action((file: string, options: Options) => run(file, options));
}

/** `1.13.10` and `v1.13.10` are the same version. */
function withV(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version;
}

function run(file: string, options: Options): void {
  try {
    const schematic = resolveFile(file, options);
    const images = imagesOf(schematic.id, options);
    const print = options.json === true ? asJson(schematic, images) : asLines(schematic, images, options);
    process.stdout.write(print);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.exitCode = 2;
    if (options.json === true) process.stdout.write(jsonFaults(error));
    else process.stderr.write(`${error.faults.map(formatFault).join("\n")}\n`);
  }
}

function resolveFile(file: string, options: Options): ResolvedSchematic {
  const result = resolveSchematic(readText(file), file, { talosVersion: options.talosVersion });
  if (!result.ok) throw new ConfigError(result.faults);
  return result.schematic;
}

/** A text with bytes replaced would silently have another id. */
function readText(file: string): string {
  try {
    return readUtf8(file);
  } catch (error) {
    const rule = `the schematic cannot be read (${whyUnreadable(error)})`;
    throw new ConfigError([{ key: "FILE", value: file, rule, repair: "give the path of a UTF-8 text file" }]);
  }
}

function imagesOf(id: string, { talosVersion, arch, factoryUrl }: Options): Images {
  const common = { id, factoryUrl, talosVersion, arch: architecture(arch) };
  return {
    metal: imageReferences({ ...common, platform: "metal" }),
    hcloud: imageReferences({ ...common, platform: "hcloud" }),
  };
}

function architecture(arch: string): Architecture {
  if (arch === "amd64" || arch === "arm64") return arch;
  const fault: Fault = {
    key: "--arch",
    value: arch,
    rule: "Talos images exist for amd64 and arm64",
    repair: "take one of the two",
  };
  throw new ConfigError([fault]);
}

function asJson({ id, text, certain, candidates, warnings }: ResolvedSchematic, images: Images): string {
  const data = { id, certain, candidates, warnings, text, images };
  return `${JSON.stringify(data, null, 2)}\n`;
}

function asLines(schematic: ResolvedSchematic, { metal, hcloud }: Images, options: Options): string {
  const rows = [
    ["id", schematic.id],
    [
      "certain",
      schematic.certain
        ? "yes: every known factory computes this id"
        : "no: it depends on the factory's version",
    ],
    ...candidateRows(schematic),
    ["metal-installer", metal.installer],
    ["hcloud-installer", hcloud.installer],
    ["metal disk image", metal.diskImage],
    ["hcloud disk image", hcloud.diskImage],
    ["metal ISO", metal.iso ?? ""],
    ["Docker nodes run", metal.container],
  ];
  const lines = rows.map(([name = "", value = ""]) => `${name.padEnd(18)}${value}`);
  const warnings = schematic.warnings.map((warning) => `warning: ${warning}`);
  const text = options.text === true ? ["", schematic.text.trimEnd()] : [];
  return `${[...lines, ...warnings, ...text].join("\n")}\n`;
}

function candidateRows({ certain, candidates }: ResolvedSchematic): string[][] {
  return certain ? [] : candidates.map(({ id, factories }) => ["  candidate", `${id} factory ${factories}`]);
}
