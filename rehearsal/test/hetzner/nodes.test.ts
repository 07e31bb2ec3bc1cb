import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { killLeftovers } from "../../hetzner/live/leftovers";
import { type Account, makeNetwork, makeServer, openAccount, until } from "./account";
import { isAlive, pidOf, routes, started, starts } from "./live";

jest.setTimeout(30_000);

let account: Account;
beforeEach(async () => (account = await openAccount()));
afterEach(() => account.close());

describe("a server from a Talos snapshot", () => {
  it("starts one node, once its private address is known", async () => {
    const network = await makeNetwork(account);
    const id = await makeServer(account, { name: "cp-1", network, ip: "10.0.1.11" });
    await started(account, "cp-1", 1);
    const { body } = await account.call("GET", `/servers/${id}`);
    const address = body.server.public_net.ipv4.ip;
    const [line = ""] = starts(account, "cp-1");
    expect(line).toContain(
      `run --name cp-1 --address 10.0.1.11 --address ${address} --talos ${address}:50000`,
    );
    expect(line).toContain(
      "--talos-version v1.13.10 --platform hcloud --schematic 613e1592b2da41ae5e265e8789429f22",
    );
    expect(routes(account)).toEqual({
      "10.0.1.11:50000": `${address}:50000`,
      "10.0.1.11:50001": `${address}:50001`,
      "10.0.1.11:6443": `${address}:6443`,
    });
  });

  it("starts without a network too, and again when its addresses change", async () => {
    const network = await makeNetwork(account);
    const id = await makeServer(account, { name: "late" });
    await started(account, "late", 1);
    await account.done("POST", `/servers/${id}/actions/attach_to_network`, { network });
    await started(account, "late", 2);
    await account.done("POST", `/servers/${id}/actions/detach_from_network`, { network });
    await started(account, "late", 3);
    expect(starts(account, "late").map((line) => line.includes("--address 10.0.1."))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("has no node while it is off, and the same disk when it is on again", async () => {
    const network = await makeNetwork(account);
    const id = await makeServer(account, { name: "power", network });
    await started(account, "power", 1);
    const first = pidOf(account, "power");
    for (const [times, how] of ["poweroff", "shutdown"].entries()) {
      await started(account, "power", times + 1);
      await account.done("POST", `/servers/${id}/actions/${how}`);
      expect(pidOf(account, "power")).toBe(0);
      expect((await account.call("GET", `/servers/${id}`)).body.server.status).toBe("off");
      await account.done("POST", `/servers/${id}/actions/poweron`);
    }
    expect(isAlive(first)).toBe(false);
    await started(account, "power", 3);
    await account.done("POST", `/servers/${id}/actions/reset`);
    await started(account, "power", 4);
    await account.done("POST", `/servers/${id}/actions/reboot`);
    await started(account, "power", 5);
    expect(new Set(starts(account, "power")).size).toBe(1);
  });

  it("leaves no process and no folder when it is deleted", async () => {
    const network = await makeNetwork(account);
    const id = await makeServer(account, { name: "gone", network });
    await started(account, "gone", 1);
    const process_ = pidOf(account, "gone");
    await account.done("DELETE", `/servers/${id}`);
    expect(isAlive(process_)).toBe(false);
    expect(existsSync(join(account.dir, "servers", String(id)))).toBe(false);
    expect(routes(account)).toEqual({});
  });

  it("can crash and be reset", async () => {
    const network = await makeNetwork(account);
    const id = await makeServer(account, { name: "crash", network });
    await started(account, "crash", 1);
    await account.hetzner.killNode("crash");
    expect((await account.call("GET", `/servers/${id}`)).body.server.status).toBe("running");
    expect(pidOf(account, "crash")).toBe(0);
    await account.done("POST", `/servers/${id}/actions/reset`);
    await started(account, "crash", 2);
  });

  it("keeps an address of its own when it has a private network only", async () => {
    const network = await makeNetwork(account);
    const public_net = { enable_ipv4: false, enable_ipv6: false };
    const id = await makeServer(account, { name: "inner", network, public_net, start_after_create: false });
    expect(pidOf(account, "inner")).toBe(0);
    await account.done("POST", `/servers/${id}/actions/poweron`);
    await started(account, "inner", 1);
    expect(starts(account, "inner")[0]?.match(/--address/g)).toHaveLength(1);
    expect(routes(account)["10.0.1.1:50000"]).toMatch(/^127\./);
  });
});

it("boots nothing from a stock image", async () => {
  await makeServer(account, { name: "debian", image: "debian-13" });
  expect(account.hetzner.simnodeFor("debian")).toBeUndefined();
});

it("takes a snapshot of a stopped builder, and labels make it a Talos one", async () => {
  const id = await makeServer(account, { name: "builder", server_type: "cpx12", image: "debian-13" });
  await account.done("POST", `/servers/${id}/actions/poweroff`);
  const labels = { os: "talos", "talos-version": "v1.13.9", schematic: "613e1592b2da41ae5e265e8789429f22" };
  const { image } = await account.done("POST", `/servers/${id}/actions/create_image`, {
    type: "snapshot",
    labels,
  });
  expect((await account.call("GET", `/images/${image.id}`)).body.image).toMatchObject({
    status: "available",
    type: "snapshot",
    disk_size: 40,
    architecture: "x86",
    created_from: { id, name: "builder" },
  });
  const network = await makeNetwork(account);
  await makeServer(account, { name: "node", image: image.id, network });
  await started(account, "node", 1);
  expect(starts(account, "node")[0]).toContain(
    "--talos-version v1.13.9 --platform hcloud --schematic 613e1592b2da41ae5e265e8789429f22e121",
  );
});

it("leaves nothing behind", async () => {
  const network = await makeNetwork(account);
  for (const name of ["a", "b", "c"]) await makeServer(account, { name, network });
  await makeServer(account, { name: "d" });
  await started(account, "d", 1);
  const processes = account.hetzner.inventory().processes;
  expect(processes).toHaveLength(4);
  await account.hetzner.stop();
  expect(processes.filter(isAlive)).toEqual([]);
  expect(existsSync(account.dir)).toBe(false);
  expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(account.dir);
  account = await openAccount();
});

it("kills what a killed session with the same folder left", async () => {
  const network = await makeNetwork(account);
  await makeServer(account, { name: "orphan", network });
  await started(account, "orphan", 1);
  const orphan = pidOf(account, "orphan");
  const { dir, simnode } = account;
  await killLeftovers({ dir: `${dir}-other`, simnode });
  expect(isAlive(orphan)).toBe(true);
  await killLeftovers({ dir, simnode });
  await until("the orphan to be gone", () => !isAlive(orphan));
});

it("counts what an account holds until it is empty again", async () => {
  const empty = account.hetzner.inventory();
  const network = await makeNetwork(account);
  const { primary_ip: ip } = await account.done("POST", "/primary_ips", {
    name: "ip",
    type: "ipv4",
    location: "nbg1",
  });
  const id = await makeServer(account, { name: "a", network, public_net: { ipv4: ip.id } });
  expect(account.hetzner.inventory()).toMatchObject({ servers: ["a"], networks: ["fleet"] });
  expect(account.hetzner.inventory().primaryIps).toHaveLength(2);
  expect((await account.call("DELETE", `/primary_ips/${ip.id}`)).body.error.code).toBe("server_not_stopped");
  await account.done("DELETE", `/servers/${id}`);
  expect(account.hetzner.inventory().primaryIps).toEqual(["ip"]);
  await account.done("DELETE", `/primary_ips/${ip.id}`);
  await account.done("DELETE", `/networks/${network}`);
  expect(account.hetzner.inventory()).toEqual(empty);
});
