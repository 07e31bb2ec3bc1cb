import type { JsonObject } from "../../../plugins/framework/values";
import { comparable, readRecordings } from "../../support/recordings";
import { change, diff, make, refresh, remove, startAccount, type Account, type Resource } from "./account";

let account: Account;
const made: Resource[] = [];

const number = ({ id }: Resource): number => Number(id);
const keysOf = (value: unknown): string[] => Object.keys(value as object).sort();

/** The recorded state after the Create of a type, without the bridge's bookkeeping. */
function recordedState(type: string): JsonObject {
  const [recording] = readRecordings("hcloud", new RegExp(`^hcloud:index/${type} Create$`));
  return comparable(recording?.response?.["properties"]) as JsonObject;
}

async function create(type: string, given: JsonObject): Promise<Resource> {
  const resource = await make(account.client, type, given);
  made.push(resource);
  expect(keysOf(resource.state)).toEqual(keysOf(recordedState(type)));
  return resource;
}

let server: Resource;
let balancer: Resource;

beforeAll(async () => {
  account = await startAccount();
  const ip = await create("primaryIp:PrimaryIp", {
    name: "cp-1",
    type: "ipv4",
    location: "nbg1",
    autoDelete: false,
  });
  const group = await create("placementGroup:PlacementGroup", { name: "pg", type: "spread" });
  const firewall = await create("firewall:Firewall", {
    name: "fleet",
    rules: [
      {
        description: "p50000",
        direction: "in",
        protocol: "tcp",
        port: "50000",
        sourceIps: ["198.51.100.7/32"],
      },
    ],
  });
  const network = await create("network:Network", { name: "fleet", ipRange: "10.0.0.0/16" });
  const subnet = await create("networkSubnet:NetworkSubnet", {
    networkId: number(network),
    type: "cloud",
    networkZone: "eu-central",
    ipRange: "10.0.1.0/24",
  });
  server = await create("server:Server", {
    name: "fleet-1",
    image: "debian-13",
    serverType: "cpx22",
    location: "nbg1",
    labels: { role: "controlplane" },
    firewallIds: [number(firewall)],
    placementGroupId: number(group),
    networks: [{ aliasIps: [], ip: "10.0.1.11", subnetId: subnet.id }],
    publicNets: [{ ipv4: number(ip), ipv4Enabled: true, ipv6Enabled: true }],
  });
  balancer = await create("loadBalancer:LoadBalancer", {
    name: "api",
    loadBalancerType: "lb11",
    location: "nbg1",
  });
  await create("loadBalancerNetwork:LoadBalancerNetwork", {
    loadBalancerId: number(balancer),
    subnetId: subnet.id,
    ip: "10.0.1.254",
    enablePublicInterface: false,
  });
  await create("loadBalancerService:LoadBalancerService", {
    loadBalancerId: balancer.id,
    protocol: "tcp",
    listenPort: 6443,
    destinationPort: 6443,
    healthCheck: {
      protocol: "http",
      port: 6443,
      interval: 3,
      timeout: 2,
      retries: 2,
      http: { path: "/version", response: "", statusCodes: ["401"], tls: true },
    },
  });
  await create("loadBalancerTarget:LoadBalancerTarget", {
    loadBalancerId: number(balancer),
    type: "label_selector",
    labelSelector: "role=controlplane",
    usePrivateIp: true,
  });
});

afterAll(() => account.stop());

test("a server's state is the recorded one but for ids and addresses", () => {
  const recorded = recordedState("server:Server");
  const address = {
    firewallIds: [],
    id: "",
    image: "",
    placementGroupId: 0,
    ipv4Address: "",
    ipv6Address: "",
    ipv6Network: "",
    networks: [],
    publicNets: [],
  };
  expect({ ...server.state, ...address }).toEqual({ ...recorded, ...address });
  expect(server.state["networks"]).toEqual([
    expect.objectContaining({ ip: "10.0.1.11", macAddress: expect.stringMatching(/^86:/) as string }),
  ]);
  expect(server.state["ipv4Address"]).toMatch(/^127\.21\.0\./);
  expect(server.state["publicNets"]).toEqual([
    { ipv4: expect.any(Number) as number, ipv4Enabled: true, ipv6: 0, ipv6Enabled: true },
  ]);
});

test("nothing differs after create, after a refresh, and the refreshed inputs are those given", async () => {
  for (const resource of made) {
    expect(await diff(account.client, resource)).toMatchObject({ changes: "DIFF_NONE" });
    const refreshed = await refresh(account.client, resource);
    expect(comparable(refreshed?.inputs)).toEqual(comparable(resource.inputs));
    expect(await diff(account.client, refreshed ?? resource, resource.inputs)).toMatchObject({
      changes: "DIFF_NONE",
    });
  }
});

test("a refreshed load balancer shows its network and target as recorded", async () => {
  const [recording] = readRecordings("hcloud", /loadBalancer:LoadBalancer Read/);
  const recorded = comparable(recording?.response?.["properties"]) as JsonObject;
  const refreshed = await refresh(account.client, balancer);
  expect(refreshed?.state["targets"]).toEqual(recorded["targets"]);
  expect(refreshed?.state["networkIp"]).toBe("10.0.1.254");
});

test("labels and the type change in place, the type with the server powered off", async () => {
  const before = account.hetzner.requests.length;
  server = await change(account.client, server, {
    ...server.inputs,
    labels: { role: "controlplane", extra: "1" },
    serverType: "cpx32",
  });
  expect(server.state["labels"]).toEqual({ role: "controlplane", extra: "1" });
  expect(server.state["serverType"]).toBe("cpx32");
  const paths = account.hetzner.requests
    .slice(before)
    .map(({ method, path }) => `${method} ${path.replace(/\d+/, "N")}`);
  expect(paths.filter((path) => !path.startsWith("GET"))).toEqual([
    "PUT /servers/N",
    "POST /servers/N/actions/poweroff",
    "POST /servers/N/actions/change_type",
  ]);
});

test("a moved private address is a new attachment", async () => {
  const [network] = server.inputs["networks"] as JsonObject[];
  server = await change(account.client, server, {
    ...server.inputs,
    networks: [{ ...network, ip: "10.0.1.12" }],
  });
  expect(server.state["networks"]).toEqual([expect.objectContaining({ ip: "10.0.1.12" })]);
});

test("firewall rules are set anew", async () => {
  const index = made.findIndex(({ type }) => type.startsWith("firewall"));
  const firewall = (await refresh(account.client, made[index]!)) ?? made[index]!;
  const [rule] = firewall.inputs["rules"] as JsonObject[];
  const wanted = { ...firewall.inputs, rules: [{ ...rule, sourceIps: ["198.51.100.8/32"] }] };
  expect(await diff(account.client, firewall, wanted)).toMatchObject({
    detailedDiff: { "rules[0].sourceIps[0]": { kind: "UPDATE" } },
  });
  const changed = await change(account.client, firewall, wanted);
  expect(changed.state["rules"]).toEqual([expect.objectContaining({ sourceIps: ["198.51.100.8/32"] })]);
  expect(changed.state["applyTos"]).toHaveLength(1);
});

test("what is deleted elsewhere is gone, and everything else can be deleted", async () => {
  for (const resource of made.toReversed()) await remove(account.client, resource);
  for (const resource of made) expect(await refresh(account.client, resource)).toBeUndefined();
  expect(Object.values(account.hetzner.inventory()).flat()).toEqual([]);
});
