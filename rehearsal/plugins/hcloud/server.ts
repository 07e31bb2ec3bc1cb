/** The Server resource: reading, changing in place and deleting. */
import { setTimeout as sleep } from "node:timers/promises";
import { bridgedResource } from "../framework/bridged";
import type { DeleteRequest, Props, ResourceStandIn, UpdateRequest, Value } from "../framework/types";
import { flag, list, number, records, same, text } from "../framework/values";
import type { HetznerClient } from "./client";
import { changed, putNamed, type Api } from "./common";
import { attach, createServer } from "./server-create";
import { serverSchema } from "./server-schema";
import { fetchServer, networkOf, serverState } from "./server-state";

interface Change {
  readonly api: HetznerClient;
  readonly id: string;
  readonly olds: Props;
  readonly planned: Props;
}

const act = ({ api, id }: Change, name: string, body?: object): Promise<void> =>
  api.act(`/servers/${id}/actions/${name}`, body === undefined ? {} : { body });

const isOn = (change: Change, key: string): boolean => flag(change.planned, key) === true;

async function resize(change: Change): Promise<void> {
  const server = await fetchServer(change.api, change.id);
  if (server?.status === "running") await act(change, "poweroff");
  await act(change, "change_type", {
    server_type: text(change.planned, "serverType"),
    upgrade_disk: !isOn(change, "keepDisk"),
  });
}

async function moveFirewalls(change: Change): Promise<void> {
  const [before, after] = [list(change.olds, "firewallIds"), list(change.planned, "firewallIds")];
  const target = [{ type: "server", server: { id: Number(change.id) } }];
  const missing = (from: readonly Value[], other: readonly Value[]) =>
    from.filter((id) => !other.includes(id)).map(Number);
  for (const id of missing(before, after)) {
    await change.api.act(`/firewalls/${id}/actions/remove_from_resources`, { body: { remove_from: target } });
  }
  for (const id of missing(after, before)) {
    await change.api.act(`/firewalls/${id}/actions/apply_to_resources`, { body: { apply_to: target } });
  }
}

/** A changed address means a new attachment; changed aliases alone do not. */
async function moveNetworks(change: Change): Promise<void> {
  const [before, after] = [records(change.olds, "networks"), records(change.planned, "networks")];
  const twin = (entry: Props, others: readonly Props[]) =>
    others.find((other) => networkOf(other) === networkOf(entry));
  const moves = (entry: Props, other: Props | undefined) =>
    other === undefined ||
    (text(entry, "ip") !== undefined &&
      text(other, "ip") !== undefined &&
      text(entry, "ip") !== text(other, "ip"));
  for (const entry of before.filter((old) => moves(old, twin(old, after))))
    await act(change, "detach_from_network", { network: networkOf(entry) });
  for (const entry of after) {
    const old = twin(entry, before);
    if (moves(entry, old)) await attach(change.api, change.id, entry);
    else if (old !== undefined && "aliasIps" in entry && !same(old["aliasIps"], entry["aliasIps"])) {
      await act(change, "change_alias_ips", {
        network: networkOf(entry),
        alias_ips: list(entry, "aliasIps"),
      });
    }
  }
}

const family = (nets: readonly Props[], version: "ipv4" | "ipv6") => ({
  enabled: flag(nets[0] ?? {}, `${version}Enabled`) ?? true,
  address: number(nets[0] ?? {}, version) ?? 0,
});

async function moveAddress(change: Change, version: "ipv4" | "ipv6"): Promise<void> {
  const before = family(records(change.olds, "publicNets"), version);
  const after = family(records(change.planned, "publicNets"), version);
  if (same(before, after)) return;
  const server = await fetchServer(change.api, change.id);
  const held = server?.public_net[version]?.id;
  if (held !== undefined) await change.api.act(`/primary_ips/${held}/actions/unassign`);
  if (!after.enabled) return;
  const assignee = { assignee_id: Number(change.id), assignee_type: "server" };
  if (after.address !== 0)
    await change.api.act(`/primary_ips/${after.address}/actions/assign`, { body: assignee });
  else {
    const body = {
      name: `primary_ip-${change.id}-${version}`,
      type: version,
      auto_delete: true,
      ...assignee,
    };
    await change.api.post("/primary_ips", { body });
  }
}

async function movePublicNets(change: Change): Promise<void> {
  await act(change, "poweroff");
  await moveAddress(change, "ipv4");
  await moveAddress(change, "ipv6");
  await act(change, "poweron");
}

async function regroup(change: Change): Promise<void> {
  const group = number(change.planned, "placementGroupId") ?? 0;
  if ((number(change.olds, "placementGroupId") ?? 0) !== 0) await act(change, "remove_from_placement_group");
  if (group !== 0) await act(change, "add_to_placement_group", { placement_group: group });
}

async function media(change: Change, key: "iso" | "rescue"): Promise<void> {
  const value = text(change.planned, key) ?? "";
  const on =
    key === "iso" ? (["attach_iso", { iso: value }] as const) : (["enable_rescue", { type: value }] as const);
  if (value === "") await act(change, key === "iso" ? "detach_iso" : "disable_rescue");
  else await act(change, on[0], on[1]);
  await act(change, "reset");
}

/** In the provider's order; each property costs its own calls. */
const steps: readonly (readonly [keys: readonly string[], step: (change: Change) => Promise<void>])[] = [
  [["serverType"], resize],
  [["backups"], (change) => act(change, isOn(change, "backups") ? "enable_backup" : "disable_backup")],
  [["iso"], (change) => media(change, "iso")],
  [["rescue"], (change) => media(change, "rescue")],
  [["networks"], moveNetworks],
  [["firewallIds"], moveFirewalls],
  [["publicNets"], movePublicNets],
  [["placementGroupId"], regroup],
  [
    ["deleteProtection", "rebuildProtection"],
    (change) =>
      act(change, "change_protection", {
        delete: isOn(change, "deleteProtection"),
        rebuild: isOn(change, "rebuildProtection"),
      }),
  ],
];

async function update(api: HetznerClient, planned: Props, request: UpdateRequest): Promise<{ state: Props }> {
  const { id, olds, signal } = request;
  const change = { api, id, olds, planned };
  await putNamed(api, `/servers/${id}`, { olds, planned, signal });
  for (const [keys, step] of steps) {
    if (keys.some((key) => changed(olds, planned, key))) await step(change);
  }
  const server = await fetchServer(api, id, signal);
  return { state: server === undefined ? {} : serverState(server, { ...olds, ...planned }) };
}

const shutdownSeconds = 31;

/** Asks the guest to stop and deletes it anyway when it has not within the limit. */
async function shutDown(api: HetznerClient, id: string, signal: AbortSignal): Promise<void> {
  await api.act(`/servers/${id}/actions/shutdown`, { signal });
  for (let second = 0; second < shutdownSeconds; second += 1) {
    if ((await fetchServer(api, id, signal))?.status === "off") return;
    await sleep(1000, undefined, { signal });
  }
}

async function remove(api: HetznerClient, { id, state, signal }: DeleteRequest): Promise<void> {
  if (flag(state, "shutdownBeforeDeletion") === true) await shutDown(api, id, signal);
  const { action } = await api.delete<{ action?: Parameters<HetznerClient["wait"]>[0][number] }>(
    `/servers/${id}`,
    signal,
  );
  await api.wait([action], signal);
}

export const serverResource = (api: Api): ResourceStandIn =>
  bridgedResource(serverSchema, {
    create: (planned, request) => createServer(api(), planned, request),
    read: async ({ id, state }) => {
      const server = await fetchServer(api(), id);
      return server === undefined ? undefined : { state: serverState(server, state) };
    },
    update: (planned, request) => update(api(), planned, request),
    delete: (request) => remove(api(), request),
  });
