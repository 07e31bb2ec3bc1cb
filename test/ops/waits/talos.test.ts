import type { NodeInput } from "../../../agreed/operations";
import type { Talosctl, TalosctlAnswer, TalosctlTarget } from "../../../ops/clients/talosctl";
import { configWait, etcdWait } from "../../../ops/waits/talos";

const node = (name: string, role: NodeInput["role"], address: string): NodeInput => ({
  ...{ name, role, address },
  endpoint: `${address}:50000`,
});

const nodes = [
  node("cp-1", "controlplane", "10.0.1.1"),
  node("cp-2", "controlplane", "10.0.1.2"),
  node("worker-1", "worker", "10.0.1.11"),
];
const limits = { talosApi: 30, etcd: 30 };
const late: TalosctlAnswer = { ok: false, stdout: "", stderr: "no answer within 20 s" };

/** talosctl as it is: of several nodes the first that is dead takes all the time there is. */
const withDead = (dead: string, answer: (target: TalosctlTarget) => string): Talosctl => ({
  run: async (target) =>
    target.nodes.includes(dead) ? late : { ok: true, stdout: answer(target), stderr: "" },
});

const status = (target: TalosctlTarget) =>
  target.nodes.map((address) => `node: ${address}\nspec:\n  stage: running\n`).join("---\n");

test("a node that does not answer is the only one named", async () => {
  const talosctl = withDead("10.0.1.1", status);
  expect((await configWait({ talosctl, nodes, limits }).look()).pending).toEqual({
    "cp-1": "no answer within 20 s",
  });
});

test("nodes that all answer are asked in one call", async () => {
  const calls: TalosctlTarget[] = [];
  const all: Talosctl = {
    run: async (target) => {
      calls.push(target);
      return { ok: true, stdout: status(target), stderr: "" };
    },
  };
  expect((await configWait({ talosctl: all, nodes, limits }).look()).done).toBe(true);
  expect(calls).toHaveLength(1);
});

test("a control plane that is gone does not hide the etcd of the others", async () => {
  const talosctl: Talosctl = {
    async run(target, args) {
      if (target.nodes.includes("10.0.1.2")) return late;
      const stdout =
        args[0] === "service"
          ? target.nodes.map((address) => `NODE ${address}\nSTATE Running\nHEALTH OK`).join("\n")
          : "NODE      ID  HOSTNAME  LEARNER\n10.0.1.1  1   cp-1      false\n10.0.1.1  2   cp-2      false\n";
      return { ok: true, stdout, stderr: "" };
    },
  };
  expect((await etcdWait({ talosctl, nodes, limits }).look()).pending).toEqual({
    "cp-2": "etcd service: no answer within 20 s",
  });
});
