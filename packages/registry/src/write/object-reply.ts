import type { Reply } from '@orch/request';
import type { Form } from '../encode/encodings.ts';
import { bytesReply } from '../request/reply.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Changed } from './change-object.ts';
import type { StoredState } from './create-object.ts';

/** Answers with an object in the form that the client asked for. */
export function objectReply(
  status: number,
  resource: StoredResource,
  { json, resourceVersion }: StoredState,
  form: Form,
  warnings: readonly string[] = [],
): Reply {
  return bytesReply(status, form, resource.encodings.object(json, resourceVersion, form), warnings);
}

/** Answers with the object that a change left behind. */
export const changedReply = (
  status: number,
  resource: StoredResource,
  { json, rev }: Changed,
  form: Form,
  warnings: readonly string[] = [],
): Reply => objectReply(status, resource, { json, resourceVersion: String(rev) }, form, warnings);
