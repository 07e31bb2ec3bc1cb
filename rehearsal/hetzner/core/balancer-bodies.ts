import { z } from "zod";
import { labels, name, reference } from "./call";
import type { HealthCheck, Service, Target } from "./model";

const port = z.number().int().min(1).max(65535);

const healthCheckBody = z.object({
  protocol: z.enum(["tcp", "http", "https"]).nullish(),
  port: port.nullish(),
  interval: z.number().int().min(3).max(60).nullish(),
  timeout: z.number().int().min(1).max(60).nullish(),
  retries: z.number().int().min(0).max(5).nullish(),
  http: z
    .object({
      domain: z.string().nullish(),
      path: z.string().nullish(),
      response: z.string().nullish(),
      status_codes: z.array(z.string()).nullish(),
      tls: z.boolean().nullish(),
    })
    .nullish(),
});

export const serviceBody = z
  .object({
    protocol: z.enum(["tcp", "http", "https"]),
    listen_port: port.nullish(),
    destination_port: port.nullish(),
    proxyprotocol: z.boolean().nullish(),
    http: z.record(z.string(), z.unknown()).nullish(),
    health_check: healthCheckBody.nullish(),
  })
  .refine(
    (service) =>
      service.protocol !== "tcp" || (service.listen_port != null && service.destination_port != null),
    {
      path: ["listen_port"],
      error: "listen_port and destination_port are required for tcp.",
    },
  );

export const serviceUpdateBody = z.object({
  listen_port: port,
  protocol: z.enum(["tcp", "http", "https"]).nullish(),
  destination_port: port.nullish(),
  proxyprotocol: z.boolean().nullish(),
  http: z.record(z.string(), z.unknown()).nullish(),
  health_check: healthCheckBody.nullish(),
});

export const targetBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("server"),
    server: z.object({ id: z.number().int() }),
    use_private_ip: z.boolean().nullish(),
  }),
  z.object({
    type: z.literal("label_selector"),
    label_selector: z.object({ selector: z.string().min(1) }),
    use_private_ip: z.boolean().nullish(),
  }),
  z.object({ type: z.literal("ip"), ip: z.object({ ip: z.string() }) }),
]);

export const algorithmBody = z.object({ type: z.enum(["round_robin", "least_connections"]) });

export const balancerCreateBody = z.object({
  name,
  load_balancer_type: reference,
  location: z.string().nullish(),
  network_zone: z.string().nullish(),
  network: z.number().int().nullish(),
  public_interface: z.boolean().nullish(),
  algorithm: algorithmBody.nullish(),
  services: z.array(serviceBody).nullish(),
  targets: z.array(targetBody).nullish(),
  labels,
});

type CheckBody = z.infer<typeof healthCheckBody>;

function httpCheck(body: CheckBody["http"], old: HealthCheck["http"]): NonNullable<HealthCheck["http"]> {
  return {
    domain: body?.domain ?? old?.domain ?? "",
    path: body?.path ?? old?.path ?? "/",
    response: body?.response ?? old?.response ?? "",
    status_codes: body?.status_codes ?? old?.status_codes ?? ["2??", "3??"],
    tls: body?.tls ?? old?.tls ?? false,
  };
}

function check(body: CheckBody, base: HealthCheck): HealthCheck {
  const protocol = body.protocol ?? base.protocol;
  return {
    protocol,
    port: body.port ?? base.port,
    interval: body.interval ?? base.interval,
    timeout: body.timeout ?? base.timeout,
    retries: body.retries ?? base.retries,
    http: protocol === "tcp" ? null : httpCheck(body.http, base.http),
  };
}

const httpDefaults = {
  cookie_name: "HCLBSTICKY",
  cookie_lifetime: 300,
  certificates: [],
  redirect_http: false,
  sticky_sessions: false,
};

/** A service with the API's defaults filled in. */
export function service(body: z.infer<typeof serviceBody>): Service {
  const usual = body.protocol === "https" ? 443 : 80;
  const destination = body.destination_port ?? 80;
  const protocol = body.protocol === "tcp" ? "tcp" : "http";
  const base = { protocol, port: destination, interval: 15, timeout: 10, retries: 3, http: null };
  return {
    protocol: body.protocol,
    listen_port: body.listen_port ?? usual,
    destination_port: destination,
    proxyprotocol: body.proxyprotocol ?? false,
    http: body.protocol === "tcp" ? null : { ...httpDefaults, ...body.http },
    health_check: check(body.health_check ?? {}, base),
  };
}

/** A service after `update_service`: what is not given stays. */
export function updatedService(old: Service, body: z.infer<typeof serviceUpdateBody>): Service {
  const protocol = body.protocol ?? old.protocol;
  return {
    protocol,
    listen_port: old.listen_port,
    destination_port: body.destination_port ?? old.destination_port,
    proxyprotocol: body.proxyprotocol ?? old.proxyprotocol,
    http: protocol === "tcp" ? null : { ...httpDefaults, ...old.http, ...body.http },
    health_check: check(body.health_check ?? {}, old.health_check),
  };
}

export function target(body: z.infer<typeof targetBody>): Target {
  switch (body.type) {
    case "server":
      return { type: "server", server: body.server.id, use_private_ip: body.use_private_ip ?? false };
    case "label_selector":
      return {
        type: "label_selector",
        selector: body.label_selector.selector,
        use_private_ip: body.use_private_ip ?? false,
      };
    case "ip":
      return { type: "ip", ip: body.ip.ip, use_private_ip: false };
  }
}
