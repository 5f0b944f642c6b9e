import { type BackendAnswer, BackendFailure, type Fields } from '@orch/connect';

/** An answer that is not an upgrade, and whose body is still being received. */
export type PlainAnswer = Extract<BackendAnswer, { kind: 'answer' }>;

/** An answer whose body was received to its end. */
export interface WholeAnswer {
  readonly kind: 'whole';
  readonly status: number;
  readonly fields: Fields;
  readonly body: Buffer;
}

export type ReceivedAnswer = BackendAnswer | WholeAnswer;

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

/** The length of a body that is received before the answer is returned; undefined for any other answer. */
export function wholeLength(status: number, method: string, fields: Fields): number | undefined {
  if (hasNoBody(status, method)) return undefined;
  const length = announcedLength(fields);
  return length !== undefined && length <= WHOLE_BYTES ? length : undefined;
}

export const brokenAnswer = (cause?: Error): BackendFailure =>
  new BackendFailure('the connection was closed before the end of its answer', { cause });

export const noAnswer = (cause?: Error): BackendFailure =>
  new BackendFailure(cause?.message ?? 'the connection was closed before an answer', { cause });
