import { type Backend, resolve } from "./balancing";
import { loadBalancerTypes } from "./catalogue";
import type { LoadBalancer, Target } from "./model";
import { loadBalancerTypeView } from "./views";
import type { World } from "./world";

const healthOf = (world: World, balancer: LoadBalancer, backend: Backend) =>
  balancer.services.map(({ listen_port }) => ({
    listen_port,
    status: world.health(balancer.id, listen_port, backend.key),
  }));

const named = (target: Target) => {
  switch (target.type) {
    case "server":
      return { server: { id: target.server } };
    case "label_selector":
      return { label_selector: { selector: target.selector } };
    case "ip":
      return { ip: { ip: target.ip } };
  }
};

function targetView(world: World, balancer: LoadBalancer, target: Target) {
  const found = resolve(world, balancer, target);
  const base = { type: target.type, ...named(target), use_private_ip: target.use_private_ip };
  if (target.type !== "label_selector") {
    return { ...base, health_status: found.flatMap((backend) => healthOf(world, balancer, backend)) };
  }
  const targets = found.map((backend) => ({
    type: "server",
    server: { id: backend.server?.id },
    use_private_ip: target.use_private_ip,
    health_status: healthOf(world, balancer, backend),
  }));
  return { ...base, health_status: [], targets };
}

export const loadBalancerView = (world: World, balancer: LoadBalancer) => {
  const type = loadBalancerTypes.find(({ id }) => id === balancer.type);
  const address = (ip: string) => ({ ip, dns_ptr: "" });
  return {
    id: balancer.id,
    name: balancer.name,
    labels: balancer.labels,
    created: balancer.created,
    location: world.location(balancer.location),
    load_balancer_type: type === undefined ? null : loadBalancerTypeView(type),
    algorithm: { type: balancer.algorithm },
    public_net: {
      enabled: balancer.publicEnabled,
      ipv4: address(balancer.ipv4),
      ipv6: address(balancer.ipv6),
    },
    private_net: balancer.privateNets,
    protection: { delete: balancer.protection.delete },
    included_traffic: 20 * 1024 ** 4,
    outgoing_traffic: 0,
    ingoing_traffic: 0,
    services: balancer.services,
    targets: balancer.targets.map((target) => targetView(world, balancer, target)),
  };
};
