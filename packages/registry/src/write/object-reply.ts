import { type Answer, failedAfterWriting, type Reply } from '@orch/request';
import { withConversions } from '../convert/conversion-needed.ts';
import type { ResponseFormat } from '../encode/response-format.ts';
import { bytesReply } from '../request/reply.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Changed } from './change.ts';
import type { StoredState } from './create-object.ts';

/** How the object is written to the reply. */
export interface ReplyOptions {
  readonly format: ResponseFormat;
}

/** The object has been written: its conversion continues when the request ends, within its own time limit. */
const never = new AbortController().signal;

/** Replies with a written object in the format that the client requested. */
export function objectReply(
  status: number,
  resource: StoredResource,
  { json, resourceVersion }: StoredState,
  { format }: ReplyOptions,
): Answer {
  const replyWith = (body: Buffer): Reply => bytesReply(status, format, body);
  const reply = (): Answer => {
    const body = resource.encodings.objectInTurns(json, resourceVersion, format);
    return body instanceof Promise ? body.then(replyWith) : replyWith(body);
  };
  if (resource.type.objectConverter === undefined) return reply();
  return withConversions(reply, never).catch((cause: unknown) => {
    throw failedAfterWriting(cause);
  });
}

/** Replies with the object after a change. */
export const changedReply = (
  status: number,
  resource: StoredResource,
  { json, rev }: Changed,
  options: ReplyOptions,
): Answer => objectReply(status, resource, { json, resourceVersion: String(rev) }, options);
