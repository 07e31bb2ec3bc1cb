/** Asks the Image Factory what it can build. Changes nothing there. */
import { veiled } from "../../base/show";
import { messageOf } from "../../base/text";
import type { ClusterPlan } from "../../config/types";
import type { Catalogue } from "../../factory/catalogue";
import { FactoryClient } from "../clients/factory";

export type FactoryAnswer =
  | {
      readonly reached: true;
      readonly versions: readonly string[];
      readonly catalogue: Catalogue | undefined;
    }
  | { readonly reached: false; readonly fault: string };

/** People wait for it: one more try, and not for long. */
const QUICK = { timeout: 8000, retries: 1, pause: 500 };

/** The lists for the plan's Talos version; without them where the factory does not know the version. */
export async function askFactory({ factoryUrl, versions }: ClusterPlan): Promise<FactoryAnswer> {
  const factory = new FactoryClient({ factoryUrl, ...QUICK });
  try {
    const known = await factory.versions();
    const talosVersion = versions.talos;
    if (!known.includes(talosVersion)) return { reached: true, versions: known, catalogue: undefined };
    const [extensions, overlays] = await Promise.all([
      factory.extensions(talosVersion),
      factory.overlays(talosVersion),
    ]);
    return { reached: true, versions: known, catalogue: { talosVersion, extensions, overlays } };
  } catch (error) {
    return { reached: false, fault: veiled(messageOf(error)) };
  }
}
