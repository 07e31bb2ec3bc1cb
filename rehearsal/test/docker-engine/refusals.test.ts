import { createServer } from "node:net";

import { freePort, labNetwork, nodeBody, runNode, TALOS_IMAGE, rigForEachTest } from "./support";

const rig = rigForEachTest();

describe("refusals have dockerd's words", () => {
  const cases: [string, () => Promise<string>, RegExp][] = [
    [
      "overlapping network",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        return await rig.refusal("POST", "/networks/create", labNetwork("other", "10.5.0.128/25"));
      },
      /^403 Pool overlaps with other one on this address space$/,
    ],
    [
      "network name taken",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        return await rig.refusal("POST", "/networks/create", labNetwork("lab", "10.6.0.0/24"));
      },
      /^409 network with name lab already exists$/,
    ],
    [
      "network in use",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" });
        return await rig.refusal("DELETE", "/networks/lab");
      },
      /^403 error while removing network: network lab id [0-9a-f]{64} has active endpoints$/,
    ],
    [
      "container name taken",
      async () => {
        await rig.call("POST", "/containers/create?name=same", nodeBody("same", { talosPort: rig.port }));
        return await rig.refusal(
          "POST",
          "/containers/create?name=same",
          nodeBody("same", { talosPort: rig.port }),
        );
      },
      /^409 Conflict\. The container name "\/same" is already in use by container "[0-9a-f]{64}"\. You have to remove \(or rename\) that container to be able to reuse that name\.$/,
    ],
    [
      "image missing",
      () => rig.refusal("POST", "/containers/create", { Image: "ghcr.io/siderolabs/talos:v9.9.9" }),
      /^404 No such image: ghcr\.io\/siderolabs\/talos:v9\.9\.9$/,
    ],
    [
      "registry that is not there",
      () => rig.refusal("POST", "/images/create?fromImage=127.0.0.1:5999/none&tag=v1"),
      /^500 Get "http:\/\/127\.0\.0\.1:5999\/v2\/": dial tcp 127\.0\.0\.1:5999: connect: connection refused$/,
    ],
    ["volume missing", () => rig.refusal("GET", "/volumes/none"), /^404 get none: no such volume$/],
    [
      "volume in use",
      async () => {
        await rig.call("POST", "/containers/create?name=n1", nodeBody("n1", { talosPort: rig.port }));
        return await rig.refusal("DELETE", "/volumes/n1-var");
      },
      /^409 remove n1-var: volume is in use - \[[0-9a-f]{64}\]$/,
    ],
    [
      "port of another container",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" });
        return await runNode(rig, "n2", { talosPort: rig.port, address: "10.5.0.3" }).catch(String);
      },
      /driver failed programming external connectivity on endpoint n2 \([0-9a-f]{64}\): Bind for 127\.0\.0\.1:\d+ failed: port is already allocated/,
    ],
    [
      "port of a process outside",
      async () => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(rig.port, "127.0.0.1", resolve));
        await rig.call("POST", "/networks/create", labNetwork());
        const text = await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" }).catch(String);
        server.close();
        return text;
      },
      /Error starting userland proxy: listen tcp4 127\.0\.0\.1:\d+: bind: address already in use/,
    ],
    [
      "address taken",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" });
        return await runNode(rig, "n2", { talosPort: await freePort(), address: "10.5.0.2" }).catch(String);
      },
      /Address already in use/,
    ],
    [
      "entry point missing",
      async () => {
        await rig.call("POST", "/containers/create?name=xx", {
          Image: TALOS_IMAGE,
          Entrypoint: ["/nonexistent"],
        });
        return await rig.refusal("POST", "/containers/xx/start");
      },
      /^400 failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "\/nonexistent": stat \/nonexistent: no such file or directory: unknown$/,
    ],
    [
      "removing a running container",
      async () => {
        await rig.call("POST", "/networks/create", labNetwork());
        await runNode(rig, "n1", { talosPort: rig.port, address: "10.5.0.2" });
        return await rig.refusal("DELETE", "/containers/n1");
      },
      /^409 You cannot remove a running container/,
    ],
    [
      "more CPUs than the host has",
      () => rig.refusal("POST", "/containers/create", { Image: TALOS_IMAGE, HostConfig: { NanoCpus: 1e15 } }),
      /^400 Range of CPUs is from/,
    ],
    ["no such container", () => rig.refusal("GET", "/containers/none/json"), /^404 No such container: none$/],
  ];
  test.each(cases)("%s", async (_, act, words) => {
    expect(await act()).toMatch(words);
  });
});
