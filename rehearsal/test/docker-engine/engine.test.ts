import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { dial, eventually, freePort, labNetwork, runNode, startRig, rigForEachTest } from "./support";

const rig = rigForEachTest();

describe("system", () => {
  test("ping, version and info say what preflight asks", async () => {
    expect((await rig.call("GET", "/_ping")).text).toBe("OK");
    expect((await rig.call("GET", "/version")).json).toMatchObject({ ApiVersion: "1.41", Os: "linux" });
    expect((await rig.call("GET", "/info")).json).toMatchObject({
      CgroupVersion: "2",
      OSType: "linux",
      ContainersRunning: 0,
    });
  });

  test("a client that speaks a newer API is told so", async () => {
    const { status, text } = await rig.call("GET", "/../v1.45/info");
    expect([status, text.trim()]).toEqual([
      400,
      '{"message":"client version 1.45 is too new. Maximum supported API version is 1.41"}',
    ]);
  });

  test("info can be another host's", async () => {
    const other = await startRig({ info: { CgroupVersion: "1", SecurityOptions: ["name=rootless"] } });
    expect((await other.call("GET", "/info")).json).toMatchObject({
      CgroupVersion: "1",
      SecurityOptions: ["name=rootless"],
    });
    await other.end();
  });
});

describe("the engine's own life", () => {
  test("a restart brings back what wants to run, and only that", async () => {
    await rig.call("POST", "/networks/create", labNetwork());
    const keep = await runNode(rig, "keep", { talosPort: rig.port, address: "10.5.0.2" });
    const once = await runNode(rig, "once", {
      talosPort: await freePort(),
      address: "10.5.0.3",
      restart: "no",
    });
    const stopped = await runNode(rig, "stopped", { talosPort: await freePort(), address: "10.5.0.4" });
    await rig.call("POST", `/containers/${stopped}/stop?t=5`);
    await rig.engine.restartEngine();
    const running = await Promise.all(
      [keep, once, stopped].map(async (id) => (await rig.inspect(id)).State.Running),
    );
    expect(running).toEqual([true, false, false]);
    await eventually(() => dial(rig.port));
  });

  test("stop leaves no process and no file", async () => {
    await rig.call("POST", "/networks/create", labNetwork());
    const id = await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" });
    const { Pid: pid } = (await rig.inspect(id)).State;
    await rig.engine.stop();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(readdirSync(join(rig.dir, "e"))).toEqual([]);
    expect(existsSync(rig.engine.socket)).toBe(false);
    mkdirSync(join(rig.dir, "e"), { recursive: true });
  });
});

describe("faults", () => {
  test("no network pair", async () => {
    rig.engine.faults.noVeth.add("n1");
    await rig.call("POST", "/networks/create", labNetwork());
    await expect(runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" })).rejects.toThrow(
      /failed to add the host \(veth\w+\) <=> sandbox \(veth\w+\) pair interfaces: operation not supported/,
    );
    rig.engine.faults.noVeth.clear();
    expect((await rig.call("POST", "/containers/n1/start")).status).toBe(204);
  });

  test("a container that ends at once", async () => {
    rig.engine.faults.exitAtOnce.add("n1");
    await rig.call("POST", "/networks/create", labNetwork());
    const id = await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2", restart: "no" });
    await eventually(async () => ((await rig.inspect(id)).State.Status === "exited" ? true : undefined));
    expect((await rig.inspect(id)).State.ExitCode).toBe(1);
  });

  test("an answer of the engine, a number of times", async () => {
    rig.engine.faults.requests.push({
      match: /^GET \/info$/,
      answer: { status: 500, message: "boom" },
      times: 1,
    });
    expect(await rig.refusal("GET", "/info")).toBe("500 boom");
    expect((await rig.call("GET", "/info")).status).toBe(200);
  });

  test("no answer at all until the client gives up", async () => {
    rig.engine.faults.requests.push({ match: /^GET \/info$/, answer: "hang" });
    const late = new Promise((resolve) => setTimeout(() => resolve("late"), 300));
    const answer = rig.call("GET", "/info").catch(() => "closed");
    expect(await Promise.race([answer, late])).toBe("late");
  });
});
