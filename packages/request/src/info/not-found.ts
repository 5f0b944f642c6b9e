import { errors, type Names, namingOf } from '@orch/machinery';
import type { BytesReply } from '../message/types.ts';

/** The bare 404 for a path of the API that leads to no group or version. */
export const pageNotFound: BytesReply = Object.freeze({
  kind: 'bytes',
  status: 404,
  headers: Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' }),
  body: Buffer.from('404 page not found\n'),
});

/**
 * The answer for a path of the API that leads to no group or version: for a group of the other naming a failure, so that
 * its message can say so, else the bare 404.
 */
export function groupNotFound(group: string, { naming }: Pick<Names, 'naming'>): BytesReply {
  const other = namingOf(group);
  if (other !== undefined && other !== naming) throw errors.resourceNotFound();
  return pageNotFound;
}
