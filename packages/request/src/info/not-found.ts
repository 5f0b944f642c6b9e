import { errors, type Names, namingOf } from '@orch/machinery';
import type { BytesReply } from '../message/types.ts';

/** The 404 without a Status, for a path that denotes no group or version. */
export const pageNotFound: BytesReply = Object.freeze({
  kind: 'bytes',
  status: 404,
  headers: Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' }),
  body: Buffer.from('404 page not found\n'),
});

/**
 * The reply for a path that denotes no group or version: an error for a group of the other naming, whose message names
 * the naming, else the bare 404.
 */
export function groupNotFound(group: string, { naming }: Pick<Names, 'naming'>): BytesReply {
  const other = namingOf(group);
  if (other !== undefined && other !== naming) throw errors.resourceNotFound();
  return pageNotFound;
}
