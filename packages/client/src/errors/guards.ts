import { ApiError, type ApiObject, type Status } from '@orch/machinery';
import type { RefusedRequest } from '../rest/refused-request.ts';

/** Reasons of a Status with the code that stands for each where a server gives no reason, or one that is not listed. */
const codes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  Conflict: 409,
  AlreadyExists: undefined,
  Gone: undefined,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: undefined,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const satisfies Readonly<Record<string, number | undefined>>;

/** A reason of a failure that has a guard. */
export type FailureReason = keyof typeof codes;

const isKnown = (reason: string): reason is FailureReason => Object.hasOwn(codes, reason);

/**
 * Reports whether an error is the answer of a server, with `code`, `reason` and `details`. False for a request that the client
 * refused to send, and for a request without an answer (`TransportError`).
 */
export const isApiError = (error: unknown): error is ApiError =>
  isStatusError(error) && error.name !== REFUSED;

/** Reports whether the client refused to send a request. No server has seen it. */
export const isRefusedRequest = (error: unknown): error is RefusedRequest =>
  isStatusError(error) && error.name === REFUSED;

/** Reports whether the answer to a deletion is the Status of a removal, and not the object that is being deleted. */
export const isStatus = (answer: ApiObject | Status): answer is Status =>
  answer.kind === 'Status' && answer.apiVersion === 'v1';

const REFUSED = 'RefusedRequest';
const names: readonly string[] = ['ApiError', REFUSED];

/** By its name, not only by its class: a process may have the library twice, as modules and as CommonJS. */
const isStatusError = (error: unknown): error is ApiError =>
  error instanceof ApiError ||
  (error instanceof Error && names.includes(error.name) && typeof Reflect.get(error, 'code') === 'number');

/** Reports whether a server answered with the reason, or with its code and no reason that is known. */
export function hasReason(error: unknown, reason: FailureReason): error is ApiError {
  if (!isApiError(error)) return false;
  return error.reason === reason || (!isKnown(error.reason) && error.code === codes[reason]);
}

const guard =
  (reason: FailureReason) =>
  (error: unknown): error is ApiError =>
    hasReason(error, reason);

/** The request is malformed. */
export const isBadRequest = guard('BadRequest');
/** The credentials are missing or not valid. */
export const isUnauthorized = guard('Unauthorized');
/** The user may not do this, or an admission plugin denied it. */
export const isForbidden = guard('Forbidden');
/** There is no such object or resource. */
export const isNotFound = guard('NotFound');
/** The resource does not have the verb. */
export const isMethodNotAllowed = guard('MethodNotAllowed');
/** The server has none of the accepted media types. */
export const isNotAcceptable = guard('NotAcceptable');
/** The object was changed concurrently. An existing name is not a conflict: reading again does not help. */
export const isConflict = guard('Conflict');
/** There is an object of that name. */
export const isAlreadyExists = guard('AlreadyExists');
/** The body is too large. */
export const isTooLarge = guard('RequestEntityTooLarge');
/** The server does not read the media type of the body. */
export const isUnsupportedMediaType = guard('UnsupportedMediaType');
/** The object is not valid: `details.causes` has the fields. */
export const isInvalid = guard('Invalid');
/** The server limits requests, or a budget blocks an eviction: `details.retryAfterSeconds`. */
export const isTooManyRequests = guard('TooManyRequests');
/** The server failed. */
export const isInternalError = guard('InternalError');
/** The server could not complete the request in time; the request may be repeated. */
export const isServerTimeout = guard('ServerTimeout');
/** The server, or a server behind it, is not available. */
export const isServiceUnavailable = guard('ServiceUnavailable');
/** The request took too long. A write may have happened. */
export const isTimeout = guard('Timeout');
