import * as pulumi from "@pulumi/pulumi";
import { version } from "./package.json";
import { Provider } from "./provider";

export * as client from "./client";
export * as cluster from "./cluster";
export * as config from "./config";
export * as imagefactory from "./imagefactory";
export * as machine from "./machine";
export type * as types from "./types";
export { Provider, type ProviderArgs } from "./provider";

pulumi.runtime.registerResourcePackage("talos", {
  version,
  constructProvider: (name, type, urn) => {
    if (type !== "pulumi:providers:talos") throw new Error(`unknown provider type ${type}`);
    return new Provider(name, undefined, { urn });
  },
});
