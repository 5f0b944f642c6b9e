import { pipeline, type Readable } from 'node:stream';
import { TransportError } from './transport.ts';

const ignore = (): void => {};

/** Decodes the content encoding of a body. Returns the source itself without one. */
export function unpacked(source: Readable, contentEncoding: string | undefined): Readable {
  if (contentEncoding === undefined || !/^(?:x-)?gzip$/i.test(contentEncoding.trim())) return source;
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  // Errors of both streams reach the reader of the result.
  return pipeline(source, createGunzip(), ignore);
}

/** Reports whether an error means that a body does not match its encoding. */
export const isGarbled = (cause: unknown): boolean =>
  cause instanceof Error && ((cause as NodeJS.ErrnoException).code ?? '').startsWith('Z_');

export const garbled = (cause: unknown): TransportError =>
  new TransportError('unknown', `the response cannot be decoded: ${String(cause)}`, { cause });
