/** Pulumi's own service, as far as a plugin uses it: lines on the user's screen. */
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

type Severity = "debug" | "info" | "warning";

const severities = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
} as const;

export interface PulumiLog {
  /** `host:port` of Pulumi's engine in the run under way. */
  attach(address: string): void;
  /** Sends one line for a resource, info as passing progress; a lost line is not an error. */
  log(urn: string, line: string, severity?: Severity): void;
  close(): void;
}

export function pulumiLog(): PulumiLog {
  const clients = new Map<string, EngineClient>();
  let current: EngineClient | undefined;
  return {
    attach: (address) => {
      current = clients.get(address) ?? new EngineClient(address, credentials.createInsecure());
      clients.set(address, current);
    },
    log: (urn, line, severity = "info") => {
      const request = new LogRequest()
        .setSeverity(severities[severity])
        .setMessage(line)
        .setUrn(urn)
        .setEphemeral(severity === "info");
      current?.log(request, new Metadata(), { deadline: Date.now() + 5000 }, () => undefined);
    },
    close: () => {
      for (const client of clients.values()) client.close();
      clients.clear();
    },
  };
}
