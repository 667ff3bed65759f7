/** The one error that failed calls throw. See infra/docs/rules.md#errors. */
import type { ErrorBody } from "@/contract";

export class ApiError extends Error {
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly errors: ErrorBody["errors"];

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code;
    this.params = body.params;
    this.errors = body.errors;
  }

  /** Whether no answer came: the same call may be sent again. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Whether the record changed in the meantime or its state forbids the call: show the newest state. */
  get isConflict(): boolean {
    return this.status === 409 || this.status === 412;
  }
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}

/**
 * Make the error of a refused call. `body`: the parsed body. A body in another format came from a
 * proxy.
 */
export function refusalOf(status: number, body: unknown): ApiError {
  if (!isErrorBody(body)) {
    const code = status === 0 ? "unreachable" : "unexpected_answer";
    return new ApiError(status, { code, message: String(status), params: {}, errors: [] });
  }
  return new ApiError(status, { ...body, params: body.params ?? {}, errors: body.errors ?? [] });
}

export function asApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  return new ApiError(0, { code: "unreachable", message: String(reason), params: {}, errors: [] });
}
