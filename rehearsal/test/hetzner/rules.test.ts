import { type Account, makeNetwork, makeServer, openAccount, serverBody } from "./account";

let account: Account;
let network: number;

const userData = (length: number) => "x".repeat(length);
beforeAll(async () => {
  account = await openAccount({ limits: { servers: 12, primaryIps: 40 } });
  network = await makeNetwork(account);
  await account.done("POST", "/firewalls", { name: "taken" });
  await account.done("POST", "/placement_groups", { name: "taken", type: "spread" });
  await account.done("POST", "/load_balancers", {
    name: "taken",
    load_balancer_type: "lb11",
    location: "nbg1",
  });
  await account.done("POST", "/primary_ips", { name: "taken", type: "ipv4", location: "nbg1" });
  await makeServer(account, { name: "taken", network, ip: "10.0.1.10" });
});

afterAll(() => account.close());

describe("requests that the API refuses", () => {
  const rows: [what: string, request: () => [path: string, body: object], answer: RegExp][] = [
    [
      "network name",
      () => ["/networks", { name: "fleet", ip_range: "10.1.0.0/16" }],
      /^409 uniqueness_error: network name is already used$/,
    ],
    [
      "server name",
      () => ["/servers", serverBody({ name: "taken" })],
      /^409 uniqueness_error: server name is already used$/,
    ],
    ["firewall name", () => ["/firewalls", { name: "taken" }], /^409 uniqueness_error: .*already used/],
    [
      "group name",
      () => ["/placement_groups", { name: "taken", type: "spread" }],
      /^409 uniqueness_error: .*already used/,
    ],
    [
      "balancer name",
      () => ["/load_balancers", { name: "taken", load_balancer_type: "lb11", location: "nbg1" }],
      /^409 uniqueness_error: .*already used/,
    ],
    [
      "primary IP name",
      () => ["/primary_ips", { name: "taken", type: "ipv4", location: "nbg1" }],
      /^409 uniqueness_error: .*already used/,
    ],
    [
      "out of stock",
      () => ["/servers", serverBody({ server_type: "cx23" })],
      /^412 resource_unavailable: error during placement$/,
    ],
    [
      "unknown type",
      () => ["/servers", serverBody({ server_type: "cpx99" })],
      /^422 invalid_input: .*server type cpx99 not found/,
    ],
    [
      "unknown image",
      () => ["/servers", serverBody({ image: 999999 })],
      /^422 invalid_input: .*image 999999 not found/,
    ],
    [
      "image of another architecture",
      () => ["/servers", serverBody({ server_type: "cax11", image: account.hetzner.snapshotId })],
      /^422 invalid_input: .*architecture/,
    ],
    [
      "type not sold there",
      () => ["/servers", serverBody({ server_type: "cx23", location: "ash" })],
      /^422 invalid_input: .*not supported in location ash/,
    ],
    [
      "user data too long",
      () => ["/servers", serverBody({ user_data: userData(32769) })],
      /^422 invalid_input: invalid input in field 'user_data': Length must be between 0 and 32768\.$/,
    ],
    [
      "datacenter",
      () => ["/servers", serverBody({ datacenter: "nbg1-dc3" })],
      /^422 invalid_input: .*datacenter/,
    ],
    [
      "server without any address",
      () => ["/servers", serverBody({ public_net: { enable_ipv4: false, enable_ipv6: false } })],
      /^422 invalid_input: no public or private network interfaces found, cannot start server$/,
    ],
    [
      "label value too long",
      () => ["/servers", serverBody({ labels: { schematic: "a".repeat(64) } })],
      /^422 invalid_input: .*label/,
    ],
    [
      "public network range",
      () => ["/networks", { name: "n", ip_range: "8.8.0.0/16" }],
      /^422 invalid_input: .*private/,
    ],
    [
      "network with host bits",
      () => ["/networks", { name: "n", ip_range: "10.0.0.1/16" }],
      /^422 invalid_input: .*ip_range/,
    ],
    [
      "subnet outside",
      () => [
        `/networks/${network}/actions/add_subnet`,
        { type: "cloud", ip_range: "10.1.0.0/24", network_zone: "eu-central" },
      ],
      /^422 invalid_input: .*not within/,
    ],
    [
      "subnet overlap",
      () => [
        `/networks/${network}/actions/add_subnet`,
        { type: "cloud", ip_range: "10.0.1.128/25", network_zone: "eu-central" },
      ],
      /^422 invalid_input: .*overlaps/,
    ],
    [
      "subnet in another zone",
      () => [
        `/networks/${network}/actions/add_subnet`,
        { type: "cloud", ip_range: "10.0.2.0/24", network_zone: "us-east" },
      ],
      /^422 invalid_input: .*zone/,
    ],
    [
      "firewall rule without port",
      () => [
        "/firewalls",
        { name: "f", rules: [{ direction: "in", protocol: "tcp", source_ips: ["0.0.0.0/0"] }] },
      ],
      /^422 invalid_input: .*port/,
    ],
    [
      "firewall rule with host bits",
      () => [
        "/firewalls",
        { name: "f", rules: [{ direction: "in", protocol: "icmp", source_ips: ["10.0.0.1/8"] }] },
      ],
      /^422 invalid_input: .*CIDR/,
    ],
    [
      "primary IP without place",
      () => ["/primary_ips", { name: "p", type: "ipv4" }],
      /^422 invalid_input: .*location/,
    ],
  ];

  it.each(rows)("%s", async (_what, request, expected) => {
    const [path, body] = request();
    const before = account.hetzner.inventory();
    const answer = await account.call("POST", path, body);
    const { code, message } = answer.body.error;
    expect(`${answer.status} ${code}: ${message}`).toMatch(expected);
    expect(account.hetzner.inventory()).toEqual(before);
  });

  it("names the fields of invalid input", async () => {
    const { body } = await account.call("POST", "/servers", serverBody({ user_data: userData(40000) }));
    const messages = ["Length must be between 0 and 32768."];
    expect(body.error.details).toEqual({ fields: [{ name: "user_data", messages }] });
  });
});
