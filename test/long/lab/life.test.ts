/** The life of a lab on a real Docker engine, from the first up to the last down. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { labKeys } from "../../../rehearsal/session/real-lab";
import { succeeded } from "../../engine/support/open";
import {
  foundings,
  inspect,
  leaveMark,
  markOf,
  mended,
  startLabRig,
  verified,
  whereabouts,
  type LabRig,
} from "../../lab/support";
import { onRealEngine } from "../../../rehearsal/test/long/real-docker-engine/support";

const [CONTROL_PLANE, WORKER] = ["lab-controlplane-1", "lab-worker-1"] as const;
const OLD = "v1.13.9";
const NEW = "v1.13.10";

let rig: LabRig;

/** One lab; each test goes on where the one before ended. */
function life(): void {
  jest.setTimeout(180_000);
  beforeAll(async () => {
    rig = await startLabRig([OLD, NEW], { "talos-fleet:talosVersion": OLD });
  }, 300_000);
  afterAll(() => rig.end());

  test("up, then verify passes and a preview is empty", async () => {
    succeeded(await rig.lab.up("lab"));
    expect((await verified(rig.lab, "lab")).length).toBeGreaterThan(30);
    succeeded(await rig.lab.previewEmpty("lab"));
    expect(await foundings(rig.lab, CONTROL_PLANE)).toBe(1);
    await leaveMark(rig.lab, "lab");
  });

  test("docker exec finds no shell; talosctl cluster show sees the lab", async () => {
    const lines = await verified(rig.lab, "lab");
    const shells = lines.filter((line) => line.includes("shell (docker exec"));
    expect(shells).toHaveLength(2);
    for (const line of shells) expect(line).toContain("seen executable file not found");
    const show = await rig.lab.talosctl(["cluster", "show", "--name", "lab", "--provisioner", "docker"], {
      DOCKER_HOST: rig.engine.host,
    });
    const rows = succeeded(show)
      .stdout.split("\n")
      .map((line) =>
        line
          .split(/\s{2,}/)
          .slice(0, 3)
          .join(" "),
      );
    expect(rows).toEqual(
      expect.arrayContaining([
        "NETWORK CIDR 10.5.0.0/24",
        `${CONTROL_PLANE} controlplane 10.5.0.2`,
        `${WORKER} worker 10.5.0.3`,
      ]),
    );
  });

  test("an engine restart brings it back with the same addresses, ports and data", async () => {
    const before = await Promise.all([CONTROL_PLANE, WORKER].map((node) => whereabouts(rig.lab, node)));
    await rig.engine.restart();
    const after = await Promise.all([CONTROL_PLANE, WORKER].map((node) => whereabouts(rig.lab, node)));
    expect(after).toEqual(before);
    await eventuallyVerified("lab");
    expect(await markOf(rig.lab, "lab")).toBe("lab");
    succeeded(await rig.lab.previewEmpty("lab"));
  });

  test("a second lab runs beside it, and both verify", async () => {
    const docker = { ...(await labKeys(rig.lab.socket.host)), subnet: "10.6.0.0/24" };
    await rig.lab.addStack("second", { "talos-fleet:docker": docker });
    succeeded(await rig.lab.up("second"));
    await verified(rig.lab, "second");
    await verified(rig.lab, "lab");
    succeeded(await rig.lab.previewEmpty("second"));
    succeeded(await rig.lab.destroy("second"));
    const objects = await rig.lab.engineObjects();
    expect(objects.filter((object) => object.includes("second"))).toEqual([]);
    await verified(rig.lab, "lab");
  });

  test.each([
    ["killed", async (id: string) => rig.lab.client.call(`/containers/${id}/kill`, { method: "POST" })],
    [
      "removed by hand",
      async (id: string) =>
        rig.lab.client.call(`/containers/${id}`, { method: "DELETE", query: { force: "1", v: "1" } }),
    ],
  ])("a control plane that was %s: refresh sees it, up mends it, its data is there", async (_, harm) => {
    const { Id: id } = await inspect(rig.lab, CONTROL_PLANE);
    await harm(id);
    const { refresh, up } = await mended(rig.lab, "lab");
    expect(refresh.stdout).toMatch(new RegExp(`Container ${CONTROL_PLANE} (updated|deleted)`));
    expect(up.stdout).toContain(`Container ${CONTROL_PLANE}`);
    expect((await inspect(rig.lab, CONTROL_PLANE)).Id).not.toBe(id);
    await verified(rig.lab, "lab");
    expect(await markOf(rig.lab, "lab")).toBe("lab");
    expect(await foundings(rig.lab, CONTROL_PLANE)).toBe(0);
    succeeded(await rig.lab.previewEmpty("lab"));
  });

  test("another Talos version: one container at a time, each after the one before is back, etcd kept", async () => {
    rig.lab.setKeys("lab", { "talos-fleet:talosVersion": NEW });
    const calls: string[] = [];
    const note = (line: string) => {
      const step = CONTAINER_STEP.exec(line)?.groups ?? GATE.exec(line)?.groups;
      if (step !== undefined) calls.push(`${step["act"] ?? "back"} ${step["node"] ?? ""}`);
    };
    const up = succeeded(await rig.lab.up("lab", { onLine: note }));

    expect([...new Set(calls)]).toEqual(
      [CONTROL_PLANE, WORKER].flatMap((node) => [
        `deleting original ${node}`,
        `created replacement ${node}`,
        `back ${node}`,
      ]),
    );
    for (const node of [CONTROL_PLANE, WORKER]) {
      expect(up.stdout).toContain(
        `${node}: has a new container of Talos ${NEW} (Talos in a container has no OS upgrade: ` +
          "another version is another container; /var and /system/state stay)",
      );
    }
    const lines = await verified(rig.lab, "lab");
    expect(lines).toContain(`pass  ${WORKER} Talos version: expected ${NEW}, seen ${NEW}`);
    expect(await markOf(rig.lab, "lab")).toBe("lab");
    expect(await foundings(rig.lab, CONTROL_PLANE)).toBe(0);
    succeeded(await rig.lab.previewEmpty("lab"));
  });

  test("down leaves no container, volume, network or file, and nothing in the user's home", async () => {
    succeeded(await rig.lab.destroy("lab"));
    const down = succeeded(await rig.lab.command(["down", "--stack", "lab"]));
    expect(down.stdout).toContain("cluster lab: nothing left on the engine");
    expect(await rig.lab.engineObjects()).toEqual([]);
    expect(existsSync(join(rig.lab.session.project, ".lab"))).toBe(false);
    expect(readdirSync(rig.lab.session.env["HOME"] ?? "")).toEqual([]);
  });
}

/** `-- docker:index:Container lab-worker-1 deleting original` and the like. */
const CONTAINER_STEP = /Container (?<node>\S+) (?<act>deleting original|created replacement)/;
const GATE = /node (?<node>\S+): ok/;

/** After an engine restart nodes need a moment, and nothing waits for them. */
async function eventuallyVerified(stack: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      await verified(rig.lab, stack);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

onRealEngine("a lab on a real engine", life);
