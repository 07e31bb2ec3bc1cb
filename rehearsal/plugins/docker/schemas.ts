import type { ResourceSchema } from "../framework/bridged";
import { labelSet } from "./container-schema";

const replaced = { forceNew: true } as const;
const filled = { forceNew: true, computed: "optional" } as const;

/** docker:index/network:Network of plugin 5.1.0: every change replaces. */
export const networkSchema: ResourceSchema = {
  kind: "sdk",
  autonamed: "name",
  properties: {
    name: { type: "string", required: true, ...replaced },
    driver: { type: "string", ...filled },
    attachable: { type: "bool", ...replaced },
    ingress: { type: "bool", ...replaced },
    internal: { type: "bool", ...filled },
    ipv6: { type: "bool", ...replaced },
    ipamDriver: { type: "string", ...replaced, default: "default" },
    ipamOptions: { type: "map", ...replaced },
    ipamConfigs: {
      type: "set",
      ...filled,
      terraformName: "ipam_config",
      fields: {
        auxAddress: { type: "map" },
        gateway: { type: "string" },
        ipRange: { type: "string" },
        subnet: { type: "string" },
      },
    },
    labels: labelSet,
    options: { type: "map", ...filled },
    scope: { type: "string", computed: "output" },
  },
};

/** docker:index/volume:Volume of plugin 5.1.0. */
export const volumeSchema: ResourceSchema = {
  kind: "sdk",
  autonamed: "name",
  properties: {
    name: { type: "string", ...filled },
    driver: { type: "string", ...filled },
    driverOpts: { type: "map", ...replaced },
    labels: labelSet,
    cluster: { type: "object", fields: { id: { type: "string", computed: "output" } } },
    mountpoint: { type: "string", computed: "output" },
  },
};

/** docker:index/remoteImage:RemoteImage of plugin 5.1.0. */
export const remoteImageSchema: ResourceSchema = {
  kind: "sdk",
  properties: {
    name: { type: "string", required: true, ...replaced },
    build: { type: "object", fields: { context: { type: "string", required: true } } },
    forceRemove: { type: "bool" },
    keepLocally: { type: "bool" },
    platform: { type: "string", ...replaced },
    pullTriggers: { type: "set", ...replaced },
    triggers: { type: "map", ...replaced },
    imageId: { type: "string", computed: "output" },
    repoDigest: { type: "string", computed: "output" },
  },
};
