/** Every component's type token. A token is part of a URN: renaming one needs an alias. */
export const tokens = {
  imageSchematic: "talos-fleet:image:ImageSchematic",
  validConfigs: "talos-fleet:machine:ValidConfigs",
  machineSecrets: "talos-fleet:machine:MachineSecrets",
  dockerNetwork: "talos-fleet:docker:DockerNetwork",
  dockerNodes: "talos-fleet:docker:DockerNodes",
  hetznerNetwork: "talos-fleet:hetzner:HetznerNetwork",
  hetznerNodes: "talos-fleet:hetzner:HetznerNodes",
  turns: "talos-fleet:machine:Turns",
  configApply: "talos-fleet:machine:ConfigApply",
  bootstrap: "talos-fleet:cluster:ClusterBootstrap",
  access: "talos-fleet:cluster:ClusterAccess",
  departures: "talos-fleet:cluster:Departures",
  kubernetes: "talos-fleet:cluster:Kubernetes",
  accessFiles: "talos-fleet:cluster:AccessFiles",
  fleetRecord: "talos-fleet:addons:FleetRecord",
  ready: "talos-fleet:cluster:ClusterReady",
} as const;
