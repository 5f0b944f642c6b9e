import type { Delivery } from '../http2/stream.ts';

/** Status codes of gRPC that this client distinguishes. */
export const GrpcCode = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * Why a call failed:
 * - `answered`: the server returned an error, see `code` and `message`.
 * - `failed`: the transport failed: the connection was lost, or the answer was malformed.
 * - `deadline`: no answer in time.
 * - `aborted`: the caller's signal; `cause` is its reason.
 * - `closed`: the channel was closed.
 */
export type RpcFailure = 'answered' | 'failed' | 'deadline' | 'aborted' | 'closed';

/** A failed call. `delivery`: whether the server may have processed it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly failure: RpcFailure;
  /** One of {@link GrpcCode}; meaningful when `answered`. */
  readonly code: number;
  readonly delivery: Delivery | 'refused';

  constructor(
    failure: RpcFailure,
    message: string,
    details: { readonly code?: number; readonly delivery: Delivery | 'refused'; readonly cause?: unknown },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.failure = failure;
    this.code = details.code ?? GrpcCode.unavailable;
    this.delivery = details.delivery;
  }

  /** True when the server certainly did not process the call: it never received the whole request, or refused it. */
  get neverProcessed(): boolean {
    return this.delivery !== 'sent';
  }
}

/** Decodes `grpc-message`: percent-encoded UTF-8; malformed parts are kept unchanged. */
export function decodeGrpcMessage(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The status that a gRPC client assumes for an HTTP status without `grpc-status`. */
export function codeOfHttpStatus(status: number): number {
  switch (status) {
    case 400:
      return GrpcCode.internal;
    case 401:
      return GrpcCode.unauthenticated;
    case 403:
      return GrpcCode.permissionDenied;
    case 404:
      return GrpcCode.unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return GrpcCode.unavailable;
    default:
      return GrpcCode.unknown;
  }
}
