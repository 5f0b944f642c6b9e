import { pipeline, type Readable } from 'node:stream';
import { TransportError } from './transport.ts';

const ignore = (): void => {};

/** The body as it was before it was packed for the way. Answers the source itself when it was not. */
export function unpacked(source: Readable, contentEncoding: string | undefined): Readable {
  if (contentEncoding === undefined || !/^(?:x-)?gzip$/i.test(contentEncoding.trim())) return source;
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  // Errors of either side arrive at the reader of the result; nobody else has to hear of them.
  return pipeline(source, createGunzip(), ignore);
}

/** True for the error of a body that is not what its encoding says. */
export const isGarbled = (cause: unknown): boolean =>
  cause instanceof Error && ((cause as NodeJS.ErrnoException).code ?? '').startsWith('Z_');

export const garbled = (cause: unknown): TransportError =>
  new TransportError('unknown', `the answer cannot be unpacked: ${String(cause)}`, { cause });
