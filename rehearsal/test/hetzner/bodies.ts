/** The parts of the API's answers that tests look at. A test reads only what its request gives. */
interface Named {
  readonly id: number;
  readonly name: string;
}

export interface ActionBody {
  readonly id: number;
  readonly command: string;
  readonly status: "running" | "success" | "error";
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface ServerBody extends Named {
  readonly status: string;
  readonly locked: boolean;
  readonly public_net: { readonly ipv4: { readonly ip: string }; readonly ipv6: { readonly ip: string } };
  readonly private_net: readonly { readonly ip: string; readonly mac_address: string }[];
}

interface TargetBody {
  readonly health_status: readonly { readonly status: string }[];
  readonly targets: readonly TargetBody[];
}

export interface Body {
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown };
  readonly action: ActionBody;
  readonly actions: readonly ActionBody[];
  readonly next_actions: readonly ActionBody[];
  readonly root_password: string | null;
  readonly server: ServerBody;
  readonly servers: readonly ServerBody[];
  readonly network: Named & { readonly subnets: readonly { readonly gateway: string }[] };
  readonly firewall: Named;
  readonly placement_group: Named;
  readonly placement_groups: readonly Named[];
  readonly primary_ip: Named;
  readonly image: Named;
  readonly images: readonly Named[];
  readonly load_balancer: Named & {
    readonly public_net: { readonly ipv4: { readonly ip: string } };
    readonly targets: readonly TargetBody[];
  };
  readonly server_types: readonly {
    readonly locations: readonly { readonly name: string; readonly available: boolean }[];
  }[];
  readonly meta: { readonly pagination: unknown };
}
