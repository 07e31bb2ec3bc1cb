import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { HealthCheck } from "../core/model";

function tcp(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isHealthy: boolean) => (): void => {
      socket.destroy();
      resolve(isHealthy);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
    socket.once("timeout", end(false));
  });
}

/** `2??` stands for every status that begins with 2. */
const accepts = (patterns: readonly string[], status: number): boolean =>
  patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll("?", "\\d").replaceAll("*", "\\d*")}$`).test(String(status)),
  );

function http(host: string, check: HealthCheck, timeoutMs: number): Promise<boolean> {
  const { http: rule, port } = check;
  if (rule === null) return tcp(host, port, timeoutMs);
  const headers = rule.domain === "" ? {} : { host: rule.domain };
  const options = { host, port, path: rule.path, timeout: timeoutMs, headers, agent: false };
  return new Promise((resolve) => {
    const request = rule.tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    request.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.once("error", () => resolve(false));
      response.once("end", () => {
        const isFine = accepts(rule.status_codes, response.statusCode ?? 0);
        resolve(isFine && (rule.response === "" || text.includes(rule.response)));
      });
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(false));
    request.end();
  });
}

/** One probe as a service's health check describes it. */
export async function isHealthy(host: string, check: HealthCheck): Promise<boolean> {
  const timeoutMs = check.timeout * 1000;
  return check.protocol === "tcp" ? tcp(host, check.port, timeoutMs) : http(host, check, timeoutMs);
}
