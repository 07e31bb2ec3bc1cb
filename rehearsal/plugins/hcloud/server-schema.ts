/** The Server resource's properties. */
import { createHash } from "node:crypto";
import type { ResourceSchema } from "../framework/bridged";
import type { Value } from "../framework/types";
import { labelsProperty, nameProperty, protectionProperty } from "./common";

/** The provider keeps base64 of the SHA-1 of user data in the state. */
const hashed = (value: Value): Value =>
  typeof value === "string" ? createHash("sha1").update(value).digest("base64") : value;

export const serverSchema: ResourceSchema = {
  kind: "sdk",
  autonamed: "name",
  properties: {
    name: nameProperty,
    serverType: { type: "string", required: true },
    image: { type: "string", required: true, forceNew: true },
    allowDeprecatedImages: { type: "bool" },
    location: { type: "string", computed: "optional", forceNew: true },
    datacenter: {
      type: "string",
      computed: "optional",
      forceNew: true,
      validate: () => "The datacenter attribute was removed, use the location attribute instead",
    },
    userData: { type: "string", forceNew: true, stored: hashed },
    sshKeys: { type: "list", forceNew: true },
    labels: labelsProperty,
    keepDisk: { type: "bool", default: false },
    backups: { type: "bool", default: false },
    iso: { type: "string" },
    rescue: { type: "string" },
    firewallIds: { type: "set", element: "number", computed: "optional" },
    ignoreRemoteFirewallIds: { type: "bool", default: false },
    placementGroupId: { type: "number" },
    deleteProtection: protectionProperty,
    rebuildProtection: protectionProperty,
    shutdownBeforeDeletion: { type: "bool", default: false },
    networks: {
      type: "set",
      fields: {
        networkId: { type: "number", computed: "optional" },
        subnetId: { type: "string" },
        ip: { type: "string", computed: "optional" },
        aliasIps: { type: "set", computed: "optional" },
        macAddress: { type: "string", computed: "output" },
      },
    },
    publicNets: {
      type: "set",
      fields: {
        ipv4Enabled: { type: "bool", default: true },
        ipv6Enabled: { type: "bool", default: true },
        ipv4: { type: "number", computed: "optional" },
        ipv6: { type: "number", computed: "optional" },
      },
    },
    backupWindow: { type: "string", computed: "output" },
    ipv4Address: { type: "string", computed: "output" },
    ipv6Address: { type: "string", computed: "output" },
    ipv6Network: { type: "string", computed: "output" },
    primaryDiskSize: { type: "number", computed: "output" },
    status: { type: "string", computed: "output" },
  },
};
