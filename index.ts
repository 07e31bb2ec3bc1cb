/** talos-fleet, stage by stage: config, schematic, reserve, secrets, configs, build, apply, bootstrap, access, addons, ready. */
import { accessFiles } from "./components/access-files";
import { ClusterAccess } from "./components/access";
import { FleetRecord } from "./components/addons/fleet-record";
import { ClusterBootstrap } from "./components/bootstrap";
import { ConfigApply } from "./components/config-apply";
import { ImageSchematic } from "./components/image-schematic";
import { machineConfigs } from "./components/machine-configs";
import { MachineSecrets } from "./components/machine-secrets";
import { nodesOutput } from "./components/nodes-output";
import { selectPlatform } from "./components/platforms/select";
import { ClusterReady } from "./components/ready";
import { talosconfig as talosconfigOf } from "./components/talosconfig";
import { loadPlan } from "./config/load";
import { schematicFaults } from "./factory/check";

const { plan, credentials } = loadPlan({ checkSchematic: schematicFaults });
const { name, versions, limits } = plan;

const image = new ImageSchematic(name, { plan });
const platform = selectPlatform(plan, credentials);
const reservation = platform.reserve(image);

const identity = new MachineSecrets(name, {
  contract: versions.contract,
  image,
  protect: plan.deletionProtection,
});
const configs = machineConfigs({ plan, image, reservation, identity });
const built = platform.build(image, identity);

const applied = new ConfigApply(name, { nodes: built, configs, identity, timeout: `${limits.talosApi}s` });
const clientConfig = talosconfigOf({ clusterName: name, identity, nodes: built });
const bootstrapped = new ClusterBootstrap(name, { nodes: built, applied, talosconfig: clientConfig, plan });

const access = new ClusterAccess(name, { bootstrapped, identity, talosconfig: clientConfig, plan });
const record = new FleetRecord(name, {
  access,
  schematicId: image.schematicId,
  versions,
  network: built.network,
  mayBeDown: plan.platform === "docker",
});
accessFiles(name, { plan, access });
new ClusterReady(name, { plan, nodes: built, configs, access, after: [applied, record] });

export const { kubeconfig, talosconfig, credentialsExpire } = access;
export const { endpoint } = reservation;
export const { schematicId, installer: installerImage } = image;
export const nodes = nodesOutput(plan, built);
