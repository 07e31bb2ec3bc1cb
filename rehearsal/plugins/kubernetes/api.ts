/** HTTPS to a Kubernetes API server, with the errors in client-go's words. */
import axios, { isAxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import { Agent } from "node:https";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { messageOf } from "../framework/errors";
import type { JsonObject } from "../framework/values";
import { TIMED_OUT, timeoutQuery, type Limits } from "./client-timeout";
import type { Cluster } from "./kubeconfig";

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

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly limit: AbortSignal | undefined;
}

function networkWords(error: unknown, { method, url, limit }: Asked): string {
  const verb = `${method[0] ?? ""}${method.slice(1).toLowerCase()}`;
  if (limit?.aborted === true) return `${verb} "${url}": ${TIMED_OUT.headers}`;
  if (!isAxiosError(error)) return String(error);
  const words = said[error.code ?? ""];
  const { host } = new URL(url);
  const cause = words === undefined ? error.message : `dial tcp ${host}: ${words}`;
  return `${verb} "${url}": ${cause === "socket hang up" ? "EOF" : cause}`;
}

interface Answer {
  readonly status: number;
  readonly data: JsonObject;
}

/** The whole body; what is not JSON counts as an empty object. */
async function answerOf(
  { status, data, headers }: AxiosResponse<Readable>,
  { limit }: Asked,
): Promise<Answer> {
  try {
    const body = await text(data);
    const isJson = String(headers["content-type"]).startsWith("application/json");
    return { status, data: isJson ? (JSON.parse(body) as JsonObject) : {} };
  } catch (error) {
    const cause = limit?.aborted === true ? TIMED_OUT.body : messageOf(error);
    throw new Error(`unexpected error when reading response body. Please retry. Original error: ${cause}`, {
      cause: error,
    });
  }
}

function answerWords({ status, data }: Answer): string {
  if (status === 503) return "the server is currently unable to handle the request";
  const message = data["message"];
  return typeof message === "string" ? message : `the server responded with the status code ${status}`;
}

function client(cluster: Cluster): AxiosInstance {
  const { ca, cert, key, token } = cluster;
  return axios.create({
    baseURL: cluster.server,
    responseType: "stream",
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

interface Sent {
  readonly headers?: Record<string, string>;
  readonly data?: JsonObject;
  /** How long the answer may take, in ms. */
  readonly ms: number | undefined;
}

export function kubernetesApi(cluster: Cluster, { schemaMs, requestMs }: Limits): KubernetesApi {
  const http = client(cluster);
  const send = async (
    method: string,
    path: string,
    { ms, ...rest }: Sent = { ms: requestMs },
  ): Promise<Answer> => {
    const limit = ms === undefined ? undefined : AbortSignal.timeout(ms);
    const query = ms === undefined ? "" : `${path.includes("?") ? "&" : "?"}${timeoutQuery(ms)}`;
    const asked: Asked = { method, url: `${cluster.server}${path}${query}`, limit };
    const signal = limit === undefined ? {} : { signal: limit };
    let response: AxiosResponse<Readable>;
    try {
      response = await http.request<Readable>({ method, url: `${path}${query}`, ...signal, ...rest });
    } catch (error) {
      throw new Error(networkWords(error, asked), { cause: error });
    }
    return answerOf(response, asked);
  };
  const expected = (answer: Answer): JsonObject => {
    if (answer.status >= 300) throw new Error(answerWords(answer));
    return answer.data;
  };
  return {
    loadSchema: async () => {
      const headers = { Accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };
      expected(await send("GET", "/openapi/v2", { headers, ms: schemaMs }));
    },
    get: async (path) => {
      const answer = await send("GET", path);
      return answer.status === 404 ? undefined : expected(answer);
    },
    apply: async (path, fieldManager, object) => {
      const headers = { "Content-Type": "application/apply-patch+yaml" };
      const url = `${path}?fieldManager=${fieldManager}&force=false`;
      return expected(await send("PATCH", url, { headers, data: object, ms: requestMs }));
    },
    remove: async (path) => {
      const answer = await send("DELETE", path);
      if (answer.status !== 404) expected(answer);
    },
  };
}
