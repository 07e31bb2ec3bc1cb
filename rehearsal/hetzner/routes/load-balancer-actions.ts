import { z } from "zod";
import {
  algorithmBody,
  service,
  serviceBody,
  serviceUpdateBody,
  target,
  targetBody,
  updatedService,
} from "../core/balancer-bodies";
import { backends, requireTarget, sameTarget } from "../core/balancing";
import { type Call, created, type Handler, read, reference, type Route } from "../core/call";
import { loadBalancerTypes } from "../core/catalogue";
import { limitExceeded, refused } from "../core/errors";
import type { LoadBalancer } from "../core/model";
import { chooseAddress } from "../core/private-nets";
import { requireUnlocked } from "../core/world";
import { balancerType } from "./load-balancers";

/** Checks the request now and gives what happens when the action ends. */
type Change = (call: Call, balancer: LoadBalancer) => () => void;

function action(command: string, change: Change, options: { queued?: boolean } = {}): Handler {
  return (call) => {
    const balancer = call.world.loadBalancers.get(call.id);
    if (options.queued !== true) requireUnlocked(balancer, "load balancer");
    const finish = change(call, balancer);
    const resources = [{ id: balancer.id, type: "load_balancer" }];
    return created({ action: call.world.actions.start({ command, resources, locks: [balancer], finish }) });
  };
}

const limitsOf = (balancer: LoadBalancer) => loadBalancerTypes.find(({ id }) => id === balancer.type);

const attachBody = z.object({
  network: z.number().int(),
  ip: z.string().nullish(),
  ip_range: z.string().nullish(),
});

const attach: Change = (call, balancer) => {
  const body = read(call, attachBody);
  const network = call.world.networks.get(body.network);
  if (balancer.privateNets.length > 0) {
    throw refused("load_balancer_already_attached", "load balancer is already attached to a network");
  }
  const asked = { network, location: balancer.location, ip: body.ip, ip_range: body.ip_range };
  const ip = chooseAddress(call.world, asked);
  balancer.privateNets.push({ network: network.id, ip });
  return () => undefined;
};

const detach: Change = (call, balancer) => {
  const { network } = read(call, z.object({ network: z.number().int() }));
  if (!balancer.privateNets.some((net) => net.network === network)) {
    throw refused("load_balancer_not_attached_to_network", "load balancer is not attached to the network");
  }
  return () => {
    balancer.privateNets = balancer.privateNets.filter((net) => net.network !== network);
  };
};

const addTarget: Change = (call, balancer) => {
  const wanted = target(read(call, targetBody));
  requireTarget(call.world, balancer, wanted);
  const after = { ...balancer, targets: [...balancer.targets, wanted] };
  if (backends(call.world, after).length > (limitsOf(balancer)?.maxTargets ?? 25))
    throw limitExceeded("target");
  return () => void balancer.targets.push(wanted);
};

const removeTarget: Change = (call, balancer) => {
  const wanted = target(read(call, targetBody));
  const found = balancer.targets.find((other) => sameTarget(other, wanted));
  if (found === undefined) throw refused("invalid_input", "cloud target was not found");
  return () => {
    balancer.targets = balancer.targets.filter((other) => other !== found);
  };
};

const addService: Change = (call, balancer) => {
  const wanted = service(read(call, serviceBody));
  if (balancer.services.some(({ listen_port }) => listen_port === wanted.listen_port)) {
    throw refused("source_port_already_used", "source port is already used");
  }
  if (balancer.services.length >= (limitsOf(balancer)?.maxServices ?? 5)) throw limitExceeded("service");
  balancer.services.push(wanted);
  return () => undefined;
};

const updateService: Change = (call, balancer) => {
  const body = read(call, serviceUpdateBody);
  const index = balancer.services.findIndex(({ listen_port }) => listen_port === body.listen_port);
  const old = balancer.services[index];
  if (old === undefined) throw refused("invalid_input", "service not found");
  return () => {
    balancer.services[index] = updatedService(old, body);
  };
};

const deleteService: Change = (call, balancer) => {
  const { listen_port } = read(call, z.object({ listen_port: z.number().int() }));
  if (!balancer.services.some((entry) => entry.listen_port === listen_port)) {
    throw refused("invalid_input", "service not found");
  }
  return () => {
    balancer.services = balancer.services.filter((entry) => entry.listen_port !== listen_port);
  };
};

const changeType: Change = (call, balancer) => {
  const type = balancerType(read(call, z.object({ load_balancer_type: reference })).load_balancer_type);
  if (balancer.services.length > type.maxServices || balancer.targets.length > type.maxTargets) {
    throw refused("invalid_load_balancer_type", "load balancer type does not fit");
  }
  return () => {
    balancer.type = type.id;
  };
};

const changeAlgorithm: Change = (call, balancer) => {
  const { type } = read(call, algorithmBody);
  return () => {
    balancer.algorithm = type;
  };
};

const publicInterface =
  (enabled: boolean): Change =>
  (_call, balancer) => {
    if (!enabled && balancer.targets.some((other) => !other.use_private_ip)) {
      throw refused("targets_without_use_private_ip", "targets use the public interface");
    }
    return () => {
      balancer.publicEnabled = enabled;
    };
  };

const changeProtection: Change = (call, balancer) => {
  const body = read(call, z.object({ delete: z.boolean() }));
  return () => {
    balancer.protection.delete = body.delete;
  };
};

// Clients retry a locked load balancer when they attach and add targets, not when they add services: those queue.
const queued = { queued: true };

export const loadBalancerActionRoutes: readonly Route[] = [
  ["POST /load_balancers/:id/actions/attach_to_network", action("attach_to_network", attach)],
  ["POST /load_balancers/:id/actions/detach_from_network", action("detach_from_network", detach)],
  ["POST /load_balancers/:id/actions/add_target", action("add_target", addTarget)],
  ["POST /load_balancers/:id/actions/remove_target", action("remove_target", removeTarget)],
  ["POST /load_balancers/:id/actions/add_service", action("add_service", addService, queued)],
  ["POST /load_balancers/:id/actions/update_service", action("update_service", updateService, queued)],
  ["POST /load_balancers/:id/actions/delete_service", action("delete_service", deleteService, queued)],
  ["POST /load_balancers/:id/actions/change_type", action("change_load_balancer_type", changeType)],
  ["POST /load_balancers/:id/actions/change_algorithm", action("change_algorithm", changeAlgorithm, queued)],
  [
    "POST /load_balancers/:id/actions/enable_public_interface",
    action("enable_public_interface", publicInterface(true), queued),
  ],
  [
    "POST /load_balancers/:id/actions/disable_public_interface",
    action("disable_public_interface", publicInterface(false), queued),
  ],
  [
    "POST /load_balancers/:id/actions/change_protection",
    action("change_protection", changeProtection, queued),
  ],
];
