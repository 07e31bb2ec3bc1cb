import * as pulumi from "@pulumi/pulumi";

/** `talos:imageFactoryUrl` of the stack, read when it is asked for. */
export declare const imageFactoryUrl: string | undefined;

Object.defineProperty(exports, "imageFactoryUrl", {
  get: () => pulumi.runtime.getConfig("talos:imageFactoryUrl"),
  enumerable: true,
});
