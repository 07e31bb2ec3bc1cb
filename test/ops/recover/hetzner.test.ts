import { hetznerSearch, hetznerObjects } from "../../../ops/platforms/hetzner/leftovers";
import { type HetznerClient, hetznerClient } from "../../../ops/platforms/hetzner/client";
import { type Outcome, removeFound } from "../../../ops/recover/outcome";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { StateResource } from "../../../ops/recover/state";
import { type Account, makeNetwork, openAccount, token } from "../../../rehearsal/test/hetzner/account";

jest.setTimeout(60_000);

const LABELS = { "managed-by": "talos-fleet", cluster: "fleet" };
const QUICK = { tries: 100, pauseMs: 20 };

let account: Account;

beforeEach(async () => {
  account = await openAccount();
});

afterEach(async () => account.close());

const resource = (type: string, inputs: Record<string, unknown>): StateResource => ({
  urn: `urn:pulumi:hetzner::talos-fleet::hcloud:index/${type}::x`,
  type: `hcloud:index/${type}`,
  inputs,
});

const client = (): HetznerClient => {
  const provider = resource("x", { token, endpoint: account.hetzner.url });
  return hetznerClient(provider, QUICK)!;
};

function recoverOne(
  type: string,
  inputs: Record<string, unknown>,
  inState: (id: string) => boolean = () => false,
): Promise<Outcome> {
  const search = hetznerSearch({ client: client(), cluster: "fleet" }, resource(type, inputs));
  if (search === undefined) throw new Error(`${type}: no search`);
  return removeFound(search, inState);
}

test("a server that a killed run left goes, at once or while it is being made", async () => {
  const body = { server_type: "cpx22", image: account.hetzner.snapshotId, location: "nbg1", labels: LABELS };
  const { body: made } = await account.call("POST", "/servers", { ...body, name: "fleet-worker-1" });
  expect(await recoverOne("server:Server", { name: "fleet-worker-1" })).toEqual({
    kind: "removed",
    what: `server fleet-worker-1 (id ${made.server.id})`,
  });
  expect(account.hetzner.inventory().servers).toEqual([]);
  expect(await recoverOne("server:Server", { name: "fleet-worker-1" })).toEqual({
    kind: "absent",
    what: "server fleet-worker-1",
  });
});

test.each<[string, string, Record<string, unknown>]>([
  ["network:Network", "/networks", { ip_range: "10.0.0.0/16" }],
  ["firewall:Firewall", "/firewalls", {}],
  ["placementGroup:PlacementGroup", "/placement_groups", { type: "spread" }],
  ["primaryIp:PrimaryIp", "/primary_ips", { type: "ipv4", location: "nbg1", auto_delete: false }],
  ["loadBalancer:LoadBalancer", "/load_balancers", { load_balancer_type: "lb11", location: "nbg1" }],
])("%s: with our labels it goes, without it stays", async (type, path, body) => {
  await account.done("POST", path, { ...body, name: "fleet-a", labels: LABELS });
  await account.done("POST", path, { ...body, name: "fleet-b", labels: { cluster: "fleet" } });
  expect((await recoverOne(type, { name: "fleet-a" })).kind).toBe("removed");
  const left = await recoverOne(type, { name: "fleet-b" });
  expect(left).toMatchObject({
    kind: "left",
    why: "it lacks the labels cluster=fleet,managed-by=talos-fleet, so it is somebody else's and `up` will meet it",
  });
  const rows = Object.values((await account.call("GET", path)).body)[0] as unknown as { name: string }[];
  expect(rows.map(({ name }) => name)).toEqual(["fleet-b"]);
});

test("a thing that the state holds stays", async () => {
  await account.done("POST", "/placement_groups", { type: "spread", name: "fleet-a", labels: LABELS });
  const left = await recoverOne("placementGroup:PlacementGroup", { name: "fleet-a" }, () => true);
  expect(left).toMatchObject({ kind: "left", why: "the state holds it" });
  expect(account.hetzner.inventory().placementGroups).toEqual(["fleet-a"]);
});

test("a subnet of our network goes, one of somebody else's stays", async () => {
  const ours = await makeNetwork(account, "fleet");
  await account.done("PUT", `/networks/${ours}`, { labels: LABELS });
  const theirs = await makeNetwork(account, "theirs");
  const subnet = (networkId: number) => ({ networkId, ipRange: "10.0.1.0/24", type: "cloud" });
  const type = "networkSubnet:NetworkSubnet";
  expect(await recoverOne(type, subnet(ours))).toEqual({
    kind: "removed",
    what: "subnet 10.0.1.0/24 of network fleet",
  });
  expect(await recoverOne(type, subnet(ours))).toEqual({ kind: "absent", what: "subnet 10.0.1.0/24" });
  expect((await recoverOne(type, subnet(theirs))).kind).toBe("left");
});

test("a load balancer's parts go one by one", async () => {
  const network = await makeNetwork(account, "fleet");
  const balancer = { load_balancer_type: "lb11", location: "nbg1", name: "fleet-api", labels: LABELS };
  const { load_balancer: made } = await account.done("POST", "/load_balancers", balancer);
  const owner = made.id;
  const act = (action: string, body: unknown) =>
    account.done("POST", `/load_balancers/${owner}/actions/${action}`, body);
  await act("attach_to_network", { network });
  const check = { protocol: "tcp", port: 6443, interval: 3, timeout: 2, retries: 2 };
  await act("add_service", {
    protocol: "tcp",
    listen_port: 6443,
    destination_port: 6443,
    proxyprotocol: false,
    health_check: check,
  });
  await act("add_target", {
    type: "label_selector",
    label_selector: { selector: "a=b" },
    use_private_ip: true,
  });
  const parts: [string, Record<string, unknown>, string][] = [
    [
      "loadBalancerTarget:LoadBalancerTarget",
      { loadBalancerId: owner, labelSelector: "a=b" },
      "target a=b of load balancer fleet-api",
    ],
    [
      "loadBalancerService:LoadBalancerService",
      { loadBalancerId: String(owner), listenPort: 6443 },
      "service 6443 of load balancer fleet-api",
    ],
    [
      "loadBalancerNetwork:LoadBalancerNetwork",
      { loadBalancerId: owner, subnetId: `${network}-10.0.1.0/24` },
      `attachment to network ${network} of load balancer fleet-api`,
    ],
  ];
  for (const [type, inputs, what] of parts) {
    expect(await recoverOne(type, inputs)).toEqual({ kind: "removed", what });
    expect((await recoverOne(type, inputs)).kind).toBe("absent");
  }
});

test("an unknown kind has no search", () => {
  expect(
    hetznerSearch({ client: client(), cluster: "fleet" }, resource("zone:Zone", { name: "x" })),
  ).toBeUndefined();
});

test("all of the cluster's objects, by label", async () => {
  await account.done("POST", "/placement_groups", { type: "spread", name: "fleet-a", labels: LABELS });
  await account.done("POST", "/firewalls", { name: "other", labels: { ...LABELS, cluster: "other" } });
  const objects = await hetznerObjects({ client: client(), cluster: "fleet" });
  expect(objects.map(({ what }) => what)).toEqual(["placement group fleet-a"]);
});

test("a wrong token is told, and nothing is believed to be absent", async () => {
  const provider = resource("x", { token: "w".repeat(64), endpoint: account.hetzner.url });
  const search = hetznerSearch(
    { client: hetznerClient(provider, QUICK)!, cluster: "fleet" },
    resource("firewall:Firewall", { name: "fleet" }),
  );
  const outcome = await removeFound(search!, () => false);
  expect(outcome).toMatchObject({ kind: "failed", what: "firewall fleet" });
  expect(outcome).toHaveProperty("why", expect.stringContaining("unauthorized"));
});

test("every page of a list is read", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `fleet-${index}`);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://api").searchParams;
    asked.push(query.toString());
    const page = Number(query.get("page") ?? 1);
    const size = Number(query.get("per_page") ?? 25);
    const rows = names
      .slice((page - 1) * size, page * size)
      .map((name, id) => ({ id, name, labels: LABELS }));
    const pagination = { page, per_page: size, next_page: page * size < names.length ? page + 1 : null };
    response.end(JSON.stringify({ firewalls: rows, meta: { pagination } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await hetznerClient(resource("x", { token, endpoint }), QUICK)!.list("firewalls", {
      a: "b",
    });
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(asked).toEqual([1, 2, 3].map((page) => `a=b&page=${page}&per_page=50`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
