/** Failures as Pulumi reads them: status Unknown, the message as it is, and details where a resource was half made. */
import { Metadata, status as codes, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "./protobuf";
import type { Props } from "./types";
import { toStruct } from "./values";

/**
 * Throw from create, update or read when the thing exists but is not right: it stays in the state with these
 * properties, the run fails with the message, and the next run updates it.
 */
export class PartialFailure extends Error {
  readonly id: string;
  readonly state: Props;
  readonly inputs: Props | undefined;

  constructor(
    message: string,
    known: { readonly id: string; readonly state: Props; readonly inputs?: Props },
  ) {
    super(message);
    this.id = known.id;
    this.state = known.state;
    this.inputs = known.inputs;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const partialDetails = (error: PartialFailure): Metadata => {
  const detail = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(toStruct(error.state))
    .setReasonsList([error.message]);
  if (error.inputs !== undefined) detail.setInputs(toStruct(error.inputs));
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const trailer = new Metadata();
  const message = new Status().setCode(codes.UNKNOWN).setMessage(error.message).setDetailsList([any]);
  trailer.set("grpc-status-details-bin", Buffer.from(message.serializeBinary()));
  return trailer;
};

/** What a failed call answers. */
export function toServiceError(error: unknown): Partial<ServiceError> {
  const message = messageOf(error);
  const failure = { code: codes.UNKNOWN, details: message, message, name: "Error" };
  return error instanceof PartialFailure ? { ...failure, metadata: partialDetails(error) } : failure;
}

export const unimplemented = (details: string): Partial<ServiceError> => ({
  code: codes.UNIMPLEMENTED,
  details,
});
