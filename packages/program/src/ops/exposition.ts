import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Metrics } from '@orch/machinery';
import { acceptsGzip } from './accepts-gzip.ts';

/** Headers and body of a metrics response. */
export interface Exposition {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The Prometheus text format. */
const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

const compress = promisify(gzip);
const LEVEL = 1;

/** The metrics of the process, compressed for clients that accept it. */
export async function exposition(
  metrics: Metrics,
  acceptEncoding: string | string[] | undefined,
): Promise<Exposition> {
  const headers = { 'Content-Type': mediaType, Vary: 'Accept-Encoding' };
  const text = Buffer.from(await metrics.exposition());
  if (!acceptsGzip(acceptEncoding)) return { headers, body: text };
  return {
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: await compress(text, { level: LEVEL }),
  };
}
