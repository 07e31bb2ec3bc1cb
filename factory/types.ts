import type { Fault } from "../base/faults";

/** A value inside `overlay.options`; numbers are safe integers. */
export type OptionValue = string | number | boolean | null | readonly OptionValue[] | OptionMap;

export interface OptionMap {
  readonly [key: string]: OptionValue;
}

export interface MetaValue {
  /** 0 to 255. */
  readonly key: number;
  readonly value: string;
}

export type Bootloader = "none" | "dual-boot" | "sd-boot" | "grub";

/** What the Image Factory's parser makes of a schematic: every field has a value, the zero value when absent. */
export interface Schematic {
  /** Enterprise factories only. */
  readonly owner: string;
  readonly overlay: { readonly image: string; readonly name: string; readonly options: OptionMap };
  readonly customization: {
    /** Machine config as YAML text. */
    readonly embeddedMachineConfiguration: string;
    readonly extraKernelArgs: readonly string[];
    readonly meta: readonly MetaValue[];
    readonly officialExtensions: readonly string[];
    readonly bootloader: Bootloader;
    readonly secureboot: { readonly enrollKeys: string; readonly includeWellKnownCertificates: boolean };
    /** Bytes; 0 when absent. */
    readonly sectorSize: number;
  };
}

/** Behaviour of one family of YAML library releases (see `dialects.ts`). */
export type Dialect = "D1" | "D2" | "D3" | "D4" | "D5";

/** What one or more dialects write for a schematic. */
export interface Candidate {
  readonly dialects: readonly Dialect[];
  /** Factory releases in words: `v1.1.0 to v1.4.0`. */
  readonly factories: string;
  readonly id: string;
  readonly text: string;
}

export interface ResolvedSchematic {
  /** 64 lower-case hex digits: what today's public factory answers. */
  readonly id: string;
  /** The canonical text, whose sha256 is the id. */
  readonly text: string;
  /** False when factories of other releases would compute another id. */
  readonly certain: boolean;
  /** All distinct answers, today's first. One entry when certain. */
  readonly candidates: readonly Candidate[];
  readonly warnings: readonly string[];
  readonly spec: Schematic;
}

export type SchematicResult =
  | { readonly ok: true; readonly schematic: ResolvedSchematic }
  | { readonly ok: false; readonly faults: readonly Fault[] };
