/** Whether the Image Factory can build what the plan asks for. Pure. */
import type { Fault } from "../../base/faults";
import { nearest } from "../../base/nearest";
import { veiled } from "../../base/show";
import { encrypted } from "../../config/raw";
import type { ClusterPlan } from "../../config/types";
import { catalogueFaults } from "../../factory/catalogue";
import { requireSchematic } from "../../factory/resolve";
import type { FactoryAnswer } from "./ask-factory";
import type { Finding } from "./finding";

/** What is built from an image of the factory fails without it; a lab's containers only carry the id. */
export type UseOfImages = "built" | "named";

export function factoryFindings(plan: ClusterPlan, answer: FactoryAnswer, use: UseOfImages): Finding[] {
  if (!answer.reached) return [unreached(plan, answer.fault)];
  const level = use === "built" ? "stop" : "warning";
  if (answer.catalogue === undefined) return [unknownVersion(plan, answer.versions, level)];
  const { text, source } = plan.schematic;
  const target = { talosVersion: plan.versions.talos, platform: plan.platform };
  const { spec } = requireSchematic(text, source, target);
  return catalogueFaults(spec, answer.catalogue)
    .filter(({ value }) => value !== encrypted)
    .map((fault) => missing(fault, source, level));
}

const unreached = ({ factoryUrl }: ClusterPlan, fault: string): Finding => ({
  level: "warning",
  what: "Image Factory",
  seen: `${veiled(factoryUrl)} does not answer: ${fault}`,
  why: "it makes the schematic's images; `up` registers the schematic there, unless it did before",
  cure: "look at the network or the proxy (HTTPS_PROXY), or name another factory with factoryUrl",
});

function unknownVersion(
  { versions: { talos }, factoryUrl }: ClusterPlan,
  versions: readonly string[],
  level: Finding["level"],
): Finding {
  const near = nearest(talos, versions);
  return {
    level,
    what: "Talos version",
    seen: `${talos} is not among the ${versions.length} that ${veiled(factoryUrl)} builds`,
    why:
      level === "stop"
        ? "there is no image of it to start servers from"
        : "the lab's containers come from another registry, servers of this version could not be built",
    cure: `set talosVersion to one that it has${near === undefined ? "" : `, such as ${near}`}; a release of today may take an hour to get there`,
  };
}

const missing = ({ key, value, rule, repair }: Fault, source: string, level: Finding["level"]): Finding => ({
  level,
  what: "schematic",
  seen: `${source}: ${key}: ${value}: ${rule}`,
  why:
    level === "stop"
      ? "the factory accepts the schematic and fails at the first build of an image"
      : "containers have no extensions, so that the lab works; no image for servers could be built",
  cure: repair,
});
