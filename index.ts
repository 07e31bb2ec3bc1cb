/** talos-fleet, stage by stage, from the stack's keys to a cluster that is ready. What each takes and gives: docs/architecture.md. */
import { ClusterAccess } from "./components/access";
import { FleetRecord } from "./components/addons/fleet-record";
import { allowedChanges } from "./components/allowed-changes";
import { ClusterBootstrap } from "./components/bootstrap";
import { ConfigApply } from "./components/config-apply";
import { Departures } from "./components/departures";
import { ImageSchematic } from "./components/image-schematic";
import { Kubernetes } from "./components/kubernetes";
import { machineConfigs } from "./components/machine-configs";
import { MachineSecrets } from "./components/machine-secrets";
import { nodesOutput } from "./components/nodes-output";
import { selectPlatform } from "./components/platforms/select";
import { ClusterReady } from "./components/ready";
import { talosconfig as talosconfigOf } from "./components/talosconfig";
import { Turns } from "./components/turns";
import { ValidConfigs } from "./components/valid-configs";
import { loadPlan } from "./config/load";
import { configsInput } from "./machine/configs-input";
import { planImage } from "./machine/image";
import { reserve } from "./machine/reserve";

const { plan, credentials } = loadPlan();
const { name, versions, limits, factoryUrl, deletionProtection: protect } = plan;

const { secretPatches, secretSchematic } = credentials;

const reservation = reserve(plan);
const known = planImage(plan);
const { schematicId, installer } = known;
const platform = selectPlatform(plan, credentials);
const { machines, talosEndpoints, talosReplaces, mayBeDown } = platform;

const allowed = allowedChanges({ plan, schematicId, installer, reservation, talosReplaces });
const valid = new ValidConfigs(name, { input: configsInput(plan, secretPatches), allowed });
const image = new ImageSchematic(name, { known, factoryUrl, secretSchematic, allowed, valid });
const foundation = platform.foundation(image);
const identity = new MachineSecrets(name, { contract: versions.contract, image, protect });
const configs = machineConfigs({ plan, installer, reservation, foundation, identity });

const turns = new Turns(name, { plan, identity, machines, talosEndpoints });
const built = foundation.build(turns);
const applied = new ConfigApply(name, { nodes: built, configs, identity, timeout: `${limits.talosApi}s` });

const clientConfig = talosconfigOf({ clusterName: name, identity, nodes: built });
const bootstrapped = new ClusterBootstrap(name, {
  nodes: built,
  applied,
  talosconfig: clientConfig,
  limits,
  machines,
});
const access = new ClusterAccess(name, {
  bootstrapped,
  identity,
  talosconfig: clientConfig,
  limits,
  machines,
});
platform.keepAccess(access);
new Departures(name, {
  clusterName: name,
  nodes: built,
  identity,
  access,
  network: foundation.network,
});

const kubernetes = new Kubernetes(name, { access, network: foundation.network, mayBeDown });
const record = new FleetRecord(name, { kubernetes, schematicId, versions });
new ClusterReady(name, { plan, nodes: built, configs, access, machines, after: [applied, record] });

export const { kubeconfig, talosconfig, credentialsExpire } = access;
export const { endpoint } = reservation;
export { schematicId, installer as installerImage };
export const nodes = nodesOutput(plan.nodes, built);
