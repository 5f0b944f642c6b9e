import type { Reply } from '@orch/request';
import type { ResponseFormat } from '../encode/encodings.ts';
import { bytesReply } from '../request/reply.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Changed } from './change-object.ts';
import type { StoredState } from './create-object.ts';

/** How the object is written into the reply, and the warnings in its headers. */
export interface ReplyOptions {
  readonly format: ResponseFormat;
  readonly warnings?: readonly string[];
}

/** Replies with an object in the format that the client requested. */
export function objectReply(
  status: number,
  resource: StoredResource,
  { json, resourceVersion }: StoredState,
  { format, warnings = [] }: ReplyOptions,
): Reply {
  return bytesReply(status, format, resource.encodings.object(json, resourceVersion, format), warnings);
}

/** Replies with the object as a change left it. */
export const changedReply = (
  status: number,
  resource: StoredResource,
  { json, rev }: Changed,
  options: ReplyOptions,
): Reply => objectReply(status, resource, { json, resourceVersion: String(rev) }, options);
