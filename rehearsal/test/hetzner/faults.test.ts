import { type Account, makeServer, openAccount, token } from "./account";

let account: Account;
beforeAll(async () => (account = await openAccount()));
afterEach(() => account.hetzner.faults.clear());
afterAll(() => account.close());

const groups = () => account.call("GET", "/placement_groups");
const add = (name: string) => account.call("POST", "/placement_groups", { name, type: "spread" });
const names = (): readonly string[] => account.hetzner.inventory().placementGroups;

/** A request that gives up after 300 ms: `cut`, `late` or the status. */
async function impatient(name: string): Promise<string> {
  try {
    const response = await fetch(`${account.hetzner.url}/placement_groups`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ name, type: "spread" }),
      signal: AbortSignal.timeout(300),
    });
    return String(response.status);
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? "late" : "cut";
  }
}

it.each([
  [409, "conflict"],
  [429, "rate_limit_exceeded"],
  [423, "locked"],
  [503, "unavailable"],
])("answers %i %s as often as asked, then as usual", async (status, code) => {
  account.hetzner.faults.add({
    method: "GET",
    path: /^\/placement_groups$/,
    times: 2,
    status,
    code,
    message: "as asked",
  });
  for (const expected of [status, status, 200]) {
    const answer = await groups();
    expect(answer.status).toBe(expected);
    if (expected !== 200) expect(answer.body.error).toEqual({ code, message: "as asked", details: null });
  }
});

it("answers 502 without a body", async () => {
  account.hetzner.faults.add({ path: /groups/, status: 502 });
  const { status, body, headers } = await groups();
  expect([status, body, headers.get("content-type")]).toEqual([502, undefined, null]);
});

it("strikes after a number of requests, and only its method and path", async () => {
  account.hetzner.faults.add({
    method: "POST",
    path: /^\/placement_groups$/,
    after: 1,
    status: 503,
    code: "unavailable",
  });
  expect((await groups()).status).toBe(200);
  expect((await add("after-1")).status).toBe(201);
  expect((await add("after-2")).status).toBe(503);
  expect(names()).not.toContain("after-2");
});

it.each([
  { effect: "drop", when: "before", seen: "cut", isThere: false },
  { effect: "drop", when: "after", seen: "cut", isThere: true },
  { effect: "hang", when: "before", seen: "late", isThere: false },
  { effect: "hang", when: "after", seen: "late", isThere: true },
])("$effect $when: the client sees $seen, carried out: $isThere", async ({ effect, when, seen, isThere }) => {
  const name = `${effect}-${when}`;
  account.hetzner.faults.add({ method: "POST", path: /groups/, [effect]: when });
  expect(await impatient(name)).toBe(seen);
  expect(names().includes(name)).toBe(isThere);
});

it("runs a hook when the work is done and the answer has not left", async () => {
  let seen: readonly string[] = [];
  account.hetzner.faults.add({ method: "POST", path: /groups/, beforeAnswer: () => void (seen = names()) });
  await add("hooked");
  expect(seen).toContain("hooked");
});

it("delays an answer", async () => {
  account.hetzner.faults.add({ path: /groups/, delayMs: 80 });
  const start = Date.now();
  await groups();
  expect(Date.now() - start).toBeGreaterThanOrEqual(79);
});

describe("actions", () => {
  const create = { name: "failing", server_type: "cpx22", image: "debian-13", location: "nbg1" };

  it("fail after the server was made, which stays", async () => {
    const actionError = { code: "unknown_error", message: "server is locked" };
    account.hetzner.faults.add({ method: "POST", path: /^\/servers$/, actionError });
    const { status, body } = await account.call("POST", "/servers", create);
    expect(status).toBe(201);
    expect(await account.waitFor(body.action.id)).toMatchObject({ status: "error", error: actionError });
    expect(await account.waitFor(body.next_actions[0]!.id)).toMatchObject({ status: "error" });
    expect(account.hetzner.inventory().servers).toContain("failing");
    expect((await account.call("POST", "/servers", create)).body.error.code).toBe("uniqueness_error");
    await account.done("DELETE", `/servers/${body.server.id}`);
  });

  it("never end, and end when the faults are cleared", async () => {
    const id = await makeServer(account, { name: "endless", image: "debian-13" });
    account.hetzner.faults.add({ method: "POST", path: /poweroff$/, actionHangs: true });
    const { body } = await account.call("POST", `/servers/${id}/actions/poweroff`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await account.call("GET", `/actions/${body.action.id}`)).body.action.status).toBe("running");
    expect((await account.call("DELETE", `/servers/${id}`)).body.error.code).toBe("locked");
    account.hetzner.faults.clear();
    expect(await account.waitFor(body.action.id)).toMatchObject({ status: "success" });
    await account.done("DELETE", `/servers/${id}`);
  });

  it("give back the address that a failed attach had taken", async () => {
    const subnet = { type: "cloud", ip_range: "10.0.1.0/24", network_zone: "eu-central" };
    const { network } = await account.done("POST", "/networks", {
      name: "n",
      ip_range: "10.0.0.0/16",
      subnets: [subnet],
    });
    const id = await makeServer(account, { name: "attach", image: "debian-13" });
    const path = `/servers/${id}/actions/attach_to_network`;
    account.hetzner.faults.add({ path: /attach/, actionError: { code: "service_error", message: "no" } });
    const { body } = await account.call("POST", path, { network: network.id, ip: "10.0.1.7" });
    await account.waitFor(body.action.id);
    await account.done("POST", path, { network: network.id, ip: "10.0.1.7" });
  });
});
