/** An answer that refuses a request: HTTP status and the API's error body. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, answer: { code: string; message: string; details?: unknown }) {
    super(answer.message);
    this.status = status;
    this.code = answer.code;
    this.details = answer.details ?? null;
  }
}

/** One field of a request and what is wrong with it. */
export interface FieldFault {
  readonly name: string;
  readonly messages: readonly string[];
}

/** 422 `code`: a rule of the resource is broken. */
export const refused = (code: string, message: string): ApiError => new ApiError(422, { code, message });

export const notFound = (kind: string, id: number | string): ApiError =>
  new ApiError(404, { code: "not_found", message: `${kind} with ID '${id}' not found` });

export const nameTaken = (kind: string): ApiError =>
  new ApiError(409, { code: "uniqueness_error", message: `${kind} name is already used` });

export const locked = (kind: string): ApiError =>
  new ApiError(423, { code: "locked", message: `${kind} is locked by another action` });

export const conflict = (): ApiError =>
  new ApiError(409, { code: "conflict", message: "another change of the network is in progress" });

export const deleteProtected = (kind: string): ApiError =>
  new ApiError(423, { code: "protected", message: `${kind} deletion is protected` });

export const limitExceeded = (kind: string): ApiError =>
  new ApiError(403, { code: "resource_limit_exceeded", message: `${kind} limit exceeded` });

export const outOfStock = (): ApiError =>
  new ApiError(412, { code: "resource_unavailable", message: "error during placement" });

/** 422 `invalid_input` with its fields; the text names the first one, as the API does. */
export const invalidFields = (fields: readonly FieldFault[]): ApiError => {
  const [first] = fields;
  const message =
    first === undefined
      ? "invalid input"
      : `invalid input in field '${first.name}': ${first.messages.join(", ")}`;
  return new ApiError(422, { code: "invalid_input", message, details: { fields } });
};

export const invalid = (name: string, message: string): ApiError =>
  invalidFields([{ name, messages: [message] }]);
