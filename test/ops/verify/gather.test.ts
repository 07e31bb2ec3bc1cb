import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type * as Os from "node:os";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AxiosInstance } from "axios";
import { authorities, expiries, strays } from "../../../ops/verify/gather-machine";
import { liveNodes, liveRecord } from "../../../ops/verify/gather-kubernetes";

const kubeconfig = (authority: string, certificate = "CERT") =>
  JSON.stringify({
    clusters: [{ cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": authority } }],
    users: [{ user: { "client-certificate-data": certificate, "client-key-data": "c4n4ry" } }],
  });
const access = (text: string) => ({
  kubeconfig: text,
  talosconfig: "contexts: {lab: {ca: TALOS, crt: nonsense}}",
  nodes: {},
});

test("this cluster's kubeconfigs in the temp folder are found, another cluster's are nobody's here", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "verify-")));
  const usual = jest.spyOn(jest.requireActual<typeof Os>("node:os"), "tmpdir").mockReturnValue(folder);
  try {
    writeFileSync(join(folder, "kubeconfig17"), kubeconfig("OURS"));
    writeFileSync(join(folder, "kubeconfig18"), kubeconfig("THEIRS"));
    expect(await strays(access(kubeconfig("OURS")))).toEqual({ found: [join(folder, "kubeconfig17")] });
  } finally {
    usual.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("credentials that cannot be read are a fault without a word of them", async () => {
  const broken = access('{"users": "c4n4ry"}');
  for (const seen of [
    await strays(broken),
    await authorities(broken),
    ...(await expiries(broken)).map((e) => e.end),
  ]) {
    expect(seen).toHaveProperty("fault");
    expect(JSON.stringify(seen)).not.toContain("c4n4ry");
  }
  expect(await authorities(access(kubeconfig("OURS")))).toEqual({ found: ["OURS", "TALOS"] });
});

/** Answers by path; a node a page. */
const api = (answers: Readonly<Record<string, unknown>>) =>
  ({
    get: (path: string) =>
      Promise.resolve(path in answers ? { status: 200, data: answers[path] } : { status: 404, data: {} }),
  }) as unknown as AxiosInstance;

const item = (name: string) => ({
  metadata: { name },
  spec: { taints: [{ key: "spot", effect: "NoExecute" }] },
  status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1.35.8" } },
});

test("nodes are read page by page", async () => {
  const live = await liveNodes(
    api({
      "/api/v1/nodes?limit=500": { metadata: { continue: "two" }, items: [item("lab-controlplane-1")] },
      "/api/v1/nodes?limit=500&continue=two": { metadata: {}, items: [item("lab-worker-1")] },
    }),
  );
  const seen = {
    ready: true,
    kubelet: "v1.35.8",
    labels: {},
    taints: [{ key: "spot", effect: "NoExecute" }],
  };
  expect(live).toEqual({
    found: [
      { name: "lab-controlplane-1", ...seen },
      { name: "lab-worker-1", ...seen },
    ],
  });
});

test("a record that is not there is a fault", async () => {
  const path = "/api/v1/namespaces/kube-system/configmaps/talos-fleet";
  expect(await liveRecord(api({ [path]: { data: { cluster: "lab" } } }))).toEqual({
    found: { cluster: "lab" },
  });
  expect(await liveRecord(api({}))).toEqual({ fault: `${path} answers 404` });
});
