import { isos, type LoadBalancerType, locations, pricesOf, type ServerType } from "./catalogue";
import type { Firewall, Image, Network, PlacementGroup, PrimaryIp, Resource, Server, Volume } from "./model";
import type { World } from "./world";

/** The resources as the API shows them. */

const common = ({ id, name, labels, created }: Resource) => ({ id, name, labels, created });

export const serverTypeView = (world: World, type: ServerType) => ({
  id: type.id,
  name: type.name,
  description: type.name.toUpperCase(),
  category: type.category,
  cores: type.cores,
  memory: type.memory,
  disk: type.disk,
  storage_type: "local",
  cpu_type: type.cpu,
  architecture: type.architecture,
  prices: pricesOf(type.monthly, type.locations),
  deprecated: false,
  deprecation: null,
  locations: locations
    .filter((location) => type.locations.includes(location.name))
    .map(({ id, name }) => {
      const available = world.inStock(type, name) > 0;
      return { id, name, recommended: available, available, deprecation: null };
    }),
});

export const loadBalancerTypeView = (type: LoadBalancerType) => ({
  id: type.id,
  name: type.name,
  description: type.name.toUpperCase(),
  max_connections: type.maxConnections,
  max_services: type.maxServices,
  max_targets: type.maxTargets,
  max_assigned_certificates: 10,
  prices: pricesOf(
    type.monthly,
    locations.map(({ name }) => name),
  ),
  deprecated: null,
  deprecation: null,
});

export const imageView = (image: Image) => ({
  ...common(image),
  name: image.type === "system" ? image.name : null,
  status: image.status,
  type: image.type,
  description: image.description,
  image_size: image.image_size,
  disk_size: image.disk_size,
  created_from: image.created_from,
  bound_to: null,
  os_flavor: image.os_flavor,
  os_version: image.os_version,
  architecture: image.architecture,
  rapid_deploy: image.rapid_deploy,
  protection: { delete: image.protection.delete },
  deprecated: null,
  deleted: null,
});

const publicNetView = (world: World, server: Server) => {
  const ipv4 = world.primaryIps.find(server.ipv4);
  const ipv6 = world.primaryIps.find(server.ipv6);
  const pointer = (ip: PrimaryIp) => ip.dns_ptr.find((entry) => entry.ip === ip.ip)?.dns_ptr ?? "";
  return {
    ipv4: ipv4 === undefined ? null : { id: ipv4.id, ip: ipv4.ip, blocked: false, dns_ptr: pointer(ipv4) },
    ipv6: ipv6 === undefined ? null : { id: ipv6.id, ip: ipv6.ip, blocked: false, dns_ptr: ipv6.dns_ptr },
    floating_ips: [],
    firewalls: server.firewalls,
  };
};

export const placementGroupView = (world: World, group: PlacementGroup) => ({
  ...common(group),
  type: group.type,
  servers: world.servers
    .all()
    .filter((server) => server.placementGroup === group.id)
    .map(({ id }) => id),
});

const balancersOf = (world: World, server: Server): number[] =>
  world.loadBalancers
    .all()
    .filter((balancer) =>
      balancer.targets.some((target) => target.type === "server" && target.server === server.id),
    )
    .map(({ id }) => id);

export const serverView = (world: World, server: Server) => {
  const image = world.images.find(server.image);
  const group = world.placementGroups.find(server.placementGroup);
  return {
    ...common(server),
    status: server.status,
    location: world.location(server.location),
    server_type: serverTypeView(world, world.serverType(server.serverType)),
    image: image === undefined ? null : imageView(image),
    iso: isos.find(({ id }) => id === server.iso) ?? null,
    rescue_enabled: server.rescue,
    locked: server.lockedBy !== null,
    backup_window: server.backupWindow,
    public_net: publicNetView(world, server),
    private_net: server.privateNets,
    protection: { delete: server.protection.delete, rebuild: server.protection.rebuild ?? false },
    volumes: world.volumes
      .all()
      .filter((volume) => volume.server === server.id)
      .map(({ id }) => id),
    load_balancers: balancersOf(world, server),
    primary_disk_size: server.primaryDiskSize,
    placement_group: group === undefined ? null : placementGroupView(world, group),
    included_traffic: 20 * 1024 ** 4,
    outgoing_traffic: 0,
    ingoing_traffic: 0,
  };
};

export const networkView = (world: World, network: Network) => ({
  ...common(network),
  ip_range: network.ipRange,
  subnets: network.subnets.map(({ vswitch_id, ...subnet }) => ({
    ...subnet,
    ...(vswitch_id === null ? {} : { vswitch_id }),
  })),
  routes: network.routes,
  servers: world.servers
    .all()
    .filter((server) => server.privateNets.some((net) => net.network === network.id))
    .map(({ id }) => id),
  load_balancers: world.loadBalancers
    .all()
    .filter((balancer) => balancer.privateNets.some((net) => net.network === network.id))
    .map(({ id }) => id),
  protection: { delete: network.protection.delete },
  expose_routes_to_vswitch: network.exposeRoutesToVswitch,
});

export const firewallView = (world: World, firewall: Firewall) => ({
  ...common(firewall),
  rules: firewall.rules,
  applied_to: [
    ...world.servers
      .all()
      .filter((server) => server.firewalls.some(({ id }) => id === firewall.id))
      .map(({ id }) => ({ type: "server", server: { id } })),
    ...firewall.selectors.map((selector) => ({
      type: "label_selector",
      label_selector: { selector },
      applied_to_resources: [],
    })),
  ],
});

export const primaryIpView = (world: World, ip: PrimaryIp) => ({
  ...common(ip),
  ip: ip.ip,
  type: ip.type,
  location: world.location(ip.location),
  assignee_id: ip.assignee,
  assignee_type: ip.assignee === null ? "unassigned" : "server",
  auto_delete: ip.autoDelete,
  blocked: false,
  dns_ptr: ip.dns_ptr,
  protection: { delete: ip.protection.delete },
});

export const volumeView = (world: World, volume: Volume) => ({
  ...common(volume),
  size: volume.size,
  server: volume.server,
  location: world.location(volume.location),
  status: "available",
  format: volume.format,
  linux_device: `/dev/disk/by-id/scsi-0HC_Volume_${volume.id}`,
  protection: { delete: volume.protection.delete },
});
