import { createHash } from 'node:crypto';
import type { BytesReply, HeaderList } from '@orch/request';

/** A cached document with its ETag. */
export interface TaggedDocument {
  readonly body: Buffer;
  /** In quotes. */
  readonly etag: string;
}

export const tagged = (body: Buffer): TaggedDocument => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`,
});

/** The document, or 304 for a client that has it already (RFC 9110 section 13.1.2). */
export function taggedReply(
  document: TaggedDocument,
  headers: HeaderList,
  ifNoneMatch: string | undefined,
): BytesReply {
  const withTag = { ...headers, ETag: document.etag, Vary: 'Accept' };
  return matches(ifNoneMatch, document.etag)
    ? { kind: 'bytes', status: 304, headers: withTag, body: Buffer.alloc(0) }
    : { kind: 'bytes', status: 200, headers: withTag, body: document.body };
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
