/** What the stand-in reads of the Hetzner Cloud API's answers. */
export interface ApiAction {
  readonly id: number;
  readonly status: "running" | "success" | "error";
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ApiNamed {
  readonly id: number;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly protection: { readonly delete: boolean; readonly rebuild?: boolean };
}

interface ApiAddress {
  readonly id?: number;
  readonly ip: string;
}

interface ApiPrivateNet {
  readonly network: number;
  readonly ip: string;
  readonly alias_ips: readonly string[];
  readonly mac_address: string;
}

export interface ApiServer extends ApiNamed {
  readonly status: string;
  readonly location: { readonly name: string };
  readonly server_type: { readonly name: string };
  readonly image: { readonly id: number; readonly name: string | null } | null;
  readonly backup_window: string | null;
  readonly public_net: {
    readonly ipv4: ApiAddress | null;
    readonly ipv6: ApiAddress | null;
    readonly firewalls: readonly { readonly id: number }[];
  };
  readonly private_net: readonly ApiPrivateNet[];
  readonly primary_disk_size: number;
  readonly placement_group: { readonly id: number } | null;
}

export interface ApiNetwork extends ApiNamed {
  readonly ip_range: string;
  readonly expose_routes_to_vswitch: boolean;
  readonly subnets: readonly {
    readonly type: string;
    readonly ip_range: string;
    readonly network_zone: string;
    readonly gateway: string;
    readonly vswitch_id?: number | null;
  }[];
  readonly routes: readonly { readonly destination: string; readonly gateway: string }[];
}

export interface ApiFirewall extends ApiNamed {
  readonly rules: readonly {
    readonly direction: string;
    readonly protocol: string;
    readonly port: string | null;
    readonly source_ips: readonly string[];
    readonly destination_ips: readonly string[];
    readonly description: string | null;
  }[];
  readonly applied_to: readonly {
    readonly type: string;
    readonly server?: { readonly id: number };
    readonly label_selector?: { readonly selector: string };
  }[];
}

export interface ApiPlacementGroup extends ApiNamed {
  readonly type: string;
  readonly servers: readonly number[];
}

export interface ApiPrimaryIp extends ApiNamed {
  readonly ip: string;
  readonly type: string;
  readonly assignee_id: number | null;
  readonly assignee_type: string;
  readonly auto_delete: boolean;
  readonly location: { readonly name: string };
}

export interface ApiHealthCheck {
  readonly protocol: string;
  readonly port: number;
  readonly interval: number;
  readonly timeout: number;
  readonly retries: number;
  readonly http: {
    readonly domain: string;
    readonly path: string;
    readonly response: string;
    readonly status_codes: readonly string[];
    readonly tls: boolean;
  } | null;
}

export interface ApiService {
  readonly protocol: string;
  readonly listen_port: number;
  readonly destination_port: number;
  readonly proxyprotocol: boolean;
  readonly health_check: ApiHealthCheck;
}

export interface ApiTarget {
  readonly type: string;
  readonly server?: { readonly id: number };
  readonly label_selector?: { readonly selector: string };
  readonly ip?: { readonly ip: string };
  readonly use_private_ip?: boolean;
}

export interface ApiLoadBalancer extends ApiNamed {
  readonly location: { readonly name: string; readonly network_zone: string };
  readonly load_balancer_type: { readonly name: string };
  readonly algorithm: { readonly type: string };
  readonly public_net: {
    readonly enabled: boolean;
    readonly ipv4: { readonly ip: string };
    readonly ipv6: { readonly ip: string };
  };
  readonly private_net: readonly { readonly network: number; readonly ip: string }[];
  readonly services: readonly ApiService[];
  readonly targets: readonly ApiTarget[];
}

export interface ApiImage {
  readonly id: number;
  readonly type: string;
  readonly name: string | null;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created_from: { readonly id: number } | null;
}

export interface ApiSshKey extends ApiNamed {
  readonly fingerprint: string;
  readonly public_key: string;
}
