import { type Account, makeServer, openAccount, token } from "./account";

let account: Account;
beforeAll(async () => (account = await openAccount()));
afterAll(() => account.close());

describe("tokens", () => {
  it.each([
    ["wrong", "u".repeat(64)],
    ["short", "t".repeat(63)],
    ["empty", ""],
  ])("a %s one is refused", async (_what, bearer) => {
    const { status, body, headers } = await account.as(bearer)("GET", "/servers");
    expect(status).toBe(401);
    expect(body).toEqual({
      error: { code: "unauthorized", message: "unable to authenticate", details: null },
    });
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("is asked for before anything is done", async () => {
    await account.as("u".repeat(64))("POST", "/networks", { name: "n", ip_range: "10.0.0.0/16" });
    expect(account.hetzner.inventory().networks).toEqual([]);
  });
});

describe("answers", () => {
  it("carry a correlation id and the rate limit", async () => {
    const { headers } = await account.call("GET", "/locations");
    expect(headers.get("x-correlation-id")).toMatch(/^[0-9a-f]{16}$/);
    expect(headers.get("ratelimit-limit")).toBe("3600");
    expect(Number(headers.get("ratelimit-remaining"))).toBeLessThan(3600);
    expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1);
  });

  it("stop when the hour's requests are used up", async () => {
    const small = await openAccount({ requestsPerHour: 2 });
    await small.call("GET", "/locations");
    await small.call("GET", "/locations");
    const { status, body } = await small.call("GET", "/locations");
    expect([status, body.error.code]).toEqual([429, "rate_limit_exceeded"]);
    await small.close();
  });

  it.each([
    ["GET /servers/4711", 404, "not_found"],
    ["GET /nothing", 404, "not_found"],
    ["PATCH /servers", 405, "method_not_allowed"],
    ["GET /datacenters", 410, "deprecated_api_endpoint"],
    ["GET /actions", 410, "deprecated_api_endpoint"],
  ])("%s is %i %s", async (request, status, code) => {
    const [method = "", path = ""] = request.split(" ");
    const answer = await account.call(method, path);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it("say so when a body is not JSON", async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${account.hetzner.url}/networks`, { method: "POST", headers, body: "{" });
    expect(response.status).toBe(400);
  });
});

describe("lists", () => {
  beforeAll(async () => {
    for (let n = 1; n <= 7; n += 1) {
      const labels = { n: String(n), side: n % 2 === 0 ? "even" : "odd" };
      await account.done("POST", "/placement_groups", { name: `g${n}`, type: "spread", labels });
    }
  });

  const found = async (query: string): Promise<string[]> => {
    const { body } = await account.call("GET", `/placement_groups?${query}`);
    return body.placement_groups.map(({ name }: { name: string }) => name);
  };

  it.each([
    ["name=g3", ["g3"]],
    ["name=none", []],
    ["label_selector=side==even", ["g2", "g4", "g6"]],
    ["label_selector=side!=even,n in (1,3,4)", ["g1", "g3"]],
    ["label_selector=n notin (1,2,3,4,5)", ["g6", "g7"]],
    ["label_selector=!side", []],
    ["label_selector=side,n=5", ["g5"]],
    ["sort=name:desc&per_page=2", ["g7", "g6"]],
    ["per_page=3&page=3", ["g7"]],
  ])("%s", async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it("tell where the page is", async () => {
    const { body } = await account.call("GET", "/placement_groups?per_page=3&page=2");
    expect(body.meta.pagination).toEqual({
      page: 2,
      per_page: 3,
      previous_page: 1,
      next_page: 3,
      last_page: 3,
      total_entries: 7,
    });
  });

  it.each(["per_page=51", "page=0", "sort=name:up", "label_selector=a%20b%20c"])(
    "refuse %s",
    async (query) => {
      expect((await account.call("GET", `/placement_groups?${query}`)).status).toBe(422);
    },
  );

  it("find images by name and architecture, snapshots by label", async () => {
    const stock = await account.call(
      "GET",
      "/images?name=debian-13&architecture=arm&include_deprecated=true",
    );
    expect(stock.body.images).toHaveLength(1);
    const talos = await account.call("GET", "/images?type=snapshot&label_selector=os=talos");
    expect(talos.body.images).toMatchObject([{ id: account.hetzner.snapshotId, name: null, disk_size: 40 }]);
  });
});

describe("actions", () => {
  it("are served by id, also when their resource is gone", async () => {
    const id = await makeServer(account, { name: "gone", image: "debian-13" });
    const { action } = await account.done("DELETE", `/servers/${id}`);
    expect((await account.call("GET", `/servers/${id}`)).status).toBe(404);
    expect((await account.call("GET", `/servers?name=gone`)).body.servers).toEqual([]);
    const { body } = await account.call(
      "GET",
      `/actions?id=${action.id}&id=99999999&page=1&sort=status&sort=id`,
    );
    expect(body.actions).toMatchObject([
      { id: action.id, command: "delete_server", status: "success", progress: 100 },
    ]);
  });

  it("give a new server its public addresses, a password and a status that follows them", async () => {
    const body = { name: "fresh", server_type: "cpx22", image: "debian-13", location: "nbg1" };
    const { status, body: answer } = await account.call("POST", "/servers", body);
    expect(status).toBe(201);
    expect(answer.server).toMatchObject({ status: "initializing", locked: true, location: { name: "nbg1" } });
    expect(answer.server).not.toHaveProperty("datacenter");
    expect(answer.root_password).toEqual(expect.any(String));
    expect(answer.next_actions).toMatchObject([{ command: "start_server" }]);
    await account.waitFor(answer.next_actions[0]!.id);
    const after = (await account.call("GET", `/servers/${answer.server.id}`)).body.server;
    expect(after).toMatchObject({ status: "running", locked: false });
    expect(after.public_net.ipv6.ip).toMatch(/^2001:db8:[0-9a-f]+::\/64$/);
    expect(after.public_net.ipv4.ip).toMatch(/^127\./);
  });
});

it("logs requests, of user data only its length", async () => {
  const wanted = { name: "quiet", server_type: "cpx22", image: "debian-13", user_data: "secret" };
  await account.done("POST", "/servers", wanted);
  const entry = account.hetzner.requests.find(
    ({ method, path }) => method === "POST" && path === "/servers" && true,
  );
  expect(entry).toMatchObject({ status: 201 });
  expect(JSON.stringify(account.hetzner.requests)).toContain("<6 characters>");
  expect(JSON.stringify(account.hetzner.requests)).not.toContain("secret");
});
