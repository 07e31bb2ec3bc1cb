/** What the simulated account holds. Times are RFC 3339, sizes GB, addresses without a prefix unless named a range. */

export type Labels = Record<string, string>;

export interface Resource {
  readonly id: number;
  name: string;
  labels: Labels;
  readonly created: string;
  protection: { delete: boolean; rebuild?: boolean };
}

/** A resource that one action at a time may hold. */
export interface Lockable {
  /** Id of the action that holds it. */
  lockedBy: number | null;
}

export interface PrivateNet {
  network: number;
  ip: string;
  alias_ips: string[];
  mac_address: string;
}

type ServerStatus = "initializing" | "starting" | "running" | "stopping" | "off" | "deleting" | "rebuilding";

export interface Server extends Resource, Lockable {
  status: ServerStatus;
  location: string;
  serverType: number;
  image: number | null;
  /** What is on the disk; outlives the image it came from. */
  disk: Disk;
  iso: number | null;
  rescue: boolean;
  backupWindow: string | null;
  ipv4: number | null;
  ipv6: number | null;
  /** Where the machine listens while it has no public IPv4. */
  spareAddress: string | null;
  privateNets: PrivateNet[];
  /** Addresses that a running attach action has already taken. */
  pendingNets: PrivateNet[];
  firewalls: { id: number; status: "applied" | "pending" }[];
  placementGroup: number | null;
  primaryDiskSize: number;
  userData: string;
}

/** Content of a root disk. */
export interface Disk {
  readonly kind: "talos" | "other";
  readonly version: string;
  readonly schematic: string;
}

export interface Subnet {
  type: string;
  ip_range: string;
  network_zone: string;
  gateway: string | null;
  vswitch_id: number | null;
}

interface Route {
  destination: string;
  gateway: string;
}

export interface Network extends Resource, Lockable {
  ipRange: string;
  subnets: Subnet[];
  routes: Route[];
  exposeRoutesToVswitch: boolean;
}

export interface FirewallRule {
  direction: string;
  protocol: string;
  port: string | null;
  source_ips: string[];
  destination_ips: string[];
  description: string | null;
}

export interface Firewall extends Resource {
  rules: FirewallRule[];
  /** Label selectors it is applied to; servers hold their own ids. */
  selectors: string[];
}

export interface PlacementGroup extends Resource {
  type: "spread";
}

export interface HealthCheck {
  protocol: string;
  port: number;
  interval: number;
  timeout: number;
  retries: number;
  http: {
    domain: string;
    path: string;
    response: string;
    status_codes: string[];
    tls: boolean;
  } | null;
}

export interface Service {
  protocol: string;
  listen_port: number;
  destination_port: number;
  proxyprotocol: boolean;
  http: Record<string, unknown> | null;
  health_check: HealthCheck;
}

export type Target =
  | { type: "server"; server: number; use_private_ip: boolean }
  | { type: "label_selector"; selector: string; use_private_ip: boolean }
  | { type: "ip"; ip: string; use_private_ip: false };

export interface LoadBalancer extends Resource, Lockable {
  location: string;
  type: number;
  algorithm: string;
  publicEnabled: boolean;
  ipv4: string;
  ipv6: string;
  privateNets: { network: number; ip: string }[];
  services: Service[];
  targets: Target[];
}

export interface Image extends Resource {
  status: "available" | "creating";
  type: "system" | "snapshot" | "backup";
  description: string;
  image_size: number | null;
  disk_size: number;
  created_from: { id: number; name: string } | null;
  os_flavor: string;
  os_version: string | null;
  architecture: string;
  rapid_deploy: boolean;
  /** Part of the account from the start: no leak. */
  readonly seeded: boolean;
  disk: Disk;
}

export interface PrimaryIp extends Resource {
  ip: string;
  type: "ipv4" | "ipv6";
  location: string;
  assignee: number | null;
  autoDelete: boolean;
  dns_ptr: { ip: string; dns_ptr: string }[];
}

export interface SshKey extends Resource {
  fingerprint: string;
  public_key: string;
}

export interface Volume extends Resource, Lockable {
  size: number;
  server: number | null;
  location: string;
  format: string | null;
}
