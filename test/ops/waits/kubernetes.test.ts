import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import axios from "axios";
import { z } from "zod";
import { getList } from "../../../ops/clients/kubernetes";
import { comesQuickly, type KubernetesNode, nodeFaults, schemaWait } from "../../../ops/waits/kubernetes";
import { walk } from "../../../ops/waits/wait";
import { fakeContext } from "./fakes";

const node = (name: string, version: string, ready: string): KubernetesNode => ({
  metadata: { name },
  status: {
    conditions: [{ type: "Ready", status: ready, message: "container runtime network not ready" }],
    nodeInfo: { kubeletVersion: `v${version}` },
  },
});

const wanted = { names: ["lab-controlplane-1", "lab-worker-1"], version: "1.35.8", ready: true };

test.each<[string, KubernetesNode[], Record<string, string>]>([
  ["all Ready", [node("lab-controlplane-1", "1.35.8", "True"), node("lab-worker-1", "1.35.8", "True")], {}],
  ["one missing", [node("lab-controlplane-1", "1.35.8", "True")], { "lab-worker-1": "not registered" }],
  [
    "one with another kubelet",
    [node("lab-controlplane-1", "1.35.7", "True"), node("lab-worker-1", "1.35.8", "True")],
    { "lab-controlplane-1": "kubelet 1.35.7, wanted 1.35.8" },
  ],
  [
    "one not Ready",
    [node("lab-controlplane-1", "1.35.8", "True"), node("lab-worker-1", "1.35.8", "False")],
    { "lab-worker-1": "Ready is False: container runtime network not ready" },
  ],
])("%s", (_case, nodes, faults) => {
  expect(nodeFaults(nodes, wanted)).toEqual(faults);
});

test("without a CNI nodes have to register, not to be Ready", () => {
  const nodes = wanted.names.map((name) => node(name, "1.35.8", "False"));
  expect(nodeFaults(nodes, { ...wanted, ready: false })).toEqual({});
});

test("nodes that the stack does not list are nobody's fault", () => {
  const nodes = [...wanted.names, "lab-worker-9"].map((name) => node(name, "1.35.8", "True"));
  expect(nodeFaults([...nodes, node("leaving", "1.30.0", "False")], wanted)).toEqual({});
});

test("a node that Talos cordoned when it was stopped is waited for; a cordon of people's is theirs", () => {
  const cordoned = (annotations: Record<string, string>): KubernetesNode => {
    const { metadata, status } = node("lab-worker-1", "1.35.8", "True");
    return { metadata: { ...metadata, annotations }, status, spec: { unschedulable: true } };
  };
  const one = { ...wanted, names: ["lab-worker-1"] };
  expect(nodeFaults([cordoned({ "talos.dev/cordoned": "true" })], one)).toEqual({
    "lab-worker-1": "cordoned by Talos when it was stopped, not yet taken back",
  });
  expect(nodeFaults([cordoned({})], one)).toEqual({});
});

test.each([
  [[0.4], true],
  [[1.4], false],
  [[4, 1.4, 1.6], true],
  [[1.4, 4, 1.6], false],
  [[4, 5, 4, 4], false],
  // A machine that is no faster: the plugin itself waits for longer.
  [[4, 5, 4, 4, 5], true],
  // Slow, but always in time for a plugin that waits 32 s.
  [[20, 20, 20, 20, 20], true],
  [[20, 20, 20, 20], false],
  [[30, 30, 30, 30, 30, 30], false],
])("answers that took %j seconds are quick enough: %s", (took, enough) => {
  expect(comesQuickly(took, 32)).toBe(enough);
});

test("a plugin that is told to wait for longer is given longer", () => {
  expect(comesQuickly([60, 60, 60, 60, 60], 32)).toBe(false);
  expect(comesQuickly([60, 60, 60, 60, 60], 120)).toBe(true);
});

/** An API whose answers are the test's; gives its address and ends with the work. */
async function withApi(
  answer: (path: string) => { status: number; body: unknown },
  work: (api: ReturnType<typeof axios.create>) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? "");
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await work(axios.create({ baseURL, validateStatus: () => true }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("the schema is asked for until it comes quickly, and an answer that fails begins anew", async () => {
  const statuses = [503, 200, 500, 200, 200];
  let asked = 0;
  const took = [1, 1.5, 1, 1.5, 1.5];
  let clock = 0;
  let calls = 0;
  // Called before and after each answer.
  const now = () => (clock += calls++ % 2 === 0 ? 0 : took[asked - 1]! * 1000);
  await withApi(
    () => ({ status: statuses[asked++]!, body: {} }),
    async (api) => {
      const context = fakeContext();
      await walk([schemaWait({ api, limits: { kubernetesApi: 60 } }, now)], context);
      expect(asked).toBe(5);
      expect(context.lines.slice(0, 2)).toEqual([
        "Kubernetes API's schema: waiting for /openapi/v2 (answers 503)",
        "Kubernetes API's schema: waiting for /openapi/v2 (takes 1.5 s)",
      ]);
    },
  );
});

test("an API that is slow, but always comes, is told once and goes on", async () => {
  let asked = 0;
  let clock = 0;
  let calls = 0;
  const now = () => (clock += calls++ % 2 === 0 ? 0 : (20 + asked) * 1000);
  await withApi(
    () => ({ status: asked++ < 9 ? 200 : 500, body: {} }),
    async (api) => {
      const context = fakeContext();
      await walk([schemaWait({ api, limits: { kubernetesApi: 600 } }, now)], context);
      expect(context.lines).toEqual([
        "Kubernetes API's schema: waiting for /openapi/v2 (takes 21.0 s)",
        "Kubernetes API's schema: warning: /openapi/v2 takes 25.0 s each time, and every preview and `up` loads it; the machine of the control plane is slow",
        expect.stringMatching(/^Kubernetes API's schema: ok \(/),
      ]);
    },
  );
});

test("a list is read to its end, page by page", async () => {
  const asked: string[] = [];
  const pages: Record<string, unknown> = {
    "/api/v1/nodes?limit=500": { metadata: { continue: "a/b=" }, items: [1, 2] },
    "/api/v1/nodes?limit=500&continue=a%2Fb%3D": { metadata: { continue: "" }, items: [3] },
  };
  await withApi(
    (path) => {
      asked.push(path);
      return { status: 200, body: pages[path] };
    },
    async (api) => {
      expect(await getList(api, "/api/v1/nodes", z.number())).toEqual({ found: [1, 2, 3] });
    },
  );
  expect(asked).toEqual(Object.keys(pages));
});
