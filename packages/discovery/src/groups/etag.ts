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

/** Replies with the document, or with 304 when the client has it already. */
export function taggedReply(
  { body, etag }: TaggedDocument,
  headers: HeaderList,
  ifNoneMatch: string | undefined,
): BytesReply {
  const withTag = { ...headers, ETag: etag, Vary: 'Accept' };
  return matches(ifNoneMatch, etag)
    ? notModified(withTag)
    : { kind: 'bytes', status: 200, headers: withTag, body };
}

/** The reply to a client that has the current document. */
export const notModified = (headers: HeaderList): BytesReply => ({
  kind: 'bytes',
  status: 304,
  headers,
  body: Buffer.alloc(0),
});

/** Reports whether the client has the document with the tag (RFC 9110 section 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
