import { z } from "zod";

import { EngineError } from "./http";

const texts = z.array(z.string()).nullish();
const textMap = z.record(z.string(), z.string()).nullish();

const endpointConfig = z.looseObject({
  Aliases: texts,
  IPAMConfig: z
    .looseObject({ IPv4Address: z.string().optional(), IPv6Address: z.string().optional() })
    .nullish(),
});

const mount = z.looseObject({
  Type: z.enum(["bind", "volume", "tmpfs"]),
  Source: z.string().optional(),
  Target: z.string(),
  ReadOnly: z.boolean().optional(),
});

const portBinding = z.looseObject({ HostIp: z.string().optional(), HostPort: z.string().optional() });

const hostConfig = z.looseObject({
  Binds: texts,
  Mounts: z.array(mount).nullish(),
  Memory: z.number().optional(),
  MemorySwap: z.number().optional(),
  NanoCpus: z.number().optional(),
  NetworkMode: z.string().optional(),
  PortBindings: z.record(z.string(), z.array(portBinding).nullable()).nullish(),
  Privileged: z.boolean().optional(),
  RestartPolicy: z
    .looseObject({ Name: z.string().optional(), MaximumRetryCount: z.number().optional() })
    .nullish(),
  AutoRemove: z.boolean().optional(),
  SecurityOpt: texts,
  LogConfig: z.looseObject({ Type: z.string().optional(), Config: textMap }).nullish(),
});

/** The container's own part of a create request: what inspect gives back as `Config`. */
const containerConfig = z.object({
  Image: z.string(),
  Hostname: z.string().optional(),
  Domainname: z.string().optional(),
  User: z.string().optional(),
  Env: texts,
  Cmd: texts,
  Entrypoint: texts,
  Labels: textMap,
  ExposedPorts: z.record(z.string(), z.unknown()).nullish(),
  Healthcheck: z.unknown().optional(),
  Tty: z.boolean().optional(),
  OpenStdin: z.boolean().optional(),
  WorkingDir: z.string().optional(),
  StopSignal: z.string().optional(),
  StopTimeout: z.number().nullish(),
});

const containerPlacement = z.object({
  HostConfig: hostConfig.nullish(),
  NetworkingConfig: z
    .object({ EndpointsConfig: z.record(z.string(), endpointConfig.nullable()).nullish() })
    .nullish(),
});

const networkCreate = z.looseObject({
  Name: z.string(),
  CheckDuplicate: z.boolean().optional(),
  Driver: z.string().optional(),
  Internal: z.boolean().optional(),
  Labels: textMap,
  Options: textMap,
  IPAM: z
    .looseObject({
      Driver: z.string().optional(),
      Config: z
        .array(z.looseObject({ Subnet: z.string().optional(), Gateway: z.string().optional() }))
        .nullish(),
      Options: textMap,
    })
    .nullish(),
});

const volumeCreate = z.looseObject({
  Name: z.string().optional(),
  Driver: z.string().optional(),
  DriverOpts: textMap,
  Labels: textMap,
});

const networkConnect = z.looseObject({
  Container: z.string(),
  EndpointConfig: endpointConfig.nullish(),
  Force: z.boolean().optional(),
});

const execCreate = z.looseObject({ Cmd: texts });
const execStart = z.looseObject({ Detach: z.boolean().optional(), Tty: z.boolean().optional() });
const containerUpdate = z.looseObject({
  Memory: z.number().optional(),
  MemorySwap: z.number().optional(),
  CpuShares: z.number().optional(),
  CpusetCpus: z.string().optional(),
  RestartPolicy: z
    .looseObject({ Name: z.string().optional(), MaximumRetryCount: z.number().optional() })
    .nullish(),
});

export type ContainerConfig = z.infer<typeof containerConfig>;
export type ContainerPlacement = z.infer<typeof containerPlacement>;
export type HostConfig = z.infer<typeof hostConfig>;
export type EndpointConfig = z.infer<typeof endpointConfig>;
export type Mount = z.infer<typeof mount>;

const parser =
  <T>(schema: z.ZodType<T>) =>
  (body: unknown): T => {
    const result = schema.safeParse(body ?? {});
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw new EngineError(400, `invalid request: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  };

export const parseContainerConfig = parser(containerConfig);
export const parseContainerPlacement = parser(containerPlacement);
export const parseNetworkCreate = parser(networkCreate);
export const parseVolumeCreate = parser(volumeCreate);
export const parseNetworkConnect = parser(networkConnect);
export const parseExecCreate = parser(execCreate);
export const parseExecStart = parser(execStart);
export const parseContainerUpdate = parser(containerUpdate);

const filtersSchema = z.record(z.string(), z.union([z.array(z.string()), z.record(z.string(), z.boolean())]));

/** The `filters` query: `{"label":["a=b"]}` or the older `{"label":{"a=b":true}}`. */
export function parseFilters(text: string | null): ReadonlyMap<string, readonly string[]> {
  if (text === null || text === "") return new Map();
  const parsed = parser(filtersSchema)(JSON.parse(text));
  return new Map(
    Object.entries(parsed).map(([key, value]) => [key, Array.isArray(value) ? value : Object.keys(value)]),
  );
}

export const hasLabels = (
  labels: Readonly<Record<string, string>>,
  wanted: readonly string[] = [],
): boolean =>
  wanted.every((text) => {
    const [key = "", value] = text.split(/=(.*)/s);
    return value === undefined ? key in labels : labels[key] === value;
  });
