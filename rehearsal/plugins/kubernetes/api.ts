/** HTTPS to a Kubernetes API server, with the errors in client-go's words. */
import axios, { isAxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import { Agent } from "node:https";
import type { JsonObject } from "../framework/values";
import type { Cluster } from "./kubeconfig";

/** Longest wait for one answer, in milliseconds: a cluster that drops packets must not hold up a preview. */
const requestTimeout = 5000;

export interface KubernetesApi {
  /** Throws when the API server cannot say which types it has. */
  loadSchema(): Promise<void>;
  get(path: string): Promise<JsonObject | undefined>;
  apply(path: string, fieldManager: string, object: JsonObject): Promise<JsonObject>;
  /** What is gone already is fine. */
  remove(path: string): Promise<void>;
}

const said: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
};

function networkWords(error: unknown, url: string): string {
  if (!isAxiosError(error)) return String(error);
  const words = said[error.code ?? ""];
  const { host } = new URL(url);
  return `Get "${url}": ${words === undefined ? error.message : `dial tcp ${host}: ${words}`}`;
}

function answerWords({ status, data }: AxiosResponse<unknown>): string {
  if (status === 503) return "the server is currently unable to handle the request";
  const message = typeof data === "object" && data !== null ? (data as JsonObject)["message"] : undefined;
  return typeof message === "string" ? message : `the server responded with the status code ${status}`;
}

function client(cluster: Cluster): AxiosInstance {
  const { ca, cert, key, token } = cluster;
  return axios.create({
    baseURL: cluster.server,
    timeout: requestTimeout,
    proxy: false,
    validateStatus: () => true,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    httpsAgent: new Agent({
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    }),
  });
}

export function kubernetesApi(cluster: Cluster): KubernetesApi {
  const http = client(cluster);
  const send = async (
    method: string,
    path: string,
    rest: { headers?: Record<string, string>; data?: JsonObject } = {},
  ) => {
    try {
      return await http.request<JsonObject>({ method, url: path, ...rest });
    } catch (error) {
      throw new Error(networkWords(error, `${cluster.server}${path}`), { cause: error });
    }
  };
  const expected = (response: AxiosResponse<JsonObject>): JsonObject => {
    if (response.status >= 300) throw new Error(answerWords(response));
    return response.data;
  };
  return {
    loadSchema: async () => {
      const headers = { Accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };
      expected(await send("GET", "/openapi/v2", { headers }));
    },
    get: async (path) => {
      const response = await send("GET", path);
      return response.status === 404 ? undefined : expected(response);
    },
    apply: async (path, fieldManager, object) => {
      const url = `${path}?fieldManager=${fieldManager}&force=false`;
      return expected(
        await send("PATCH", url, {
          headers: { "Content-Type": "application/apply-patch+yaml" },
          data: object,
        }),
      );
    },
    remove: async (path) => {
      const response = await send("DELETE", path);
      if (response.status !== 404) expected(response);
    },
  };
}
