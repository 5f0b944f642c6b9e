import { type BackendAnswer, BackendFailure, proxiedFields, proxiedReply } from '@orch/connect';
import { errors } from '@orch/machinery';
import type { ApiRequest, HeaderList, Reply, RequestInfo } from '@orch/request';
import { type PlainAnswer, readAnswer } from '../backend/read-answer.ts';

/** Bodies up to this size are read before the reply is written, in one piece. */
const WHOLE_BYTES = 64 * 1024;

export interface Answering {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly passing: Parameters<typeof proxiedReply>[2];
}

/** Fields of an answer with which an extension API server would act for the whole origin. */
const dropped: readonly string[] = ['Set-Cookie', 'Www-Authenticate'];

/**
 * The answer of an extension API server as a reply. Throws `ApiError` 502 for a redirect, which is neither followed nor
 * passed on: clients would send their credentials there. Throws `BackendFailure` for a malformed answer.
 */
export async function replyOf(answer: BackendAnswer, answering: Answering): Promise<Reply> {
  if (answer.kind === 'upgraded') {
    answer.socket.destroy();
    throw new BackendFailure('it changed to a protocol that was not requested');
  }
  checkStatus(answer);
  const headers = fieldsOf(answer);
  const { request, passing } = answering;
  const length = wholeLength(answer, request);
  if (length === undefined) return proxiedReply(answer, headers, passing);
  const body = await wholeBody(answer, length, request.signal);
  return { kind: 'bytes', status: answer.status, headers, body };
}

function checkStatus(answer: PlainAnswer): void {
  const { status, fields } = answer;
  const isRedirect = status >= 300 && status <= 399 && status !== 304;
  if (status >= 200 && status <= 599 && !(isRedirect && fields['location'] !== undefined)) return;
  answer.close();
  if (!isRedirect) throw new BackendFailure(`it answered with status ${status}, which does not exist`);
  throw errors.plain(502, 'the backend attempted to redirect this request, which is not permitted');
}

function fieldsOf({ fields }: PlainAnswer): HeaderList {
  const headers: Record<string, string | readonly string[]> = { ...proxiedFields(fields, undefined) };
  for (const name of dropped) delete headers[name];
  return headers;
}

/** The length of a body that is small enough to be read whole; undefined for others, and for replies without one. */
function wholeLength({ status, fields }: PlainAnswer, { method }: ApiRequest): number | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return undefined;
  const text = fields['content-length'];
  const length = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return length !== undefined && length <= WHOLE_BYTES ? length : undefined;
}

/** Rejects with `BackendFailure` when the body ends early or is longer than announced. */
async function wholeBody(answer: PlainAnswer, length: number, signal: AbortSignal): Promise<Buffer> {
  const pieces = await readAnswer(answer, length, signal);
  const [only = Buffer.alloc(0)] = pieces;
  const body = pieces.length < 2 ? only : Buffer.concat(pieces);
  if (body.length !== length) throw new BackendFailure('its answer has another length than announced');
  return body;
}
