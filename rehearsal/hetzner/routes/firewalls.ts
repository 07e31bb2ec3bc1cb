import { z } from "zod";
import type { Action } from "../core/actions";
import { isCidr } from "../core/addresses";
import { type Call, created, labels, name, noContent, ok, read, type Reply, type Route } from "../core/call";
import { limitExceeded, refused } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { Firewall, FirewallRule, Server } from "../core/model";
import { firewallView } from "../core/views";
import type { World } from "../core/world";

const cidrs = z
  .array(z.string().refine(isCidr, "must be a CIDR without host bits."))
  .max(100, "at most 100.");

const ruleBody = z
  .object({
    direction: z.enum(["in", "out"]),
    protocol: z.enum(["tcp", "udp", "icmp", "esp", "gre"]),
    port: z.string().nullish(),
    source_ips: cidrs.nullish(),
    destination_ips: cidrs.nullish(),
    description: z.string().max(255, "at most 255 characters.").nullish(),
  })
  .refine((rule) => ["tcp", "udp"].includes(rule.protocol) === (rule.port != null), {
    path: ["port"],
    error: "port is required for tcp and udp, and only for them.",
  })
  .refine((rule) => ((rule.direction === "in" ? rule.source_ips : rule.destination_ips) ?? []).length > 0, {
    path: ["source_ips"],
    error: "addresses are required for the direction.",
  })
  .refine((rule) => rule.port == null || isPort(rule.port), {
    path: ["port"],
    error: "must be a port or a range.",
  });

const rulesBody = z.array(ruleBody).max(50, "at most 50 rules.");

function isPort(text: string): boolean {
  if (text === "any") return true;
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text);
  const [from, to] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  return match !== null && from >= 1 && to <= 65535 && from <= to;
}

const targetBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("server"), server: z.object({ id: z.number().int() }) }),
  z.object({ type: z.literal("label_selector"), label_selector: z.object({ selector: z.string().min(1) }) }),
]);
type ResourceTarget = z.infer<typeof targetBody>;

const createBody = z.object({
  name,
  labels,
  rules: rulesBody.nullish(),
  apply_to: z.array(targetBody).nullish(),
});

/** The stored order and texts are what comes back. */
const storedRules = (rules: readonly z.infer<typeof ruleBody>[]): FirewallRule[] =>
  rules.map((rule) => ({
    direction: rule.direction,
    protocol: rule.protocol,
    port: rule.port ?? null,
    source_ips: rule.source_ips ?? [],
    destination_ips: rule.destination_ips ?? [],
    description: rule.description ?? null,
  }));

const applied = (server: Server, firewall: Firewall): boolean =>
  server.firewalls.some(({ id }) => id === firewall.id);

function start(world: World, firewall: Firewall, command: string): Action {
  const members = world.servers.all().filter((server) => applied(server, firewall));
  return world.actions.start({
    command,
    resources: [{ id: firewall.id, type: "firewall" }, ...members.map(({ id }) => ({ id, type: "server" }))],
    finish: () => {
      for (const server of members) {
        for (const entry of server.firewalls) if (entry.id === firewall.id) entry.status = "applied";
      }
    },
  });
}

function applyTo(world: World, firewall: Firewall, target: ResourceTarget): void {
  if (target.type === "label_selector") {
    if (firewall.selectors.includes(target.label_selector.selector)) {
      throw refused("firewall_already_applied", "firewall is already applied");
    }
    firewall.selectors.push(target.label_selector.selector);
    return;
  }
  const server = world.servers.get(target.server.id);
  if (applied(server, firewall)) throw refused("firewall_already_applied", "firewall is already applied");
  if (server.ipv4 === null && server.ipv6 === null) {
    throw refused("private_net_only_server", "server has only private networks");
  }
  if (server.firewalls.length >= 5) throw limitExceeded("firewall");
  server.firewalls.push({ id: firewall.id, status: "pending" });
}

function removeFrom(world: World, firewall: Firewall, target: ResourceTarget): void {
  if (target.type === "label_selector") {
    const { selector } = target.label_selector;
    if (!firewall.selectors.includes(selector))
      throw refused("firewall_already_removed", "firewall is not applied");
    firewall.selectors = firewall.selectors.filter((entry) => entry !== selector);
    return;
  }
  const server = world.servers.get(target.server.id);
  if (!applied(server, firewall)) throw refused("firewall_already_removed", "firewall is not applied");
  server.firewalls = server.firewalls.filter(({ id }) => id !== firewall.id);
}

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, createBody);
  world.firewalls.requireFree(body.name);
  if (world.firewalls.all().length >= world.limits.firewalls) throw limitExceeded("firewall");
  const firewall: Firewall = {
    ...world.fresh(body.name, body.labels),
    rules: storedRules(body.rules ?? []),
    selectors: [],
  };
  for (const target of body.apply_to ?? []) applyTo(world, firewall, target);
  world.firewalls.add(firewall);
  const actions = (body.apply_to ?? []).length > 0 ? [start(world, firewall, "apply_firewall")] : [];
  return created({ firewall: firewallView(world, firewall), actions });
}

const updateBody = z.object({ name: name.nullish(), labels });

function update(call: Call): Reply {
  const firewall = call.world.firewalls.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.firewalls.requireFree(body.name, firewall.id);
  checkLabels(body.labels ?? {});
  firewall.name = body.name ?? firewall.name;
  firewall.labels = body.labels ?? firewall.labels;
  return ok({ firewall: firewallView(call.world, firewall) });
}

function remove({ world, id }: Call): Reply {
  const firewall = world.firewalls.get(id);
  const inUse =
    firewall.selectors.length > 0 || world.servers.all().some((server) => applied(server, firewall));
  if (inUse) throw refused("resource_in_use", `firewall with ID '${id}' is still in use`);
  world.firewalls.remove(id);
  return noContent;
}

function setRules(call: Call): Reply {
  const firewall = call.world.firewalls.get(call.id);
  const { rules } = read(call, z.object({ rules: rulesBody }));
  firewall.rules = storedRules(rules);
  return created({ actions: [start(call.world, firewall, "set_firewall_rules")] });
}

const applyBody = z.object({ apply_to: z.array(targetBody) });
const removeBody = z.object({ remove_from: z.array(targetBody) });

const changeTargets =
  (command: string, targetsOf: (call: Call) => readonly ResourceTarget[], change: typeof applyTo) =>
  (call: Call): Reply => {
    const { world } = call;
    const firewall = world.firewalls.get(call.id);
    const targets = targetsOf(call);
    if (targets.length === 0) return created({ actions: [] });
    for (const target of targets) {
      if (target.type === "server") world.servers.get(target.server.id);
      change(world, firewall, target);
    }
    return created({ actions: [start(world, firewall, command)] });
  };

export const firewallRoutes: readonly Route[] = [
  [
    "GET /firewalls",
    ({ world, query }) => {
      const firewalls = world.firewalls.all().map((firewall) => firewallView(world, firewall));
      return ok(page("firewalls", firewalls, query));
    },
  ],
  ["GET /firewalls/:id", ({ world, id }) => ok({ firewall: firewallView(world, world.firewalls.get(id)) })],
  ["POST /firewalls", create],
  ["PUT /firewalls/:id", update],
  ["DELETE /firewalls/:id", remove],
  ["POST /firewalls/:id/actions/set_rules", setRules],
  [
    "POST /firewalls/:id/actions/apply_to_resources",
    changeTargets("apply_firewall", (call) => read(call, applyBody).apply_to, applyTo),
  ],
  [
    "POST /firewalls/:id/actions/remove_from_resources",
    changeTargets("remove_firewall", (call) => read(call, removeBody).remove_from, removeFrom),
  ],
];
