/** The gate between two containers: what counts as back, and what has nothing to come back to. */
import type { Talosctl, TalosctlAnswer } from "../../../ops/clients/talosctl";
import { nodeFault, nodeWait } from "../../../ops/waits/node";

const status = (stage: string, ready: boolean, unmet: readonly string[] = []): string =>
  `node: 10.5.0.3
metadata:
    type: MachineStatuses.runtime.talos.dev
spec:
    stage: ${stage}
    status:
        ready: ${String(ready)}
        unmetConditions: [${unmet.map((name) => `{name: ${name}, reason: waiting}`).join(", ")}]
`;
const said = (stdout: string): TalosctlAnswer => ({ ok: true, stdout, stderr: "" });

const unready = (...unmet: string[]): string => status("running", false, unmet);

test.each([
  { seen: "running and ready", text: status("running", true), ready: true, fault: undefined },
  { seen: "still booting", text: status("booting", false), ready: true, fault: "stage booting" },
  {
    seen: "not ready",
    text: unready("nodeReady", "services"),
    ready: true,
    fault: "not ready: nodeReady, services",
  },
  { seen: "never ready without a CNI", text: unready("nodeReady"), ready: false, fault: undefined },
  { seen: "an answer that is none", text: "node: 10.5.0.3\n", ready: true, fault: "no machine status" },
])("$seen", ({ text, ready, fault }) => {
  expect(nodeFault(said(text), ready)).toBe(fault);
});

const look = async (answer: TalosctlAnswer) => {
  const empty: string[] = [];
  const asked: unknown[] = [];
  const talosctl: Talosctl = {
    run: (target, args) => {
      asked.push([target, args]);
      return Promise.resolve(answer);
    },
  };
  const node = {
    name: "lab-worker-1",
    role: "worker" as const,
    address: "10.5.0.3",
    endpoint: "127.0.0.1:50001",
  };
  const onEmpty = () => void empty.push(node.name);
  const shown = await nodeWait({ talosctl, node, ready: true, limitSeconds: 9, onEmpty }).look();
  return { seen: shown, empty, asked };
};

test("a node is asked at its own port, and a fault tells its name", async () => {
  const { seen, empty, asked } = await look({
    ok: false,
    stdout: "",
    stderr: "connection refused\nmore",
  });

  expect(seen).toEqual({ done: false, pending: { "lab-worker-1": "connection refused" } });
  expect(empty).toEqual([]);
  expect(asked).toEqual([
    [{ endpoints: ["127.0.0.1:50001"], nodes: ["10.5.0.3"] }, ["get", "machinestatus", "-o", "yaml"]],
  ]);
});

test("a node in maintenance mode lost its config with its volumes: the gate lets it through, and says so", async () => {
  const stderr =
    'rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: tls: ' +
    'failed to verify certificate: x509: certificate signed by unknown authority"';

  const { seen, empty } = await look({ ok: false, stdout: "", stderr });

  expect(seen.done).toBe(true);
  expect(empty).toEqual(["lab-worker-1"]);
});
