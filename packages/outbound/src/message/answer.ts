import type { Duplex, Readable } from 'node:stream';
import type { Fields, OutboundRequest } from './request.ts';

/** Maximum size of the head of an answer. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** An answer that is not an upgrade, and whose body is still being received. Its receiver must call `close`. */
export interface PlainAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly fields: Fields;
  readonly body: Readable;
  /** Called when the body was read to its end; throws `OutboundFailure` when that came too early. */
  checkComplete(): void;
  close(): void;
}

/** An answer whose body was received to its end. */
export interface WholeAnswer {
  readonly kind: 'whole';
  readonly status: number;
  readonly fields: Fields;
  readonly body: Buffer;
}

/** The server changed to the requested protocol. The receiver must close both ends of the connection. */
export interface UpgradedAnswer {
  readonly kind: 'upgraded';
  readonly fields: Fields;
  readonly socket: Duplex;
  /** Bytes of the new protocol that arrived with the head. */
  readonly early: Buffer;
}

export type ReceivedAnswer = PlainAnswer | WholeAnswer | UpgradedAnswer;

/** Bodies that are announced with at most this length are received to their end before the answer is returned. */
const WHOLE_BYTES = 64 * 1024;

/** The announced length of the body. */
export function announcedLength(fields: Fields): number | undefined {
  const text = fields['content-length'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Answers without a body, whatever length is announced. */
export const hasNoBody = (status: number, method: string): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/**
 * Number of bytes of a body that are received before the response is returned; undefined for a body that is streamed.
 */
export function collectedBytes(
  { method, maxAnswerBytes, isStreamed }: OutboundRequest,
  status: number,
  fields: Fields,
): number | undefined {
  if (maxAnswerBytes !== undefined) return maxAnswerBytes;
  if (isStreamed === true || hasNoBody(status, method)) return undefined;
  const length = announcedLength(fields);
  return length !== undefined && length <= WHOLE_BYTES ? length : undefined;
}

/** Reports whether the body of an answer is not read. */
export const isUnread = ({ maxAnswerBytes }: OutboundRequest, status: number): boolean =>
  maxAnswerBytes !== undefined && (status < 200 || status > 299);
