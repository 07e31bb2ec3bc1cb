import { createServer } from "node:http";
import { type Account, makeNetwork, makeServer, openAccount, until } from "./account";
import { routes, say } from "./live";

jest.setTimeout(30_000);

let account: Account;
beforeEach(async () => (account = await openAccount()));
afterEach(() => account.close());

describe("a load balancer", () => {
  const service = (check: object) => ({
    protocol: "tcp",
    listen_port: 6443,
    destination_port: 6443,
    health_check: { interval: 3, timeout: 2, retries: 2, port: 6443, ...check },
  });

  async function makeBalancer(network: number, check: object = { protocol: "tcp" }): Promise<number> {
    const body = { name: "api", load_balancer_type: "lb11", location: "nbg1" };
    const { load_balancer: balancer } = await account.done("POST", "/load_balancers", body);
    const action = (name: string, wanted?: object) =>
      account.done("POST", `/load_balancers/${balancer.id}/actions/${name}`, wanted);
    await action("attach_to_network", { network, ip: "10.0.1.254" });
    const label_selector = { selector: "role=controlplane" };
    await action("add_target", { type: "label_selector", label_selector, use_private_ip: true });
    await action("add_service", service(check));
    await action("disable_public_interface");
    return balancer.id;
  }

  const healths = async (id: number): Promise<string[]> => {
    const { body } = await account.call("GET", `/load_balancers/${id}`);
    const targets = body.load_balancer.targets[0]?.targets ?? [];
    return targets.map((target) => target.health_status[0]?.status ?? "");
  };

  it("spreads connections over its healthy targets, under its private address", async () => {
    const network = await makeNetwork(account);
    const labels = { role: "controlplane" };
    await makeServer(account, { name: "cp-1", network, labels });
    await makeServer(account, { name: "cp-2", network, labels });
    const id = await makeBalancer(network);
    const address = routes(account)["10.0.1.254:6443"] ?? "";
    expect(address).toMatch(/^127\.0\.0\.1:/);
    await until("both to be healthy", async () => (await healths(id)).join() === "healthy,healthy");
    const answers = new Set([await say(address), await say(address)]);
    expect(answers).toEqual(new Set(["cp-1", "cp-2"]));

    await account.hetzner.killNode("cp-1");
    await until("one to be unhealthy", async () => (await healths(id)).join() === "unhealthy,healthy");
    expect([await say(address), await say(address)]).toEqual(["cp-2", "cp-2"]);
  });

  it("accepts only the status codes of its http check", async () => {
    const network = await makeNetwork(account);
    const raw = await makeServer(account, { name: "raw", network, labels: { role: "controlplane" } });
    const host = (await account.call("GET", `/servers/${raw}`)).body.server.public_net.ipv4.ip;
    await until("the stand-in to listen", async () => (await say(`${host}:6443`)) === "raw");
    const id = await makeBalancer(network, {
      protocol: "http",
      http: { path: "/version", status_codes: ["401"], tls: false },
    });
    // The stand-in closes without an HTTP answer.
    await until("an unhealthy target", async () => (await healths(id)).join() === "unhealthy");
    expect(await say(routes(account)["10.0.1.254:6443"] ?? "")).toBe("");
    await account.hetzner.killNode("raw");
    const web = createServer((_request, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => web.listen(6443, host, resolve));
    await until("a healthy target", async () => (await healths(id)).join() === "healthy");
    await new Promise((resolve) => web.close(resolve));
  });

  it("is reached on its public address only while that is enabled", async () => {
    const network = await makeNetwork(account);
    await makeServer(account, { name: "cp-1", network, labels: { role: "controlplane" } });
    const id = await makeBalancer(network);
    const { body } = await account.call("GET", `/load_balancers/${id}`);
    const address = `${body.load_balancer.public_net.ipv4.ip}:6443`;
    expect(await say(address)).toBe("ECONNREFUSED");
    await account.done("POST", `/load_balancers/${id}/actions/enable_public_interface`);
    await until("the public listener", async () => (await say(address)) === "cp-1");
  });

  it("refuses what cannot work, and a port twice", async () => {
    const network = await makeNetwork(account);
    const id = await makeBalancer(network);
    const call = (name: string, body: object) =>
      account.call("POST", `/load_balancers/${id}/actions/${name}`, body);
    const server = await makeServer(account, { name: "outside", image: "debian-13" });
    const target = { type: "server", server: { id: server } };
    expect((await call("add_target", { ...target, use_private_ip: true })).body.error.code).toBe(
      "server_not_attached_to_network",
    );
    expect((await call("add_target", target)).body.error.code).toBe(
      "load_balancer_public_interface_disabled",
    );
    expect((await call("add_service", service({ protocol: "tcp" }))).body.error.code).toBe(
      "source_port_already_used",
    );
    expect((await call("attach_to_network", { network })).body.error.code).toBe(
      "load_balancer_already_attached",
    );
  });

  it("goes with an action, and its address leaves the routes", async () => {
    const network = await makeNetwork(account);
    const id = await makeBalancer(network);
    const subnet = { ip_range: "10.0.1.0/24" };
    const held = await account.call("POST", `/networks/${network}/actions/delete_subnet`, subnet);
    expect(held.body.error).toMatchObject({ code: "service_error" });
    const { status, body } = await account.call("DELETE", `/load_balancers/${id}`);
    expect([status, body.action.command]).toEqual([201, "delete_load_balancer"]);
    await account.waitFor(body.action.id);
    expect(routes(account)).toEqual({});
    await account.done("POST", `/networks/${network}/actions/delete_subnet`, subnet);
  });
});
