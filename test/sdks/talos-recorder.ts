import * as pulumi from "@pulumi/pulumi";

/** A request as the engine would get it. */
export interface Sent {
  readonly kind: "resource" | "function";
  readonly token: string;
  readonly version: string;
  readonly pluginDownloadURL: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly additionalSecretOutputs: readonly string[];
}

interface WireObject {
  toJavaScript(): Record<string, unknown>;
}
interface RegisterRequest {
  getType(): string;
  getVersion(): string;
  getPlugindownloadurl(): string;
  getObject(): WireObject;
  getAdditionalsecretoutputsList(): string[];
}
interface InvokeRequest {
  getTok(): string;
  getVersion(): string;
  getPlugindownloadurl(): string;
  getArgs(): WireObject;
}
interface Monitor {
  registerResource(request: RegisterRequest, callback: unknown): unknown;
  invoke(request: InvokeRequest, callback: unknown): unknown;
}

/** Installs mocks that echo inputs, and records the very requests; `drain` waits for all of them. */
export const record = async (): Promise<{ sent: Sent[]; drain: () => Promise<void> }> => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: `${name}-id`,
      state: { ...(inputs as object), machineConfiguration: "mc", kubeconfigRaw: "kc" },
    }),
    call: ({ inputs }) => ({ ...(inputs as object), machineConfiguration: "mc", talosConfig: "tc" }),
  });
  const sent: Sent[] = [];
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const register = monitor.registerResource.bind(monitor);
  const invoke = monitor.invoke.bind(monitor);
  monitor.registerResource = (request, callback) => {
    sent.push({
      kind: "resource",
      token: request.getType(),
      version: request.getVersion(),
      pluginDownloadURL: request.getPlugindownloadurl(),
      properties: request.getObject().toJavaScript(),
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    });
    return register(request, callback);
  };
  monitor.invoke = (request, callback) => {
    sent.push({
      kind: "function",
      token: request.getTok(),
      version: request.getVersion(),
      pluginDownloadURL: request.getPlugindownloadurl(),
      properties: request.getArgs().toJavaScript(),
      additionalSecretOutputs: [],
    });
    return invoke(request, callback);
  };
  return { sent, drain: () => pulumi.runtime.disconnect() };
};
