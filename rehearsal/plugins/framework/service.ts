/** Pulumi's ResourceProvider calls, answered by one plugin stand-in. */
import { type handleUnaryCall, type ServerUnaryCall, type UntypedServiceImplementation } from "@grpc/grpc-js";
import * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { PulumiLog } from "./pulumi-log";
import { toServiceError, unimplemented } from "./errors";
import { Empty } from "./protobuf";
import { checkRequest, checkResponse, diffRequest, diffResponse, resourceType } from "./messages";
import type { PluginStandIn, ResourceStandIn } from "./types";
import { fromStruct, toStruct } from "./values";

export interface Running {
  readonly log: PulumiLog;
  /** One for each call under way: aborted by Cancel. */
  readonly calls: Set<AbortController>;
}

const unary =
  <Req, Res>(
    answer: (request: Req, call: ServerUnaryCall<Req, Res>) => Promise<Res>,
  ): handleUnaryCall<Req, Res> =>
  (call, callback) => {
    answer(call.request, call).then(
      (response) => callback(null, response),
      (error: unknown) => callback(toServiceError(error)),
    );
  };

const refuse =
  (details: string): handleUnaryCall<unknown, unknown> =>
  (_call, callback) =>
    callback(unimplemented(details));

interface Identified {
  getUrn(): string;
  getName(): string;
}
const nameOf = (request: Identified): string =>
  request.getName() || (request.getUrn().split("::").at(-1) ?? "");

/** Runs work that Cancel, the caller's end or the resource's own time-out (seconds, 0 for none) may stop. */
async function cancellable<T>(
  running: Running,
  call: CallWithTimeout,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const seconds = call.request.getTimeout();
  const timer =
    seconds > 0
      ? setTimeout(() => controller.abort(new Error("operation timed out")), seconds * 1000)
      : undefined;
  running.calls.add(controller);
  call.on("cancelled", () => controller.abort(new Error("operation canceled")));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    running.calls.delete(controller);
  }
}

interface CallWithTimeout {
  readonly request: { getTimeout(): number };
  on(event: "cancelled", listener: (reason: string) => void): unknown;
}

/** Handlers of Create, Update and Delete. */
function lifecycle(standIn: PluginStandIn, running: Running): UntypedServiceImplementation {
  const common = (request: Identified & { getUrn(): string }, signal: AbortSignal) => ({
    urn: request.getUrn(),
    name: nameOf(request),
    signal,
    log: logTo(running, request.getUrn()),
  });
  return {
    create: unary<provider.CreateRequest, provider.CreateResponse>((request, call) =>
      cancellable(running, call, async (signal) => {
        const inputs = fromStruct(request.getProperties());
        const made = await resource(standIn, request).create({
          ...common(request, signal),
          inputs,
          preview: request.getPreview(),
        });
        return new provider.CreateResponse().setId(made.id).setProperties(toStruct(made.state));
      }),
    ),
    update: unary<provider.UpdateRequest, provider.UpdateResponse>((request, call) =>
      cancellable(running, call, async (signal) => {
        const updated = await resource(standIn, request).update({
          ...common(request, signal),
          id: request.getId(),
          inputs: fromStruct(request.getNews()),
          preview: request.getPreview(),
          olds: fromStruct(request.getOlds()),
          oldInputs: fromStruct(request.getOldInputs()),
          ignoreChanges: request.getIgnorechangesList(),
        });
        return new provider.UpdateResponse().setProperties(toStruct(updated.state));
      }),
    ),
    delete: unary<provider.DeleteRequest, InstanceType<typeof Empty>>((request, call) =>
      cancellable(running, call, async (signal) => {
        const [state, oldInputs] = [fromStruct(request.getProperties()), fromStruct(request.getOldInputs())];
        await resource(standIn, request).delete({
          ...common(request, signal),
          id: request.getId(),
          state,
          oldInputs,
        });
        return new Empty();
      }),
    ),
  };
}

const logTo = (running: Running, urn: string) => (line: string, severity?: "debug" | "info" | "warning") =>
  running.log.log(urn, line, severity);

function resource(standIn: PluginStandIn, request: { getUrn(): string; getType(): string }): ResourceStandIn {
  const type = resourceType(request);
  const found = standIn.resources[type];
  if (found === undefined) throw new Error(`the rehearsal's ${standIn.name} plugin has no resource ${type}`);
  return found;
}

/** Handlers that look at values and change nothing. */
function questions(standIn: PluginStandIn, running: Running): UntypedServiceImplementation {
  const { diffConfig } = standIn;
  return {
    checkConfig: unary<provider.CheckRequest, provider.CheckResponse>(async (request) =>
      checkResponse(await standIn.checkConfig(checkRequest(request, nameOf(request)))),
    ),
    diffConfig:
      diffConfig === undefined
        ? refuse("DiffConfig is not implemented")
        : unary<provider.DiffRequest, provider.DiffResponse>(async (request) =>
            diffResponse(await diffConfig(diffRequest(request, logTo(running, request.getUrn())))),
          ),
    check: unary<provider.CheckRequest, provider.CheckResponse>(async (request) =>
      checkResponse(await resource(standIn, request).check(checkRequest(request, nameOf(request)))),
    ),
    diff: unary<provider.DiffRequest, provider.DiffResponse>(async (request) =>
      diffResponse(
        await resource(standIn, request).diff(diffRequest(request, logTo(running, request.getUrn()))),
      ),
    ),
    read: unary<provider.ReadRequest, provider.ReadResponse>(async (request) => {
      const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
      const found = await resource(standIn, request).read({
        urn: request.getUrn(),
        id: request.getId(),
        state,
        inputs,
      });
      if (found === undefined) return new provider.ReadResponse();
      return new provider.ReadResponse()
        .setId(found.id)
        .setProperties(toStruct(found.state))
        .setInputs(toStruct(found.inputs));
    }),
    invoke: unary<provider.InvokeRequest, provider.InvokeResponse>(async (request) => {
      const call = standIn.functions[request.getTok()];
      if (call === undefined)
        throw new Error(`the rehearsal's ${standIn.name} plugin has no function ${request.getTok()}`);
      return new provider.InvokeResponse().setReturn(
        toStruct(await call(fromStruct(request.getArgs()), request.getPreview())),
      );
    }),
  };
}

/** Handlers about the plugin itself. */
function itself(standIn: PluginStandIn, running: Running): UntypedServiceImplementation {
  return {
    handshake: (
      call: ServerUnaryCall<provider.ProviderHandshakeRequest, never>,
      callback: (error: object) => void,
    ) => {
      if (call.request.getEngineAddress() !== "") running.log.attach(call.request.getEngineAddress());
      callback(unimplemented("method Handshake not implemented"));
    },
    attach: unary<plugin.PluginAttach, InstanceType<typeof Empty>>(async (request) => {
      if (request.getAddress() !== "") running.log.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: unary<unknown, plugin.PluginInfo>(async () =>
      new plugin.PluginInfo().setVersion(standIn.version),
    ),
    getSchema: unary<provider.GetSchemaRequest, provider.GetSchemaResponse>(async () =>
      new provider.GetSchemaResponse().setSchema(
        JSON.stringify({ name: standIn.name, version: standIn.version }),
      ),
    ),
    configure: unary<provider.ConfigureRequest, provider.ConfigureResponse>(async (request) => {
      await standIn.configure(fromStruct(request.getArgs()));
      const { capabilities } = standIn;
      return new provider.ConfigureResponse()
        .setAcceptsecrets(capabilities.acceptSecrets)
        .setSupportspreview(capabilities.supportsPreview)
        .setAcceptresources(capabilities.acceptResources)
        .setAcceptoutputs(capabilities.acceptOutputs)
        .setSupportsAutonamingConfiguration(capabilities.supportsAutonamingConfiguration ?? false);
    }),
    cancel: unary<unknown, InstanceType<typeof Empty>>(async () => {
      for (const call of running.calls) call.abort(new Error("operation canceled"));
      return new Empty();
    }),
  };
}

export const providerService = (standIn: PluginStandIn, running: Running): UntypedServiceImplementation => ({
  ...itself(standIn, running),
  ...questions(standIn, running),
  ...lifecycle(standIn, running),
});
