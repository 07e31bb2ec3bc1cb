/** LoadBalancerService. */
import { bridgedResource, type Schema } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { flag, list, number, record, text } from "../framework/values";
import type { ApiHealthCheck, ApiLoadBalancer, ApiService } from "./api-types";
import type { HetznerClient } from "./client";
import { ofProps, oneOf, type Api } from "./common";
import { balancerAction, fetchBalancer } from "./load-balancer";
import { ifThere } from "./network";

const healthHttp: Schema = {
  domain: { type: "string" },
  path: { type: "string" },
  response: { type: "string" },
  statusCodes: { type: "list" },
  tls: { type: "bool" },
};

const serviceProperties: Schema = {
  loadBalancerId: { type: "string", required: true, forceNew: true },
  protocol: { type: "string", required: true, forceNew: true, validate: oneOf("http", "https", "tcp") },
  listenPort: { type: "number", computed: "optional", forceNew: true },
  destinationPort: { type: "number", computed: "optional" },
  proxyprotocol: { type: "bool", computed: "optional" },
  http: {
    type: "object",
    computed: "optional",
    fields: {
      certificates: { type: "list", element: "number" },
      cookieLifetime: { type: "number", computed: "optional" },
      cookieName: { type: "string", computed: "optional" },
      redirectHttp: { type: "bool", computed: "optional" },
      stickySessions: { type: "bool", computed: "optional" },
      timeoutIdle: { type: "number", computed: "optional" },
    },
  },
  healthCheck: {
    type: "object",
    computed: "optional",
    fields: {
      protocol: { type: "string", required: true },
      port: { type: "number", required: true },
      interval: { type: "number", required: true },
      timeout: { type: "number", required: true },
      retries: { type: "number", required: true },
      http: { type: "object", fields: healthHttp },
    },
  },
};

function healthState({ http, ...check }: ApiHealthCheck): Props {
  const { protocol, port, interval, timeout, retries } = check;
  const over =
    http === null
      ? null
      : {
          domain: http.domain,
          path: http.path,
          response: http.response,
          statusCodes: http.status_codes,
          tls: http.tls,
        };
  return { protocol, port, interval, timeout, retries, http: over };
}

const serviceState = (balancer: ApiLoadBalancer, service: ApiService): Props => ({
  loadBalancerId: String(balancer.id),
  protocol: service.protocol,
  listenPort: service.listen_port,
  destinationPort: service.destination_port,
  proxyprotocol: service.proxyprotocol,
  http: null,
  healthCheck: healthState(service.health_check),
});

function healthBody(planned: Props): object {
  const check = record(planned, "healthCheck");
  if (Object.keys(check).length === 0) return {};
  const { protocol, port, interval, timeout, retries } = check;
  const http = record(check, "http");
  const over = {
    ...ofProps({
      domain: text(http, "domain"),
      path: text(http, "path"),
      response: text(http, "response"),
      tls: flag(http, "tls"),
    }),
    status_codes: list(http, "statusCodes"),
  };
  return {
    health_check: {
      protocol,
      port,
      interval,
      timeout,
      retries,
      ...(Object.keys(http).length > 0 ? { http: over } : {}),
    },
  };
}

const serviceBody = (planned: Props): object => ({
  listen_port: number(planned, "listenPort"),
  protocol: text(planned, "protocol"),
  ...ofProps({
    destination_port: number(planned, "destinationPort"),
    proxyprotocol: flag(planned, "proxyprotocol"),
  }),
  ...healthBody(planned),
});

const defaultPort = (protocol: string | undefined): number | undefined =>
  protocol === "http" ? 80 : protocol === "https" ? 443 : undefined;

async function readService(api: HetznerClient, id: string): Promise<Props | undefined> {
  const [balancerId = "", port = ""] = id.split("__");
  const balancer = await fetchBalancer(api, balancerId);
  const service = balancer?.services.find(({ listen_port }) => listen_port === Number(port));
  return balancer === undefined || service === undefined ? undefined : serviceState(balancer, service);
}

export const loadBalancerServiceResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    { kind: "sdk", properties: serviceProperties },
    {
      create: async (planned, { signal }) => {
        const listen = number(planned, "listenPort") ?? defaultPort(text(planned, "protocol"));
        const destination =
          number(planned, "destinationPort") ?? (text(planned, "protocol") === "tcp" ? undefined : 80);
        if (listen === undefined || destination === undefined)
          throw new Error("listen_port and destination_port are required for protocol tcp");
        const id = text(planned, "loadBalancerId") ?? "";
        const body = serviceBody({ ...planned, listenPort: listen, destinationPort: destination });
        await api().insist(["service_error"], 5, () =>
          balancerAction(api(), id, { name: "add_service", body, signal }),
        );
        return { id: `${id}__${listen}`, state: (await readService(api(), `${id}__${listen}`)) ?? {} };
      },
      read: async ({ id }) => {
        const state = await readService(api(), id).catch(() => undefined);
        return state === undefined ? undefined : { state };
      },
      update: async (planned, { id, signal }) => {
        const [balancerId = ""] = id.split("__");
        await balancerAction(api(), balancerId, {
          name: "update_service",
          body: serviceBody(planned),
          signal,
        });
        return { state: (await readService(api(), id)) ?? {} };
      },
      delete: async ({ id, signal }) => {
        const [balancerId = "", port = ""] = id.split("__");
        await ifThere(() =>
          balancerAction(api(), balancerId, {
            name: "delete_service",
            body: { listen_port: Number(port) },
            signal,
          }),
        );
      },
    },
  );
