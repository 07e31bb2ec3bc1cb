/** What the account offers for the plan: asked with a token that can be read, and nothing is made. */
import { messageOf } from "../../../base/text";
import { nearest } from "../../../base/nearest";
import type { AccountKeys } from "../../../config/stack-file";
import type { HetznerClusterPlan } from "../../../config/types";
import type { Finding } from "../../preflight/finding";
import type { PlatformFindings } from "../../preflight/report";
import { hetznerClient, type HetznerClient } from "./client";

export interface Account {
  readonly token: string;
  readonly endpoint: string | undefined;
}

export interface ServerType {
  readonly name: string;
  /** Where it can be had; `available` says whether it can be ordered now. */
  readonly locations: readonly { readonly name: string; readonly available: boolean }[];
}

export type SeenAccount =
  | {
      readonly reached: true;
      /** Those that the plan names and the account knows. */
      readonly serverTypes: readonly ServerType[];
      readonly locations: readonly string[];
    }
  | { readonly reached: false; readonly fault: string };

/** People wait for it. */
const QUICK = { tries: 2, pauseMs: 500 };
const PER_PAGE = "50";

type Ask = Pick<HetznerClient, "list">;

export async function askAccount(
  plan: HetznerClusterPlan,
  { token, endpoint }: Account,
): Promise<SeenAccount> {
  const inputs = { token, ...(endpoint === undefined ? {} : { endpoint }) };
  const client = hetznerClient({ urn: "", type: "pulumi:providers:hcloud", inputs }, QUICK);
  if (client === undefined) return { reached: false, fault: "no token" };
  try {
    return await look(plan, client);
  } catch (error) {
    return { reached: false, fault: messageOf(error).replaceAll(token, "(token)") };
  }
}

async function look(plan: HetznerClusterPlan, client: Ask): Promise<SeenAccount> {
  const locations = await client.list("locations", { per_page: PER_PAGE });
  const names = [...new Set(plan.nodes.map(({ serverType }) => serverType))];
  const types = await Promise.all(names.map((name) => client.list("server_types", { name })));
  return {
    reached: true,
    locations: locations.map(({ name }) => name ?? ""),
    serverTypes: types.flat().map(serverType),
  };
}

interface Offer {
  readonly name?: unknown;
  readonly location?: unknown;
  readonly available?: unknown;
}

/** The API names places in `locations`, and in `prices` since ever. */
function serverType(
  type: { readonly name?: string | null | undefined } & Record<string, unknown>,
): ServerType {
  const offers = [type["locations"], type["prices"]].find(Array.isArray) as Offer[] | undefined;
  return {
    name: type.name ?? "",
    locations: (offers ?? []).map(({ name, location, available }) => ({
      name: String(name ?? location),
      available: available !== false,
    })),
  };
}

export function accountFindings(plan: HetznerClusterPlan, account: SeenAccount): Finding[] {
  if (!account.reached) return [unreached(account.fault)];
  const places = new Map(plan.nodes.map((node) => [`${node.serverType} ${node.location}`, node]));
  const unknown = [...new Set(plan.nodes.map(({ location }) => location))].filter(
    (location) => !account.locations.includes(location),
  );
  return [
    ...unknown.map((location) => unknownLocation(location, account.locations)),
    ...[...places.values()]
      .filter(({ location }) => !unknown.includes(location))
      .flatMap(({ serverType: type, location }) => offerFinding(type, location, account.serverTypes)),
  ];
}

const refused = /unauthorized|forbidden/;

const unreached = (fault: string): Finding =>
  refused.test(fault)
    ? {
        level: "stop",
        what: "Hetzner token",
        seen: fault,
        why: "nothing can be made on Hetzner with a token that it refuses",
        cure: "make one with read and write permission in the project, and run `pulumi config set --secret hcloud:token`",
      }
    : {
        level: "warning",
        what: "Hetzner account",
        seen: `does not answer: ${fault}`,
        why: "server types and locations could not be asked for",
        cure: "look at the network or the proxy (HTTPS_PROXY)",
      };

const unknownLocation = (location: string, known: readonly string[]): Finding => ({
  level: "stop",
  what: "location",
  seen: `Hetzner knows no location ${location}`,
  why: "servers are made in one of its locations",
  cure: `use ${nearest(location, known) ?? "another"}; there are ${[...known].sort().join(", ")}`,
});

function offerFinding(name: string, location: string, types: readonly ServerType[]): Finding[] {
  const type = types.find((known) => known.name === name);
  const base = { what: "server type" };
  if (type === undefined) {
    const why = "servers of it cannot be made";
    const cure = "see the server types with: hcloud server-type list";
    return [{ level: "stop", ...base, seen: `Hetzner knows no server type ${name}`, why, cure }];
  }
  const others = type.locations.filter(({ available }) => available).map((place) => place.name);
  const cure = others.length > 0 ? `${name} can be had in ${others.join(", ")}` : "take another server type";
  const offer = type.locations.find((place) => place.name === location);
  if (offer === undefined) {
    const seen = `${location} does not offer ${name}`;
    return [{ level: "stop", ...base, seen, why: "servers of it cannot be made there", cure }];
  }
  if (offer.available) return [];
  const seen = `${name} cannot be ordered in ${location} at this moment`;
  return [
    { level: "warning", ...base, seen, why: "new servers may be refused (resource_unavailable)", cure },
  ];
}

const NOT_ASKED =
  "looked at the stack file and for a token; the account itself (limits, server types, capacity) is not asked";

export async function lookAtAccount(
  plan: HetznerClusterPlan,
  { token, endpoint }: AccountKeys,
): Promise<PlatformFindings> {
  const about = `Hetzner account of ${plan.name}`;
  if (token === undefined) return { about: `${about}: ${NOT_ASKED}`, findings: [], images: "built" };
  const findings = accountFindings(plan, await askAccount(plan, { token, endpoint }));
  const asked = "asked for its server types and locations; limits and capacity are not";
  return { about: `${about}: ${asked}`, findings, images: "built" };
}
