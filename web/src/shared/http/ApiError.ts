/** Every failed call, in one shape. See infra/docs/rules.md#errors. */
import type { ErrorBody } from "@/contract";

export class ApiError extends Error {
  /** The HTTP status; 0 where no answer came. */
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

  /** No answer came: what was typed stays, and the same call may be sent again. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Somebody was quicker, or the state does not allow it: the newest state must be shown. */
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

export function asApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  return new ApiError(0, { code: "unreachable", message: String(reason), params: {}, errors: [] });
}
