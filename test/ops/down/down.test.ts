/** What of a lab goes, whatever has become of it. */
import { existsSync } from "node:fs";
import type * as Os from "node:os";
import { join } from "node:path";
import { TALOS_IMAGE } from "../../../rehearsal/test/docker-engine/support";
import { engineForEachTest, folderForEachTest, labels, write } from "./support";

jest.setTimeout(30_000);

const folder = folderForEachTest();
const { rig, run, makeVolume, makeNetwork, makeNode, left } = engineForEachTest();

test("a whole lab goes, with its anonymous volumes; another lab, other things and images stay", async () => {
  await makeNetwork("lab", labels("lab"));
  await makeNetwork("lab2", labels("lab2"), "10.6.0.0/24");
  await makeNode("lab", "lab-worker-1", "10.5.0.3");
  await makeNode("lab2", "lab2-worker-1", "10.6.0.3");
  await makeVolume("mine", {});
  write(".lab/kubeconfig");
  expect(await run()).toEqual([
    "container lab-worker-1: removed",
    "volume lab-worker-1-var: removed",
    "network lab: removed",
    ".lab/: removed",
  ]);
  const { containers, volumes, networks } = left();
  expect(containers).toEqual(["lab2-worker-1"]);
  expect(volumes.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual(["lab2-worker-1-var", "mine"]);
  expect(volumes).toHaveLength(3);
  expect(networks).toEqual(["lab2"]);
  expect([...rig.engine.world.images.values()].flatMap(({ references }) => [...references])).toEqual([
    TALOS_IMAGE,
  ]);
  expect(existsSync(".lab")).toBe(false);
});

test("containers are killed at once and not shut down one after the other; what they stand on may stay for the destroy", async () => {
  await makeNetwork("lab", labels("lab"));
  for (const number of [3, 4, 5, 6]) await makeNode("lab", `lab-worker-${number}`, `10.5.0.${number}`);
  const before = Date.now();
  write(".lab/kubeconfig");
  expect((await run(true)).sort()).toEqual(
    [3, 4, 5, 6].map((number) => `container lab-worker-${number}: removed`),
  );
  // Each has a grace of 30 s, and none of it was given.
  expect(Date.now() - before).toBeLessThan(5_000);
  const { containers, volumes, networks } = left();
  expect(containers).toEqual([]);
  expect(volumes.filter((name) => name.startsWith("lab"))).toHaveLength(4);
  expect(networks).toEqual(["lab"]);
  expect(existsSync(".lab/kubeconfig")).toBe(true);
  expect(await run(true)).toEqual([]);
  expect((await run()).at(-1)).toBe(".lab/: removed");
});

test("a half-finished up, then nothing at all", async () => {
  await makeNetwork("lab", labels("lab"));
  expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
  expect(await run()).toEqual(["cluster lab: nothing left on the engine", ".lab/: not there"]);
});

test("a container that the engine has lost does not keep the rest", async () => {
  await makeNetwork("lab", labels("lab"));
  await makeNode("lab", "lab-worker-1", "10.5.0.3");
  await rig.call("DELETE", "/containers/lab-worker-1?force=1");
  expect(await run()).toEqual([
    "volume lab-worker-1-var: removed",
    "network lab: removed",
    ".lab/: not there",
  ]);
});

test("a network whose endpoint lingers is tried again", async () => {
  await makeNetwork("lab", labels("lab"));
  rig.engine.faults.requests.push({
    match: /^DELETE \/networks\//,
    answer: { status: 403, message: "error while removing network: network lab has active endpoints" },
    times: 2,
  });
  expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
});

test("before anything else it takes away the logins to this cluster that a plugin left in the temp folder", async () => {
  const kubeconfig = (authority: string) =>
    JSON.stringify({
      clusters: [{ cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": authority } }],
      users: [{ user: { "client-certificate-data": "C", "client-key-data": "K" } }],
    });
  const temp = join(folder(), "temp");
  const usual = jest.spyOn(jest.requireActual<typeof Os>("node:os"), "tmpdir").mockReturnValue(temp);
  try {
    write(".lab/kubeconfig", kubeconfig("OURS"));
    write("temp/kubeconfig17", kubeconfig("OURS"));
    write("temp/kubeconfig18", kubeconfig("THEIRS"));
    expect((await run(true))[0]).toBe(
      `${temp}/kubeconfig17: a login to this cluster that a plugin left: removed`,
    );
    expect([existsSync("temp/kubeconfig17"), existsSync("temp/kubeconfig18")]).toEqual([false, true]);
  } finally {
    usual.mockRestore();
  }
});
