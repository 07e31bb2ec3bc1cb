/** The functions getServerType and getImage. */
import type { Props, Value } from "../framework/types";
import { flag, number, plainProps, text } from "../framework/values";
import type { HetznerClient } from "./client";

type Json = Readonly<Record<string, Value>>;

/** `included_traffic` as `includedTraffic`, at every depth. */
function camel(value: Value): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map(camel);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Json).map(([key, item]) => [
      key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      camel(item),
    ]),
  );
}

async function first(
  api: HetznerClient,
  path: string,
  query: readonly (readonly [string, string])[],
): Promise<Json> {
  const answer = await api.get<Readonly<Record<string, readonly Json[]>>>(path, { query });
  const found = answer[path.slice(1)]?.[0];
  if (found === undefined)
    throw new Error(
      `no ${path.slice(1, -1).replace("_", " ")} matches ${query.map((pair) => pair.join("=")).join(" ")}`,
    );
  return found;
}

const one = async (api: HetznerClient, path: string, id: number): Promise<Json> => {
  const answer = await api.get<Readonly<Record<string, Json>>>(`${path}/${id}`);
  return answer[path.slice(1, -1)] ?? {};
};

export async function getServerType(api: HetznerClient, given: Props): Promise<Props> {
  const args = plainProps(given);
  const id = number(args, "id");
  const type =
    id === undefined
      ? await first(api, "/server_types", [["name", text(args, "name") ?? ""]])
      : await one(api, "/server_types", id);
  return camel(type) as Props;
}

export async function getImage(api: HetznerClient, given: Props): Promise<Props> {
  const args = plainProps(given);
  const id = number(args, "id");
  const query: (readonly [string, string])[] = [["architecture", text(args, "withArchitecture") ?? "x86"]];
  const [name, selector] = [text(args, "name"), text(args, "withSelector")];
  if (name !== undefined) query.push(["name", name]);
  if (selector !== undefined) query.push(["label_selector", selector]);
  if (flag(args, "mostRecent") === true) query.push(["sort", "created:desc"]);
  const image = id === undefined ? await first(api, "/images", query) : await one(api, "/images", id);
  return camel(image) as Props;
}
