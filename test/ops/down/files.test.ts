/** The files that go with a lab, and those that stay for another. */
import { existsSync } from "node:fs";
import { removeFiles } from "../../../ops/down/files";
import { folderForEachTest, write } from "./support";

folderForEachTest();

const files = (cluster: string, stack = cluster) => removeFiles({ cluster, stack, project: "talos-fleet" });

test("all of .lab/ goes with the last lab", async () => {
  for (const name of ["kubeconfig", "talosconfig", "passphrase", "Pulumi.lab.yaml"]) write(`.lab/${name}`);
  write(".lab/state/.pulumi/stacks/talos-fleet/lab.json");
  write(".lab/state/.pulumi/stacks/talos-fleet/lab.json.bak");
  expect(await files("lab")).toEqual([".lab/: removed"]);
  expect(existsSync(".lab")).toBe(false);
});

test("another lab's credentials stay, and so does what its state needs", async () => {
  write(".lab/kubeconfig");
  write(".lab/talosconfig");
  write(".lab/passphrase");
  write(".lab/lab2/kubeconfig");
  expect(await files("lab")).toEqual([
    ".lab/: kubeconfig and talosconfig removed; the rest stays for .lab/lab2/kubeconfig",
  ]);
  expect(
    [".lab/kubeconfig", ".lab/talosconfig", ".lab/passphrase", ".lab/lab2/kubeconfig"].map(existsSync),
  ).toEqual([false, false, true, true]);
  expect(await files("lab2")).toEqual([".lab/: removed"]);
});

test("another stack's state keeps .lab/", async () => {
  write(".lab/lab2/kubeconfig");
  write(".lab/state/.pulumi/stacks/talos-fleet/lab.json");
  write(".lab/state/.pulumi/stacks/talos-fleet/lab2.json");
  expect(await files("lab2")).toEqual([
    ".lab/lab2/: kubeconfig and talosconfig removed; the rest stays for stack lab",
  ]);
  expect(existsSync(".lab/lab2")).toBe(false);
  expect(existsSync(".lab/state/.pulumi/stacks/talos-fleet/lab.json")).toBe(true);
});
