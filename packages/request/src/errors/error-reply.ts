import { ApiError, errors, type Status } from '@orch/machinery';
import { StoreError } from '@orch/storage';
import type { BytesReply, HeaderList } from '../message/types.ts';
import type { StatusEncoder } from './status-encoder.ts';

/** The request properties on which an error reply depends. */
export interface ErrorContext {
  /** Id of the request, which the message of an unexpected error refers to. */
  readonly requestId: string;
  /** The client requested `pretty` output. */
  readonly pretty: boolean;
  readonly accept: string | undefined;
}

/** Converts a store error to an API error (spec 7). */
export function apiErrorOfStore(error: StoreError): ApiError {
  switch (error.code) {
    case 'compacted':
      return errors.expired(`The resourceVersion is too old: ${error.message}`);
    case 'futureRevision':
      return errors.timeout(`Too large resource version: ${error.message}`, 1, [
        { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
      ]);
    case 'unavailable':
      return errors.serviceUnavailable(`the storage is unavailable: ${error.message}`);
    case 'full':
      return errors.storageFull(error.message);
    case 'outcomeUnknown':
      // Without Retry-After: clients would repeat the request, regardless of its method.
      return errors.timeout(`it is unknown whether the request took effect: ${error.message}`);
    case 'tooLarge':
      return errors.objectTooLarge(`the object is too large to be stored: ${error.message}`);
    case 'closed':
      return errors.serviceUnavailable('the server is shutting down');
    case 'corrupt':
      return errors.internal(error, 'the storage returned data that cannot be read');
  }
}

/**
 * Converts any thrown value to an API error. Values other than `ApiError` and `StoreError` are internal errors: the
 * client receives the id of the request only.
 */
export function apiErrorOf(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreError) return apiErrorOfStore(error);
  return errors.internal(
    error,
    `an unexpected error occurred; it is in the server's log under request ${requestId}`,
  );
}

/** True for internal errors, which are logged. */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof ApiError) && (!(error instanceof StoreError) || error.code === 'corrupt');

const jsonHeaders: HeaderList = { 'Content-Type': 'application/json' };

/** The reply with a Status as JSON (spec 7). `retryAfterSeconds` is also sent as a header. */
export function statusReply(status: Status, pretty: boolean): BytesReply {
  const text = pretty ? JSON.stringify(status, undefined, 2) : JSON.stringify(status);
  return replyWith(status, jsonHeaders, Buffer.from(`${text}\n`));
}

function replyWith(status: Status, headers: HeaderList, body: Buffer): BytesReply {
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    kind: 'bytes',
    status: status.code,
    headers: retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) },
    body,
  };
}

/** The reply to a failed request, in a format that the client accepts. */
export function errorReply(error: unknown, context: ErrorContext, encode: StatusEncoder): BytesReply {
  const { status } = apiErrorOf(error, context.requestId);
  const encoded = encode(status, context.accept);
  if (encoded === undefined) return statusReply(status, context.pretty);
  return replyWith(status, { 'Content-Type': encoded.contentType }, encoded.body);
}
