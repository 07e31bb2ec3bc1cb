/** Firewall and PlacementGroup. */
import { bridgedResource, type Schema } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { list, record, records, text } from "../framework/values";
import type { ApiAction, ApiFirewall, ApiPlacementGroup } from "./api-types";
import type { HetznerClient } from "./client";
import {
  changed,
  filledLabels,
  labelsProperty,
  nameProperty,
  namedState,
  ofProps,
  oneOf,
  putNamed,
  type Api,
} from "./common";

const ruleFields: Schema = {
  direction: { type: "string", required: true, validate: oneOf("in", "out") },
  protocol: { type: "string", required: true, validate: oneOf("icmp", "tcp", "udp", "gre", "esp") },
  port: { type: "string" },
  sourceIps: { type: "set" },
  destinationIps: { type: "set" },
  description: { type: "string" },
};

const properties: Schema = {
  name: nameProperty,
  labels: filledLabels,
  rules: { type: "set", fields: ruleFields },
  applyTos: {
    type: "set",
    computed: "optional",
    absent: [],
    fields: {
      labelSelector: { type: "string", computed: "optional" },
      server: { type: "number", computed: "optional" },
    },
  },
};

const toRule = (rule: Props) => ({
  direction: text(rule, "direction"),
  protocol: text(rule, "protocol"),
  source_ips: list(rule, "sourceIps"),
  destination_ips: list(rule, "destinationIps"),
  ...ofProps({ port: text(rule, "port"), description: text(rule, "description") }),
});

const state = (firewall: ApiFirewall): Props => ({
  ...namedState(firewall),
  rules: firewall.rules.map((rule) => ({
    direction: rule.direction,
    protocol: rule.protocol,
    port: rule.port ?? "",
    sourceIps: rule.source_ips,
    destinationIps: rule.destination_ips,
    description: rule.description ?? "",
  })),
  applyTos: firewall.applied_to.map((target) => ({
    labelSelector: target.label_selector?.selector ?? "",
    server: target.server?.id ?? 0,
  })),
});

const toTarget = (target: Props) => {
  const selector = text(target, "labelSelector");
  return selector !== undefined && selector !== ""
    ? { type: "label_selector", label_selector: { selector } }
    : { type: "server", server: { id: target["server"] } };
};

const fetchOne = async (api: HetznerClient, id: string | number): Promise<ApiFirewall | undefined> =>
  (await api.find<{ firewall: ApiFirewall }>(`/firewalls/${id}`))?.firewall;

async function remove(api: HetznerClient, id: string, signal: AbortSignal): Promise<void> {
  const firewall = await fetchOne(api, id);
  if (firewall === undefined) return;
  const targets = firewall.applied_to.map(({ type, server, label_selector }) =>
    type === "server"
      ? { type, server: { id: server?.id } }
      : { type, label_selector: { selector: label_selector?.selector } },
  );
  if (targets.length > 0) {
    await api.act(`/firewalls/${id}/actions/remove_from_resources`, {
      body: { remove_from: targets },
      signal,
    });
  }
  await api.insist(["conflict", "resource_in_use"], 10, () => api.delete(`/firewalls/${id}`, signal));
}

export const firewallResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    { kind: "sdk", autonamed: "name", properties },
    {
      create: async (planned, { signal }) => {
        const applyTo = records(planned, "applyTos").map(toTarget);
        const rules = records(planned, "rules").map(toRule);
        const body = {
          name: text(planned, "name"),
          labels: record(planned, "labels"),
          rules,
          ...(applyTo.length > 0 ? { apply_to: applyTo } : {}),
        };
        const made = await api().post<{ firewall: ApiFirewall; actions: ApiAction[] }>("/firewalls", {
          body,
          signal,
        });
        await api().wait(made.actions, signal);
        return {
          id: String(made.firewall.id),
          state: state((await fetchOne(api(), made.firewall.id)) ?? made.firewall),
        };
      },
      read: async ({ id }) => {
        const firewall = await fetchOne(api(), id);
        return firewall === undefined ? undefined : { state: state(firewall) };
      },
      update: async (planned, { id, olds, signal }) => {
        await putNamed(api(), `/firewalls/${id}`, { olds, planned, signal });
        const rules = records(planned, "rules").map(toRule);
        // Removing every rule is not sent: the provider does not either.
        if (changed(olds, planned, "rules") && rules.length > 0) {
          await api().act(`/firewalls/${id}/actions/set_rules`, { body: { rules }, signal });
        }
        const firewall = await fetchOne(api(), id);
        return { state: firewall === undefined ? {} : state(firewall) };
      },
      delete: ({ id, signal }) => remove(api(), id, signal),
    },
  );

const groupState = (group: ApiPlacementGroup): Props => ({
  ...namedState(group),
  type: group.type,
  servers: group.servers,
});

export const placementGroupResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      autonamed: "name",
      properties: {
        name: nameProperty,
        labels: labelsProperty,
        type: { type: "string", required: true, validate: oneOf("spread") },
        servers: { type: "set", element: "number", computed: "output" },
      },
    },
    {
      create: async (planned, { signal }) => {
        const body = {
          name: text(planned, "name"),
          type: text(planned, "type"),
          labels: record(planned, "labels"),
        };
        const made = await api().post<{ placement_group: ApiPlacementGroup; action: ApiAction | null }>(
          "/placement_groups",
          { body, signal },
        );
        await api().wait([made.action], signal);
        return { id: String(made.placement_group.id), state: groupState(made.placement_group) };
      },
      read: async ({ id }) => {
        const found = await api().find<{ placement_group: ApiPlacementGroup }>(`/placement_groups/${id}`);
        return found === undefined ? undefined : { state: groupState(found.placement_group) };
      },
      update: async (planned, { id, olds, signal }) => {
        await putNamed(api(), `/placement_groups/${id}`, { olds, planned, signal });
        return { state: {} };
      },
      delete: async ({ id, signal }) =>
        api().insist(["conflict", "resource_in_use"], 5, () =>
          api().delete(`/placement_groups/${id}`, signal),
        ),
    },
  );
