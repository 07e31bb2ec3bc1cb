/** What `down` refuses to touch, and what stays when it cannot end its work. */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { down } from "../../../ops/down/run";
import { freePort, nodeBody, runNode } from "../../../rehearsal/test/docker-engine/support";
import { labPlan } from "../../support/plans";
import { engineForEachTest, folderForEachTest, labels, write } from "./support";

jest.setTimeout(30_000);

const folder = folderForEachTest();
const { rig, run, makeVolume, makeNetwork, left } = engineForEachTest();

test("things of that name without both labels stay", async () => {
  await makeVolume("lab-worker-1-var", { "talos.cluster.name": "lab" });
  await makeVolume("lab-worker-1-opt", { "talos.owned": "true", "talos.cluster.name": "lab-2" });
  expect(await run()).toEqual(["cluster lab: nothing left on the engine", ".lab/: not there"]);
  expect(left().volumes).toEqual(["lab-worker-1-var", "lab-worker-1-opt"]);
});

test("a cluster that talosctl made under the same name is refused, and nothing is touched", async () => {
  await makeNetwork("lab", labels("lab"));
  await makeVolume("lab-worker-1-var", labels("lab"));
  const body = {
    ...nodeBody("lab-controlplane-1", { talosPort: await freePort() }),
    Labels: labels("lab"),
    Env: ["PLATFORM=container", "USERDATA=eA=="],
  };
  await rig.call("POST", "/containers/create?name=lab-controlplane-1", body);
  write(".lab/kubeconfig");
  await expect(run()).rejects.toThrow(
    'lab-controlplane-1: made by "talosctl cluster create" under the same cluster name, not by this program; nothing was removed; "talosctl cluster destroy" removes it',
  );
  expect(left().containers).toEqual(["lab-controlplane-1"]);
  expect(left().volumes).toContain("lab-worker-1-var");
  expect(existsSync(".lab/kubeconfig")).toBe(true);
});

test("what cannot be removed keeps the files; a repetition ends the work", async () => {
  await makeVolume("lab-worker-1-var", labels("lab"));
  rig.engine.faults.requests.push({
    match: /^DELETE \/volumes\//,
    answer: { status: 500, message: "disk on fire" },
    times: 1,
  });
  write(".lab/passphrase");
  await expect(run()).rejects.toThrow("disk on fire");
  expect(existsSync(".lab/passphrase")).toBe(true);
  expect(await run()).toEqual(["volume lab-worker-1-var: removed", ".lab/: removed"]);
});

test("while a run of pulumi lives, nothing is touched", async () => {
  await makeNetwork("lab", labels("lab"));
  const lock = { pid: process.pid, hostname: hostname(), timestamp: "2026-11-30T12:00:00Z" };
  write(".lab/state/.pulumi/locks/organization/talos-fleet/lab/a.json", JSON.stringify(lock));
  await expect(run()).rejects.toThrow(`pid ${process.pid} on ${hostname()}`);
  await expect(run(true)).rejects.toThrow(`pid ${process.pid} on ${hostname()}`);
  expect(left().networks).toEqual(["lab"]);
});

test("a container of somebody else's on the lab's network keeps the network", async () => {
  await makeNetwork("lab", labels("lab"));
  await runNode(rig, "plain-1", { address: "10.5.0.9", talosPort: await freePort() });
  await expect(run()).rejects.toThrow("active endpoints");
  await rig.call("DELETE", "/containers/plain-1?force=1&v=1");
  expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
});

test("an engine that does not answer: .lab/ stays", async () => {
  write(".lab/passphrase");
  const plan = labPlan({ docker: { host: `unix://${folder()}/none.sock` } });
  const args = { stack: "lab", project: "talos-fleet", plan, print: () => undefined };
  await expect(down(args)).rejects.toThrow(
    /none\.sock \(docker\.host\): connect ENOENT .*: what is left on the engine cannot be removed, so \.lab\/ stays; start the engine and repeat$/,
  );
  expect(existsSync(".lab/passphrase")).toBe(true);
});
