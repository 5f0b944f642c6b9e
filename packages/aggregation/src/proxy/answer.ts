import { type BackendAnswer, BackendFailure, proxiedFields, proxiedReply } from '@orch/connect';
import { errors } from '@orch/machinery';
import type { ApiRequest, HeaderList, Reply } from '@orch/request';
import { type PlainAnswer, readAnswer } from '../backend/read-answer.ts';

/** Bytes of a discovery document. */
const DOCUMENT_BYTES = 1024 * 1024;
/** Bodies up to this size are read before the reply is written, in one piece. */
const WHOLE_BYTES = 64 * 1024;

export interface Answering {
  readonly request: ApiRequest;
  readonly passing: Parameters<typeof proxiedReply>[2];
}

/** Fields of an answer with which an extension API server would act for the whole origin. */
const dropped: readonly string[] = ['Set-Cookie', 'Www-Authenticate'];

/**
 * The answer of an extension API server as a reply. Throws `ApiError` 502 for a redirect, which is neither followed nor
 * passed on: clients would send their credentials there. Throws `BackendFailure` for a malformed answer.
 */
export async function replyOf(answer: BackendAnswer, answering: Answering): Promise<Reply> {
  checkAnswer(answer);
  const headers = fieldsOf(answer);
  const { request, passing } = answering;
  const length = lengthOf(answer);
  if (length === undefined || length > WHOLE_BYTES || hasNoBody(answer, request))
    return proxiedReply(answer, headers, passing);
  const body = await wholeBody(answer, { atMost: length, length }, request.signal);
  return { kind: 'bytes', status: answer.status, headers, body };
}

/** As `replyOf`, for a discovery document: it is read completely before the signal aborts. */
export async function documentReplyOf(
  answer: BackendAnswer,
  answering: Answering,
  signal: AbortSignal,
): Promise<Reply> {
  checkAnswer(answer);
  if (hasNoBody(answer, answering.request)) return replyOf(answer, answering);
  const headers = fieldsOf(answer);
  const body = await wholeBody(answer, { atMost: DOCUMENT_BYTES, length: lengthOf(answer) }, signal);
  return { kind: 'bytes', status: answer.status, headers, body };
}

function checkAnswer(answer: BackendAnswer): asserts answer is PlainAnswer {
  if (answer.kind === 'upgraded') {
    answer.socket.destroy();
    throw new BackendFailure('it changed to a protocol that was not requested');
  }
  const { status, fields } = answer;
  const isRedirect = status >= 300 && status <= 399 && status !== 304;
  if (status >= 200 && status <= 599 && !(isRedirect && fields['location'] !== undefined)) return;
  answer.close();
  if (!isRedirect) throw new BackendFailure(`it answered with status ${status}, which does not exist`);
  throw errors.plain(502, 'the backend attempted to redirect this request, which is not permitted');
}

function fieldsOf({ fields }: PlainAnswer): HeaderList {
  const headers = proxiedFields(fields, undefined);
  if (!dropped.some((name) => name in headers)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)));
}

const hasNoBody = ({ status }: PlainAnswer, { method }: ApiRequest): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/** The announced length of the body. */
function lengthOf({ fields }: PlainAnswer): number | undefined {
  const text = fields['content-length'];
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

interface BodyLength {
  readonly atMost: number;
  /** As announced. */
  readonly length: number | undefined;
}

/** Rejects with `BackendFailure` when the body is too long, or has another length than announced. */
async function wholeBody(
  answer: PlainAnswer,
  { atMost, length }: BodyLength,
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces = await readAnswer(answer, atMost, signal);
  const [only = Buffer.alloc(0)] = pieces;
  const body = pieces.length < 2 ? only : Buffer.concat(pieces);
  if (body.length > atMost && length !== atMost)
    throw new BackendFailure(`its answer is larger than ${atMost} bytes`);
  if (length !== undefined && body.length !== length)
    throw new BackendFailure('its answer has another length than announced');
  return body;
}
