import * as pulumi from "@pulumi/pulumi";
import { version } from "./package.json";

type ResourceClass = new (
  name: string,
  args: never,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/** Lets the SDK turn a resource reference found in an output back into an object of its class. */
export const registerModule = (module: string, classes: Readonly<Record<string, ResourceClass>>): void => {
  pulumi.runtime.registerResourceModule("talos", module, {
    version,
    construct: (name, type, urn) => {
      const found = classes[type.split(":").at(-1) ?? ""];
      if (found === undefined) throw new Error(`unknown resource type ${type}`);
      return new found(name, undefined as never, { urn });
    },
  });
};
