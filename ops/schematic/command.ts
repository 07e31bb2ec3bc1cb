import type { Command } from "commander";
import { defaults } from "../../config/defaults";
import { ConfigError, type Fault, formatFault, jsonFaults } from "../../base/faults";
import { jsonText, printableLines } from "../../base/show";
import { readUtf8, whyUnreadable } from "../../base/text";
import { versionPairs } from "../../config/versions";
import {
  type Architecture,
  type ImagePlatform,
  imageReferences,
  type ImageReferences,
} from "../../factory/images";
import { resolveSchematic } from "../../factory/resolve";
import type { ResolvedSchematic } from "../../factory/types";

interface Options {
  readonly talosVersion: string;
  /** Both where none is asked for: a reference for another architecture than the reader's boots nothing. */
  readonly arch?: string;
  readonly factoryUrl: string;
  readonly text?: boolean;
  readonly json?: boolean;
}

/** By architecture: those that were asked for. */
type Images = Partial<Record<Architecture, Record<ImagePlatform, ImageReferences>>>;

export function register(program: Command): void {
  program
    .command("schematic <file>")
    .description("what the Image Factory will make of a schematic, without asking it")
    .option("--talos-version <version>", "Talos version of the images", withV, versionPairs.at(-1)?.talos)
    .option("--arch <arch>", "amd64 or arm64 (default: both)")
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
  if (!result.ok) throw new ConfigError([...result.faults, ...archFaults(options.arch)]);
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

const architectures: readonly Architecture[] = ["amd64", "arm64"];

function imagesOf(id: string, { talosVersion, arch, factoryUrl }: Options): Images {
  const faults = archFaults(arch);
  const references = (one: Architecture, platform: ImagePlatform) =>
    imageReferences({ id, factoryUrl, talosVersion, arch: one, platform });
  try {
    // A wrong --arch is told with the other flags' faults, which any architecture shows.
    const asked = architectures.filter((one) => faults.length > 0 || arch === undefined || one === arch);
    const images = asked.map(
      (one) => [one, { metal: references(one, "metal"), hcloud: references(one, "hcloud") }] as const,
    );
    if (faults.length === 0) return Object.fromEntries(images);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.unshift(...error.faults);
  }
  throw new ConfigError(faults);
}

function archFaults(arch: string | undefined): Fault[] {
  if (arch === undefined || architectures.some((one) => one === arch)) return [];
  const rule = "Talos images exist for amd64 and arm64";
  return [{ key: "--arch", value: arch, rule, repair: "take one of the two" }];
}

function asJson({ id, text, certain, candidates, warnings }: ResolvedSchematic, images: Images): string {
  return jsonText({ id, certain, candidates, warnings, text, images });
}

function asLines(schematic: ResolvedSchematic, images: Images, options: Options): string {
  const rows = [["id", schematic.id], ...certaintyRows(schematic), ...imageRows(images)];
  const width = Math.max(18, ...rows.map(([name = ""]) => name.length + 1));
  const lines = rows.map(([name = "", value = ""]) => `${name.padEnd(width)}${value}`);
  const warnings = schematic.warnings.map((warning) => `warning: ${warning}`);
  const text = options.text === true ? ["", schematic.text.trimEnd()] : [];
  return printableLines(`${[...lines, ...warnings, ...text].join("\n")}\n`);
}

/** What depends on no architecture once, what does for each, by its name where there are several. */
function imageRows(images: Images): string[][] {
  const each = Object.entries(images);
  const [[, first] = []] = each;
  if (first === undefined) return [];
  const named = (what: string, arch: string) => (each.length > 1 ? `${what} ${arch}` : what);
  return [
    ["metal-installer", first.metal.installer],
    ["hcloud-installer", first.hcloud.installer],
    ...each.flatMap(([arch, { metal, hcloud }]) => [
      [named("metal disk image", arch), metal.diskImage],
      [named("hcloud disk image", arch), hcloud.diskImage],
      [named("metal ISO", arch), metal.iso ?? ""],
    ]),
    ["Docker nodes run", first.metal.container],
  ];
}

function certaintyRows({ certain, candidates }: ResolvedSchematic): string[][] {
  if (certain) return [["certain", "yes: every known factory computes this id"]];
  return [
    ["certain", "no: it depends on the factory's version"],
    ...candidates.map(({ id, factories }) => ["  candidate", `${id} factory ${factories}`]),
  ];
}
