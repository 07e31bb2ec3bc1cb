import { z } from "zod";
import { type Call, created, labels, name, ok, read, type Reply, type Route } from "../core/call";
import { balancerCreateBody, service, target } from "../core/balancer-bodies";
import { loadBalancerView } from "../core/balancer-view";
import { requireTarget } from "../core/balancing";
import { loadBalancerTypes, type LoadBalancerType, locations } from "../core/catalogue";
import { invalid, limitExceeded } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { LoadBalancer } from "../core/model";
import { chooseAddress } from "../core/private-nets";
import { requireUnlocked, type World } from "../core/world";

type Create = z.infer<typeof balancerCreateBody>;

export function balancerType(reference: number | string): LoadBalancerType {
  const found = loadBalancerTypes.find(
    (type) => type.name === reference || String(type.id) === String(reference),
  );
  if (found === undefined) throw invalid("load_balancer_type", `load balancer type ${reference} not found`);
  return found;
}

function place(world: World, body: Create): string {
  if (body.location != null) return world.location(body.location).name;
  const found = locations.find(({ network_zone }) => network_zone === body.network_zone);
  if (found === undefined) throw invalid("location", "location or network_zone is required.");
  return found.name;
}

function newBalancer(world: World, body: Create): LoadBalancer {
  const type = balancerType(body.load_balancer_type).id;
  const location = place(world, body);
  const fresh = world.fresh(body.name, body.labels);
  return {
    ...fresh,
    lockedBy: null,
    location,
    type,
    algorithm: body.algorithm?.type ?? "round_robin",
    publicEnabled: body.public_interface ?? true,
    ipv4: world.publicIpv4(),
    ipv6: `${world.publicIpv6Prefix()}::1`,
    privateNets: [],
    services: (body.services ?? []).map(service),
    targets: [],
  };
}

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, balancerCreateBody);
  world.loadBalancers.requireFree(body.name);
  if (world.loadBalancers.all().length >= world.limits.loadBalancers) throw limitExceeded("load balancer");
  const balancer = newBalancer(world, body);
  if (body.network != null) {
    const network = world.networks.get(body.network);
    balancer.privateNets.push({
      network: network.id,
      ip: chooseAddress(world, { network, location: balancer.location }),
    });
  }
  for (const wanted of (body.targets ?? []).map(target)) {
    requireTarget(world, balancer, wanted);
    balancer.targets.push(wanted);
  }
  world.loadBalancers.add(balancer);
  const resources = [{ id: balancer.id, type: "load_balancer" }];
  const action = world.actions.start({ command: "create_load_balancer", resources, locks: [balancer] });
  return created({ load_balancer: loadBalancerView(world, balancer), action });
}

const updateBody = z.object({ name: name.nullish(), labels });

function update(call: Call): Reply {
  const balancer = call.world.loadBalancers.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.loadBalancers.requireFree(body.name, balancer.id);
  checkLabels(body.labels ?? {});
  balancer.name = body.name ?? balancer.name;
  balancer.labels = body.labels ?? balancer.labels;
  return ok({ load_balancer: loadBalancerView(call.world, balancer) });
}

/** Answers with an action since October 2026; until then it was 204. */
function remove({ world, id }: Call): Reply {
  const balancer = world.loadBalancers.unprotected(id);
  requireUnlocked(balancer, "load balancer");
  const action = world.actions.start({
    command: "delete_load_balancer",
    resources: [{ id, type: "load_balancer" }],
    locks: [balancer],
    finish: () => {
      world.loadBalancers.remove(id);
      world.pool.free(balancer.ipv4);
    },
  });
  return created({ action });
}

export const loadBalancerRoutes: readonly Route[] = [
  [
    "GET /load_balancers",
    ({ world, query }) => {
      const balancers = world.loadBalancers.all().map((balancer) => loadBalancerView(world, balancer));
      return ok(page("load_balancers", balancers, query));
    },
  ],
  [
    "GET /load_balancers/:id",
    ({ world, id }) => ok({ load_balancer: loadBalancerView(world, world.loadBalancers.get(id)) }),
  ],
  ["POST /load_balancers", create],
  ["PUT /load_balancers/:id", update],
  ["DELETE /load_balancers/:id", remove],
];
