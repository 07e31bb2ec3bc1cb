import { type Account, makeNetwork, makeServer, openAccount, serverBody } from "./account";

let account: Account;
let network: number;

beforeAll(async () => {
  account = await openAccount();
  network = await makeNetwork(account);
  await makeServer(account, { name: "taken", network, ip: "10.0.1.10" });
});

afterAll(() => account.close());

describe("addresses in a private network", () => {
  const attach = (id: number, body: object) =>
    account.call("POST", `/servers/${id}/actions/attach_to_network`, { network, ...body });
  let id: number;

  beforeAll(async () => (id = await makeServer(account, { name: "address-1", image: "debian-13" })));

  it.each([
    ["taken", "10.0.1.10", "ip_not_available"],
    ["the subnet's first", "10.0.1.0", "ip_not_available"],
    ["the subnet's last", "10.0.1.255", "ip_not_available"],
    ["in no subnet", "10.0.2.5", "invalid_input"],
  ])("%s is refused", async (_what, ip, code) => {
    expect((await attach(id, { ip })).body.error.code).toBe(code);
  });

  it("gives the lowest free one, holds it while the action runs, and attaches once", async () => {
    const running = await attach(id, {});
    expect(running.status).toBe(201);
    const other = await makeServer(account, { name: "address-2", image: "debian-13" });
    expect((await attach(other, { ip: "10.0.1.1" })).body.error.code).toBe("ip_not_available");
    await account.waitFor(running.body.action.id);
    const { body } = await account.call("GET", `/servers/${id}`);
    expect(body.server.private_net).toMatchObject([{ network, ip: "10.0.1.1", alias_ips: [] }]);
    expect(body.server.private_net[0]!.mac_address).toMatch(/^86:/);
    expect((await attach(id, {})).body.error.code).toBe("server_already_attached");
  });

  it("never gives the network's own gateway", async () => {
    const { network: own } = await account.done("POST", "/networks", {
      name: "gateway",
      ip_range: "10.9.0.0/24",
      subnets: [{ type: "cloud", ip_range: "10.9.0.0/24", network_zone: "eu-central" }],
    });
    expect(own.subnets[0]!.gateway).toBe("10.9.0.1");
    await account.done("POST", `/servers/${id}/actions/attach_to_network`, { network: own.id });
    const { body } = await account.call("GET", `/servers/${id}`);
    expect(body.server.private_net[1]!.ip).toBe("10.9.0.2");
  });
});

describe("rules of state", () => {
  it("takes ten servers into a spread group, not eleven", async () => {
    const { placement_group: group } = await account.done("POST", "/placement_groups", {
      name: "ten",
      type: "spread",
    });
    const small = await openAccount();
    const { placement_group: own } = await small.done("POST", "/placement_groups", {
      name: "ten",
      type: "spread",
    });
    const body = (n: number) => serverBody({ name: `g-${n}`, placement_group: own.id });
    for (let n = 1; n <= 10; n += 1) expect((await small.call("POST", "/servers", body(n))).status).toBe(201);
    const { body: eleventh } = await small.call("POST", "/servers", body(11));
    expect(eleventh.error).toMatchObject({
      code: "placement_group_member_limit_reached",
      message: `placement group with ID ${own.id} contains already 10 servers`,
    });
    await small.close();
    await account.done("DELETE", `/placement_groups/${group.id}`);
  });

  it("has an account limit", async () => {
    const small = await openAccount({ limits: { servers: 1 } });
    await small.done("POST", "/servers", serverBody({ name: "one" }));
    const { status, body } = await small.call("POST", "/servers", serverBody({ name: "two" }));
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      "resource_limit_exceeded",
      "server limit exceeded",
    ]);
    await small.close();
  });

  it("locks a server while an action runs", async () => {
    const slow = await openAccount({ actionMs: 60 });
    const id = await makeServer(slow, { name: "locked", image: "debian-13" });
    await slow.call("POST", `/servers/${id}/actions/reboot`);
    const { status, body } = await slow.call("POST", `/servers/${id}/actions/poweroff`);
    expect([status, body.error.code]).toEqual([423, "locked"]);
    expect((await slow.call("GET", `/servers/${id}`)).body.server.locked).toBe(true);
    await slow.close();
  });

  it("changes a network one change at a time", async () => {
    const add = (range: string) =>
      account.call("POST", `/networks/${network}/actions/add_subnet`, {
        type: "cloud",
        ip_range: range,
        network_zone: "eu-central",
      });
    const [first, second] = await Promise.all([add("10.0.8.0/24"), add("10.0.9.0/24")]);
    expect([first.status, second.status].sort()).toEqual([201, 409]);
    expect([first, second].find(({ status }) => status === 409)?.body.error.code).toBe("conflict");
  });

  it("keeps what is in use or protected", async () => {
    const { firewall } = await account.done("POST", "/firewalls", { name: "used" });
    const id = await makeServer(account, {
      name: "keeper",
      image: "debian-13",
      firewalls: [{ firewall: firewall.id }],
    });
    expect((await account.call("DELETE", `/firewalls/${firewall.id}`)).body.error.code).toBe(
      "resource_in_use",
    );
    await account.done("POST", `/servers/${id}/actions/change_protection`, { delete: true, rebuild: true });
    const kept = await account.call("DELETE", `/servers/${id}`);
    expect([kept.status, kept.body.error.code]).toEqual([423, "protected"]);
    await account.done("POST", `/servers/${id}/actions/change_protection`, { delete: false, rebuild: false });
    await account.done("DELETE", `/servers/${id}`);
    expect((await account.call("DELETE", `/firewalls/${firewall.id}`)).status).toBe(204);
  });

  it("changes the type of a stopped server only, and starts it", async () => {
    const id = await makeServer(account, { name: "grow", image: "debian-13" });
    const change = { server_type: "cpx32", upgrade_disk: true };
    const early = await account.call("POST", `/servers/${id}/actions/change_type`, change);
    expect(early.body.error.code).toBe("server_not_stopped");
    await account.done("POST", `/servers/${id}/actions/poweroff`);
    await account.done("POST", `/servers/${id}/actions/change_type`, change);
    const { body } = await account.call("GET", `/servers/${id}`);
    expect(body.server).toMatchObject({
      status: "running",
      primary_disk_size: 160,
      server_type: { name: "cpx32" },
    });
  });

  it("sells what a session says it has", async () => {
    account.hetzner.setStock("cx23", "nbg1", 1);
    expect(
      (await account.call("POST", "/servers", serverBody({ name: "last-one", server_type: "cx23" }))).status,
    ).toBe(201);
    const { body } = await account.call("GET", "/server_types?name=cx23");
    const place = body.server_types[0]!.locations.find((entry: { name: string }) => entry.name === "nbg1");
    expect(place?.available).toBe(false);
  });
});
