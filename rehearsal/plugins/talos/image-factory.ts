/** Image factory functions and the Schematic resource: the factory's HTTP API at the configured address. */
import axios, { isAxiosError } from "axios";
import type { Props, ResourceStandIn, Value } from "../framework/types";
import { flag, list, plainProps, record, text, unknown } from "../framework/values";
import type { Invoked } from "./functions";
import { assetUrls } from "./asset-urls";
import { withoutNulls } from "./plan";
import { plannedResource } from "./planned-resource";
import { schematicSchema } from "./schemas";

/** Asked at each call: the provider's configuration may name another factory. */
export type FactoryUrl = () => string;

const timeoutMs = 30_000;

async function requested<T>(summary: string, request: Promise<{ data: T }>): Promise<T> {
  try {
    return (await request).data;
  } catch (error) {
    const answered =
      isAxiosError(error) && error.response !== undefined ? String(error.response.data) : undefined;
    throw new Error(`${summary}: ${answered ?? (error as Error).message}`);
  }
}

const get = <T>(url: string, summary: string): Promise<T> =>
  requested(summary, axios.get<T>(url, { timeout: timeoutMs }));

const versionOf = (args: Props): string => `v${(text(args, "talosVersion") ?? "").replace(/^v/, "")}`;
const echo = (args: Props, answer: Props): Props => withoutNulls({ ...args, ...answer });
const names = (args: Props, key: string): string[] =>
  list(record(args, key), "names").filter((name): name is string => typeof name === "string");

async function versions(url: FactoryUrl, args: Props): Promise<Props> {
  const all = await get<string[]>(`${url()}/versions`, "failed to get talos versions");
  const stable = flag(record(args, "filters"), "stableVersionsOnly") === true;
  return echo(args, {
    id: "talos_versions",
    talosVersions: stable ? all.filter((version) => !version.includes("-")) : all,
  });
}

interface Named {
  readonly name: string;
  readonly [field: string]: Value;
}

async function extensions(url: FactoryUrl, args: Props): Promise<Props> {
  const address = `${url()}/version/${versionOf(args)}/extensions/official`;
  const all = await get<Named[]>(address, "failed to get talos extensions versions");
  const [parts, exact] = [names(args, "filters"), names(args, "exactFilters")];
  const matching = all
    .filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .filter(({ name }) => exact.length === 0 || exact.includes(name));
  return echo(args, { id: "extensions_info", extensionsInfos: matching });
}

async function overlays(url: FactoryUrl, args: Props): Promise<Props> {
  const address = `${url()}/version/${versionOf(args)}/overlays/official`;
  const all = await get<Named[]>(address, "failed to get talos overlays versions");
  const part = text(record(args, "filters"), "name");
  const matching = all.filter(({ name }) => part === undefined || name.includes(part));
  return echo(args, { id: "overlays_info", overlaysInfos: matching });
}

async function urls(url: FactoryUrl, args: Props): Promise<Props> {
  const architecture = text(args, "architecture") ?? "amd64";
  const found = assetUrls({
    baseUrl: url(),
    architecture,
    platform: text(args, "platform"),
    sbc: text(args, "sbc"),
    schematicId: text(args, "schematicId") ?? "",
    version: versionOf(args),
  });
  return echo(args, { id: "", architecture, urls: found });
}

export const factoryFunctions = (url: FactoryUrl): Readonly<Record<string, Invoked>> => ({
  "talos:imageFactory/getVersions:getVersions": (args) => versions(url, plainProps(args)),
  "talos:imageFactory/getExtensionsVersions:getExtensionsVersions": (args) =>
    extensions(url, plainProps(args)),
  "talos:imageFactory/getOverlaysVersions:getOverlaysVersions": (args) => overlays(url, plainProps(args)),
  "talos:imageFactory/getUrls:getUrls": (args) => urls(url, plainProps(args)),
});

/** Registers the text as it is given: the factory itself makes it canonical before it computes the id. */
async function register(url: FactoryUrl, planned: Props): Promise<string> {
  const body = text(planned, "schematic") ?? "";
  const headers = { "Content-Type": "application/yaml" };
  const { id } = await requested(
    "failed to create schematic",
    axios.post<{ id: string }>(`${url()}/schematics`, body, { headers, timeout: timeoutMs }),
  );
  return id;
}

export const schematicResource = (url: FactoryUrl): ResourceStandIn => {
  const resource = plannedResource(schematicSchema, {
    create: async (planned) => ({ id: await register(url, planned), state: {} }),
    update: async () => ({}),
  });
  return {
    ...resource,
    // The id is computed anew at each change, which the state's id property shows.
    update: async (request) => {
      const { state } = await resource.update(request);
      const id = request.preview ? unknown : await register(url, plainProps(state));
      return { state: { ...state, id } };
    },
  };
};
