/** Making a server, call by call as the provider does. */
import { PartialFailure, messageOf } from "../framework/errors";
import type { CreateRequest, Props } from "../framework/types";
import { flag, list, number, record, records, text, texts } from "../framework/values";
import type { ApiAction, ApiImage, ApiServer, ApiSshKey } from "./api-types";
import { isCode, type HetznerClient } from "./client";
import { ofProps, parseSubnetId } from "./common";
import { fetchServer, networkOf, serverState } from "./server-state";

interface ServerType {
  readonly name: string;
  readonly architecture: string;
}

async function serverType(api: HetznerClient, name: string): Promise<ServerType> {
  const { server_types: types } = await api.get<{ server_types: ServerType[] }>("/server_types", {
    query: [["name", name]],
  });
  const [type] = types;
  if (type === undefined) throw new Error(`server type ${name} not found`);
  return type;
}

const isId = (value: string): boolean => /^\d+$/.test(value);

async function imageId(api: HetznerClient, image: string, architecture: string): Promise<number> {
  if (isId(image)) {
    const byId = await api.find<{ image: ApiImage }>(`/images/${image}`);
    if (byId !== undefined) return byId.image.id;
  }
  const query = [
    ["name", image],
    ["architecture", architecture],
    ["include_deprecated", "true"],
  ] as const;
  const { images } = await api.get<{ images: ApiImage[] }>("/images", { query });
  if (images[0] === undefined) throw new Error(`image ${image} for architecture ${architecture} not found`);
  return images[0].id;
}

async function sshKeyId(api: HetznerClient, key: string): Promise<number> {
  const byId = isId(key) ? await api.find<{ ssh_key: ApiSshKey }>(`/ssh_keys/${key}`) : undefined;
  if (byId !== undefined) return byId.ssh_key.id;
  const { ssh_keys: keys } = await api.get<{ ssh_keys: ApiSshKey[] }>("/ssh_keys", {
    query: [["name", key]],
  });
  if (keys[0] === undefined) throw new Error(`SSH key ${key} not found`);
  return keys[0].id;
}

function publicNet(planned: Props): object {
  const [entry] = records(planned, "publicNets");
  if (entry === undefined) return {};
  const named = (key: string) => ((number(entry, key) ?? 0) === 0 ? {} : { [key]: number(entry, key) });
  const enabled = {
    enable_ipv4: flag(entry, "ipv4Enabled") ?? true,
    enable_ipv6: flag(entry, "ipv6Enabled") ?? true,
  };
  return { public_net: { ...enabled, ...named("ipv4"), ...named("ipv6") } };
}

/** Only a server that has nothing but private networks waits for them before it boots. */
function startsLater(planned: Props): boolean {
  const [entry] = records(planned, "publicNets");
  const isPrivate =
    entry !== undefined && flag(entry, "ipv4Enabled") === false && flag(entry, "ipv6Enabled") === false;
  return isPrivate && records(planned, "networks").length > 0;
}

async function createBody(api: HetznerClient, planned: Props, inputs: Props): Promise<object> {
  const type = await serverType(api, text(planned, "serverType") ?? "");
  const image = await imageId(api, text(planned, "image") ?? "", type.architecture);
  const keys = await Promise.all(texts(planned, "sshKeys").map((key) => sshKeyId(api, key)));
  const group = number(planned, "placementGroupId") ?? 0;
  if (group !== 0) await api.get(`/placement_groups/${group}`);
  return {
    name: text(planned, "name"),
    server_type: type.name,
    image,
    labels: record(planned, "labels"),
    start_after_create: !startsLater(planned),
    firewalls: list(planned, "firewallIds").map((firewall) => ({ firewall })),
    ...publicNet(planned),
    ...(keys.length > 0 ? { ssh_keys: keys } : {}),
    ...(group === 0 ? {} : { placement_group: group }),
    ...ofProps({ location: text(planned, "location"), user_data: text(inputs, "userData") }),
  };
}

/** Attaches one network; the API's passing refusals are retried, an attachment that exists already is fine. */
export async function attach(api: HetznerClient, server: string | number, entry: Props): Promise<void> {
  const ip = text(entry, "ip") ?? "";
  const subnet = text(entry, "subnetId") ?? "";
  const body = {
    network: networkOf(entry),
    alias_ips: list(entry, "aliasIps"),
    ...(ip === "" ? {} : { ip }),
    ...(ip === "" && subnet !== "" ? { ip_range: parseSubnetId(subnet).ipRange } : {}),
  };
  const passing = ["conflict", "locked", "service_error", "no_subnet_available"];
  try {
    await api.insist(passing, 5, () => api.act(`/servers/${server}/actions/attach_to_network`, { body }));
  } catch (error) {
    if (!isCode(error, "server_already_attached")) throw error;
  }
}

async function afterCreate(api: HetznerClient, id: number, planned: Props): Promise<void> {
  const act = (name: string, body?: object) =>
    api.act(`/servers/${id}/actions/${name}`, body === undefined ? {} : { body });
  for (const entry of records(planned, "networks")) await attach(api, id, entry);
  if (startsLater(planned)) await act("poweron");
  if (flag(planned, "backups") === true) await act("enable_backup");
  if ((text(planned, "iso") ?? "") !== "") {
    await act("attach_iso", { iso: text(planned, "iso") });
    await act("reset");
  }
  if ((text(planned, "rescue") ?? "") !== "") {
    await act("enable_rescue", { type: text(planned, "rescue") });
    await act("reset");
  }
  const [remove, rebuild] = [
    flag(planned, "deleteProtection") ?? false,
    flag(planned, "rebuildProtection") ?? false,
  ];
  if (remove || rebuild) await act("change_protection", { delete: remove, rebuild });
}

/** A failure after the server exists leaves it in the state. */
export async function createServer(
  api: HetznerClient,
  planned: Props,
  request: CreateRequest,
): Promise<{ id: string; state: Props }> {
  const body = await createBody(api, planned, request.inputs);
  const made = await api.post<{ server: ApiServer; action: ApiAction; next_actions: ApiAction[] }>(
    "/servers",
    {
      body,
      signal: request.signal,
    },
  );
  const { id } = made.server;
  try {
    await api.wait([made.action, ...made.next_actions], request.signal);
    await afterCreate(api, id, planned);
    return { id: String(id), state: serverState((await fetchServer(api, id)) ?? made.server, planned) };
  } catch (error) {
    throw new PartialFailure(messageOf(error), { id: String(id), state: serverState(made.server, planned) });
  }
}
