/** PrimaryIp and SshKey, which the framework half serves, and Snapshot. */
import { bridgedResource } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { flag, number, record, text } from "../framework/values";
import type { ApiAction, ApiImage, ApiPrimaryIp, ApiServer, ApiSshKey } from "./api-types";
import type { HetznerClient } from "./client";
import {
  changed,
  labelsProperty,
  nameProperty,
  namedState,
  ofProps,
  oneOf,
  protectionProperty,
  putNamed,
  type Api,
} from "./common";
import { ifThere } from "./network";

/** The address that a server uses of its /64. */
export const firstOf = (network: string): string => `${network.replace(/\/\d+$/, "").replace(/::$/, "")}::1`;

const addressState = (address: ApiPrimaryIp): Props => ({
  ...namedState(address),
  type: address.type,
  location: address.location.name,
  autoDelete: address.auto_delete,
  deleteProtection: address.protection.delete,
  assigneeId: address.assignee_id ?? 0,
  assigneeType: address.assignee_type,
  ipAddress: address.type === "ipv6" ? firstOf(address.ip) : address.ip,
  ipNetwork: address.type === "ipv6" ? address.ip : null,
});

const fetchAddress = async (api: HetznerClient, id: string | number): Promise<ApiPrimaryIp | undefined> =>
  (await api.find<{ primary_ip: ApiPrimaryIp }>(`/primary_ips/${id}`))?.primary_ip;

/** An assigned address leaves its server only while that is off. */
async function release(api: HetznerClient, address: ApiPrimaryIp, signal: AbortSignal): Promise<void> {
  const server = await api.find<{ server: ApiServer }>(`/servers/${address.assignee_id ?? 0}`, signal);
  const running = server?.server.status === "running";
  const power = (name: string) => api.act(`/servers/${address.assignee_id ?? 0}/actions/${name}`, { signal });
  if (running) await power("poweroff");
  await api.act(`/primary_ips/${address.id}/actions/unassign`, { signal });
  if (running) await power("poweron");
}

async function removeAddress(api: HetznerClient, id: string, signal: AbortSignal): Promise<void> {
  const address = await fetchAddress(api, id);
  if (address === undefined) return;
  if (address.assignee_id !== null) await release(api, address, signal);
  await ifThere(() => api.delete(`/primary_ips/${id}`, signal));
}

const assignee = (planned: Props): Props => {
  const id = number(planned, "assigneeId");
  return id === undefined || id === 0
    ? { assignee_type: "unassigned" }
    : { assignee_id: id, assignee_type: text(planned, "assigneeType") ?? "server" };
};

export const primaryIpResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "framework",
      autonamed: "name",
      properties: {
        name: nameProperty,
        type: { type: "string", required: true, forceNew: true, validate: oneOf("ipv4", "ipv6") },
        location: { type: "string", computed: "optional", forceNew: true },
        datacenter: { type: "string", computed: "optional", forceNew: true },
        assigneeId: { type: "number", computed: "optional" },
        assigneeType: { type: "string", computed: "optional" },
        autoDelete: { type: "bool", default: false },
        deleteProtection: protectionProperty,
        labels: { ...labelsProperty, default: {} },
        ipAddress: { type: "string", computed: "output" },
        ipNetwork: { type: "string", computed: "output" },
      },
    },
    {
      create: async (planned, { signal }) => {
        const given = {
          name: text(planned, "name"),
          type: text(planned, "type"),
          auto_delete: flag(planned, "autoDelete") ?? false,
        };
        const body = {
          ...given,
          labels: record(planned, "labels"),
          ...assignee(planned),
          ...ofProps({ location: text(planned, "location") }),
        };
        const made = await api().post<{ primary_ip: ApiPrimaryIp; action: ApiAction | null }>(
          "/primary_ips",
          { body, signal },
        );
        await api().wait([made.action], signal);
        const { id } = made.primary_ip;
        if (flag(planned, "deleteProtection") === true) await protect(api(), id, true);
        return { id: String(id), state: addressState((await fetchAddress(api(), id)) ?? made.primary_ip) };
      },
      read: async ({ id }) => {
        const address = await fetchAddress(api(), id);
        return address === undefined ? undefined : { state: addressState(address) };
      },
      update: async (planned, { id, olds, signal }) => {
        if (changed(olds, planned, "deleteProtection"))
          await protect(api(), id, flag(planned, "deleteProtection") === true);
        const body = {
          name: text(planned, "name"),
          auto_delete: flag(planned, "autoDelete"),
          labels: record(planned, "labels"),
        };
        await api().put(`/primary_ips/${id}`, { body, signal });
        const address = await fetchAddress(api(), id);
        return { state: address === undefined ? {} : addressState(address) };
      },
      delete: ({ id, signal }) => removeAddress(api(), id, signal),
    },
  );

const protect = (api: HetznerClient, id: string | number, on: boolean): Promise<void> =>
  api.act(`/primary_ips/${id}/actions/change_protection`, { body: { delete: on } });

const keyState = (key: ApiSshKey): Props => ({
  name: key.name,
  labels: key.labels,
  publicKey: key.public_key,
  fingerprint: key.fingerprint,
});

export const sshKeyResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "framework",
      autonamed: "name",
      properties: {
        name: nameProperty,
        publicKey: { type: "string", required: true, forceNew: true },
        labels: { ...labelsProperty, default: {} },
        fingerprint: { type: "string", computed: "output" },
      },
    },
    {
      create: async (planned, { signal }) => {
        const body = {
          name: text(planned, "name"),
          public_key: text(planned, "publicKey"),
          labels: record(planned, "labels"),
        };
        const { ssh_key: key } = await api().post<{ ssh_key: ApiSshKey }>("/ssh_keys", { body, signal });
        return { id: String(key.id), state: keyState(key) };
      },
      read: async ({ id }) => {
        const found = await api().find<{ ssh_key: ApiSshKey }>(`/ssh_keys/${id}`);
        return found === undefined ? undefined : { state: keyState(found.ssh_key) };
      },
      update: async (planned, { id, olds, signal }) => {
        await putNamed(api(), `/ssh_keys/${id}`, { olds, planned, signal });
        return { state: {} };
      },
      delete: ({ id, signal }) => ifThere(() => api().delete(`/ssh_keys/${id}`, signal)),
    },
  );

const snapshotState = (image: ApiImage): Props => ({
  description: image.description,
  labels: image.labels,
  serverId: image.created_from?.id ?? 0,
});

export const snapshotResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      properties: {
        serverId: { type: "number", required: true, forceNew: true },
        description: { type: "string", computed: "optional" },
        labels: labelsProperty,
      },
    },
    {
      create: async (planned, { signal }) => {
        const given = { type: "snapshot", labels: record(planned, "labels") };
        const body = { ...given, ...ofProps({ description: text(planned, "description") }) };
        const path = `/servers/${number(planned, "serverId") ?? 0}/actions/create_image`;
        const made = await api().post<{ image: ApiImage; action: ApiAction }>(path, { body, signal });
        await api().wait([made.action], signal);
        return { id: String(made.image.id), state: snapshotState(made.image) };
      },
      read: async ({ id }) => {
        const found = await api().find<{ image: ApiImage }>(`/images/${id}`);
        return found?.image.type === "snapshot" ? { state: snapshotState(found.image) } : undefined;
      },
      update: async (planned, { id, olds, signal }) => {
        if (changed(olds, planned, "description")) {
          await api().put(`/images/${id}`, { body: { description: text(planned, "description") }, signal });
        }
        if (changed(olds, planned, "labels"))
          await api().put(`/images/${id}`, { body: { labels: record(planned, "labels") }, signal });
        return { state: {} };
      },
      delete: ({ id, signal }) => ifThere(() => api().delete(`/images/${id}`, signal)),
    },
  );
