import { join } from "node:path";

import type { GoRecipe } from "./types";

export const PULUMI_VERSION = "3.248.0";
export const TALOSCTL_VERSION = "1.13.9";

export interface Recipes {
  readonly pulumi: GoRecipe;
  readonly talosctl: GoRecipe;
}

/** What is built where it is not installed; `root` is the checkout. */
export function recipes(root: string): Recipes {
  const version = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
  return {
    pulumi: {
      tool: "pulumi",
      version: `v${PULUMI_VERSION}`,
      module: join(root, "toolchain/pulumi"),
      package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
      flags: ["-tags", "osusergo,grpcnotrace", "-ldflags", `-s -w -X ${version}=v${PULUMI_VERSION}`],
      firstBuild: "about 4 minutes",
    },
    talosctl: {
      tool: "talosctl",
      version: `v${TALOSCTL_VERSION}`,
      module: join(root, "toolchain/talosctl"),
      package: "github.com/siderolabs/talos/cmd/talosctl",
      flags: ["-tags", "grpcnotrace", "-ldflags", "-s -w"],
      firstBuild: "about 3 minutes",
    },
  };
}
