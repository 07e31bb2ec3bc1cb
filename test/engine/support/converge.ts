import type { Session } from "../../../rehearsal/session";
import { succeeded } from "./open";
import { foundings, inState, undisturbed } from "./state";
import { changesOf, stepsOf } from "./steps";

const sorted = (names: readonly string[]): string[] => [...names].sort();

/** Names of the machines that exist, whether or not the state knows them. */
export const machines = ({ world: { engine, hetzner } }: Session): string[] =>
  sorted(
    hetzner === undefined
      ? [...(engine?.world.containers.values() ?? [])].map(({ name }) => name)
      : hetzner.inventory().servers,
  );

/** Names of the machines that the state knows. */
export const machinesInState = async (session: Session): Promise<string[]> =>
  sorted(
    (await inState(session))
      .filter((title) => /^(hcloud:index\/server:Server|docker:index\/container:Container) /.test(title))
      .map((title) => title.split(" ")[1] ?? ""),
  );

/** The end that every cure must lead to: the inventory of an undisturbed run, each thing once, etcd founded once. */
export async function expectConverged(session: Session): Promise<void> {
  succeeded(await session.up());
  expect(await inState(session)).toEqual(undisturbed(session.stack));
  expect(machines(session)).toEqual(await machinesInState(session));
  expect(foundings(session, machines(session))).toBe(1);
  const { engine, hetzner } = session.world;
  if (engine !== undefined) {
    expect(engine.world.volumes.size).toBe(12);
    expect([...engine.world.networks.values()].filter(({ name }) => name === "lab")).toHaveLength(1);
  }
  if (hetzner !== undefined) {
    const { networks, firewalls, loadBalancers, primaryIps, placementGroups } = hetzner.inventory();
    expect([networks, firewalls, loadBalancers]).toEqual([["hetzner"], ["hetzner"], ["hetzner-api"]]);
    expect(placementGroups).toHaveLength(3);
    // The others came with the servers.
    expect(primaryIps.filter((name) => name.startsWith("hetzner-controlplane-"))).toHaveLength(3);
  }
  expect(changesOf(stepsOf(await session.preview({ json: true })))).toEqual([]);
}
