import * as pulumi from "@pulumi/pulumi";
import { labFolder } from "../agreed/lab-folder";
import { operations } from "../agreed/operations";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Access } from "./types";

/** Writes a lab's kubeconfig and talosconfig with mode 0600 and deletes them with the lab. */
export class AccessFiles extends pulumi.ComponentResource {
  constructor(name: string, args: { readonly access: Access }, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.accessFiles, name, {}, opts);
    const { kubeconfig, talosconfig } = args.access;
    operation(
      `${name}-files`,
      {
        onCreate: operations.writeAccess,
        onChange: operations.writeAccess,
        onDelete: operations.removeAccess,
        input: { directory: labFolder(name), kubeconfig, talosconfig },
      },
      { parent: this },
    );
    this.registerOutputs({});
  }
}
