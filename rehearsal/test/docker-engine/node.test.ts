import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { dial, eventually, labNetwork, nodeBody, runNode, TALOS_IMAGE, rigForEachTest } from "./support";

const rig = rigForEachTest();

describe("a node's life", () => {
  const up = async (name = "n1", address = "10.5.0.2"): Promise<string> => {
    await rig.call("POST", "/networks/create", labNetwork());
    const id = await runNode(rig, name, { talosPort: rig.port, address });
    await eventually(() => dial(rig.port));
    return id;
  };

  test("it runs simnode behind the published port, with its volumes and routes", async () => {
    const id = await up();
    expect(await dial(rig.port)).toBe("talos");
    const { text } = await rig.call("GET", `/containers/${id}/logs?stdout=1`);
    const args = JSON.parse(/started (.*)/.exec(text)?.[1] ?? "[]") as string[];
    const option = (name: string) => args[args.indexOf(name) + 1] ?? "";
    expect(option("--name")).toBe("n1");
    expect(option("--address")).toBe("10.5.0.2");
    expect(option("--talos")).toBe(`127.0.0.1:${rig.port}`);
    expect(option("--talos-version")).toBe("v1.13.10");
    expect(option("--data")).toBe(join(rig.dir, "e/volumes/n1-var/_data"));
    const routes = JSON.parse(readFileSync(option("--routes"), "utf8")) as Record<string, string>;
    expect(routes["10.5.0.2:50000"]).toBe(`127.0.0.1:${rig.port}`);
    expect(option("--knobs")).toBe(join(rig.dir, "e/knobs.json"));
    expect(Object.keys(routes).sort()).toEqual(["10.5.0.2:50000", "10.5.0.2:50001", "10.5.0.2:6443"]);
  });

  test("inspect shows what the engine adds", async () => {
    const running = await rig.inspect(await up());
    expect(running.State).toMatchObject({ Status: "running", Running: true });
    expect(running.HostConfig.SecurityOpt).toEqual(["seccomp=unconfined", "label=disable"]);
    expect(running.HostConfig.MemorySwap).toBe(4096 * 2 ** 20);
    expect(running.NetworkSettings.Ports).toEqual({
      "50000/tcp": [{ HostIp: "127.0.0.1", HostPort: String(rig.port) }],
    });
    expect(running.NetworkSettings.Networks["lab"]).toMatchObject({
      IPAddress: "10.5.0.2",
      MacAddress: "02:42:0a:05:00:02",
    });
  });

  test("stopped it keeps its wanted address and loses ports and addresses", async () => {
    const id = await up();
    expect((await rig.call("POST", `/containers/${id}/stop?t=5`)).status).toBe(204);
    expect((await rig.call("POST", `/containers/${id}/stop?t=5`)).status).toBe(304);
    const stopped = await rig.inspect(id);
    expect(stopped.State).toMatchObject({ Status: "exited", Running: false, ExitCode: 130 });
    expect(stopped.NetworkSettings.Ports).toEqual({});
    expect(stopped.NetworkSettings.Networks["lab"]).toMatchObject({
      IPAddress: "",
      IPAMConfig: { IPv4Address: "10.5.0.2" },
    });
    expect(await dial(rig.port)).toBeUndefined();
  });

  test("stop without grace kills", async () => {
    const id = await up();
    await rig.call("POST", `/containers/${id}/stop?t=0`);
    expect((await rig.inspect(id)).State.ExitCode).toBe(137);
  });

  test("restarted it has its volumes, address and port again", async () => {
    const id = await up();
    writeFileSync(join(rig.dir, "e/volumes/n1-var/_data/etcd"), "data");
    expect((await rig.call("POST", `/containers/${id}/restart?t=5`)).status).toBe(204);
    await eventually(() => dial(rig.port));
    expect((await rig.inspect(id)).NetworkSettings.Networks["lab"]?.IPAddress).toBe("10.5.0.2");
    expect(readFileSync(join(rig.dir, "e/volumes/n1-var/_data/etcd"), "utf8")).toBe("data");
  });

  test("a process that ends by itself comes back by the policy; a killed container does not", async () => {
    const id = await up();
    process.kill((await rig.inspect(id)).State.Pid, "SIGHUP");
    await eventually(async () => {
      const { RestartCount: restarts, State: state } = await rig.inspect(id);
      return restarts === 1 && state.Status === "running" ? true : undefined;
    });
    await rig.call("POST", `/containers/${id}/kill`);
    await eventually(async () => ((await rig.inspect(id)).State.Running ? undefined : true));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await rig.inspect(id)).State).toMatchObject({ Running: false, ExitCode: 137 });
  });

  test("exec finds no shell", async () => {
    const id = await up();
    const { Id: exec } = (
      await rig.call("POST", `/containers/${id}/exec`, { Cmd: ["sh"], AttachStdout: true })
    ).json as { Id: string };
    const { text } = await rig.call("POST", `/exec/${exec}/start`, {});
    expect(text.slice(8).trim()).toBe(
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown',
    );
    expect((await rig.call("GET", `/exec/${exec}/json`)).json).toMatchObject({
      ExitCode: 126,
      Running: false,
    });
  });

  test("logs are framed, with the last lines on request", async () => {
    const id = await up();
    const { text } = await rig.call("GET", `/containers/${id}/logs?stdout=1&stderr=1&tail=1`);
    expect(text.slice(8)).toMatch(/^started \[/);
    expect(text.charCodeAt(0)).toBe(1);
  });

  test("update changes memory and policy in place", async () => {
    const id = await up();
    await rig.call("POST", `/containers/${id}/update`, {
      Memory: 3 * 2 ** 30,
      MemorySwap: 6 * 2 ** 30,
      RestartPolicy: { Name: "no" },
    });
    expect((await rig.inspect(id)).HostConfig).toMatchObject({
      Memory: 3 * 2 ** 30,
      RestartPolicy: { Name: "no" },
    });
    expect(await rig.refusal("POST", `/containers/${id}/update`, { Memory: 9 * 2 ** 30 })).toMatch(
      /^409 .*memoryswap limit/,
    );
  });

  test("a fixed address is dropped when the container is on the network already", async () => {
    await rig.call("POST", "/networks/create", labNetwork());
    const body = nodeBody("n1", { talosPort: rig.port });
    await rig.call("POST", "/containers/create?name=n1", {
      ...body,
      HostConfig: { ...body.HostConfig, NetworkMode: "lab" },
    });
    await rig.call("POST", "/networks/lab/connect", {
      Container: "n1",
      EndpointConfig: { IPAMConfig: { IPv4Address: "10.5.0.9" } },
    });
    await rig.call("POST", "/containers/n1/start");
    expect((await rig.inspect("n1")).NetworkSettings.Networks["lab"]).toMatchObject({
      IPAddress: "10.5.0.2",
      IPAMConfig: null,
    });
  });

  test("removed with its anonymous volumes, named ones stay", async () => {
    const id = await up();
    const waiting = rig.call("POST", `/containers/${id}/wait?condition=removed`);
    expect((await rig.call("DELETE", `/containers/${id}?force=1&v=1`)).status).toBe(204);
    expect((await waiting).json).toMatchObject({ StatusCode: 137 });
    const { Volumes: volumes } = (await rig.call("GET", "/volumes")).json as { Volumes: { Name: string }[] };
    expect(volumes.map(({ Name }) => Name)).toEqual(["n1-var"]);
    expect((await rig.call("DELETE", "/networks/lab")).status).toBe(204);
  });

  test("lists filter by label, in both spellings", async () => {
    const id = await up();
    await rig.call("POST", "/containers/create?name=other", { Image: TALOS_IMAGE });
    for (const filters of ['{"label":["talos.owned=true"]}', '{"label":{"talos.owned=true":true}}']) {
      const found = (await rig.call("GET", `/containers/json?all=1&filters=${encodeURIComponent(filters)}`))
        .json as { Id: string }[];
      expect(found.map(({ Id }) => Id)).toEqual([id]);
    }
    const networks = (
      await rig.call("GET", `/networks?filters=${encodeURIComponent('{"label":["talos.owned=true"]}')}`)
    ).json as object[];
    expect(networks).toHaveLength(1);
  });
});
