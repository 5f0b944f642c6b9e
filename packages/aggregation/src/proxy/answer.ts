import { type BackendDialer, proxiedFields, proxiedReply } from '@orch/connect';
import { errors } from '@orch/machinery';
import {
  announcedLength,
  hasNoBody,
  OutboundFailure,
  type PlainAnswer,
  type ReceivedAnswer,
  readAnswer,
  type WholeAnswer,
} from '@orch/outbound';
import type { ApiRequest, HeaderList, Reply } from '@orch/request';

/** Maximum size of a discovery document, in bytes. */
const DOCUMENT_BYTES = 1024 * 1024;

export interface Answering {
  readonly request: ApiRequest;
  readonly dialer: BackendDialer;
}

/** Header fields with which an extension API server would act for the whole origin. */
const dropped: readonly string[] = ['Set-Cookie', 'Www-Authenticate'];

/**
 * The answer of an extension API server as a reply. Throws `ApiError` 502 for a redirect, which is neither followed nor
 * passed on: clients would send their credentials there. Throws `OutboundFailure` for a malformed answer.
 */
export function replyOf(answer: ReceivedAnswer, { request, dialer }: Answering): Reply {
  checkAnswer(answer);
  const headers = fieldsOf(answer);
  if (answer.kind === 'answer') return proxiedReply(answer, headers, dialer.passing(request));
  return { kind: 'bytes', status: answer.status, headers, body: answer.body };
}

/** As `replyOf`, for a discovery document: it is read completely before the signal aborts. */
export async function documentReplyOf(
  answer: ReceivedAnswer,
  answering: Answering,
  signal: AbortSignal,
): Promise<Reply> {
  checkAnswer(answer);
  if (answer.kind === 'whole' || hasNoBody(answer.status, answering.request.method))
    return replyOf(answer, answering);
  const body = await wholeBody(answer, signal);
  return { kind: 'bytes', status: answer.status, headers: fieldsOf(answer), body };
}

function checkAnswer(answer: ReceivedAnswer): asserts answer is PlainAnswer | WholeAnswer {
  if (answer.kind === 'upgraded') {
    answer.socket.destroy();
    throw new OutboundFailure('it changed to a protocol that was not requested');
  }
  const { status, fields } = answer;
  const isRedirect = status >= 300 && status <= 399 && status !== 304;
  if (status >= 200 && status <= 599 && !(isRedirect && fields['location'] !== undefined)) return;
  if (answer.kind === 'answer') answer.close();
  if (!isRedirect) throw new OutboundFailure(`it answered with status ${status}, which does not exist`);
  throw errors.plain(502, 'the backend attempted to redirect this request, which is not permitted');
}

function fieldsOf({ fields }: PlainAnswer | WholeAnswer): HeaderList {
  const headers = proxiedFields(fields, undefined);
  if (!dropped.some((name) => name in headers)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)));
}

/** Rejects with `OutboundFailure` when the body is too long, or does not have the announced length. */
async function wholeBody(answer: PlainAnswer, signal: AbortSignal): Promise<Buffer> {
  const body = Buffer.concat(await readAnswer(answer, DOCUMENT_BYTES, signal));
  if (body.length > DOCUMENT_BYTES)
    throw new OutboundFailure(`its answer is larger than ${DOCUMENT_BYTES} bytes`);
  const length = announcedLength(answer.fields);
  if (length !== undefined && body.length !== length)
    throw new OutboundFailure('its answer does not have the announced length');
  return body;
}
