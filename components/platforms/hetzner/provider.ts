import * as hcloud from "@pulumi/hcloud";
import * as pulumi from "@pulumi/pulumi";
import type { HetznerAccount } from "../../../config/load";

/** The plugin wants 64 characters even where nothing is asked of Hetzner. */
const PLACEHOLDER_TOKEN = "preview".padEnd(64, "0");

/** The account. Without a token a preview still works: it asks Hetzner nothing. */
export function hcloudProvider(
  name: string,
  account: HetznerAccount,
  opts: pulumi.ResourceOptions,
): hcloud.Provider {
  const tokenless = account.token === undefined && pulumi.runtime.isDryRun();
  const token = tokenless ? pulumi.secret(PLACEHOLDER_TOKEN) : account.token;
  return new hcloud.Provider(
    name,
    {
      ...(token === undefined ? {} : { token }),
      ...(account.endpoint === undefined ? {} : { endpoint: account.endpoint }),
      ...(account.pollInterval === undefined
        ? {}
        : { pollInterval: account.pollInterval, pollFunction: "constant" }),
    },
    {
      ...opts,
      // The placeholder must not show as a difference; a real new token must take effect.
      ignoreChanges: tokenless ? ["token"] : [],
    },
  );
}
