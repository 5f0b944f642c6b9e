import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Metrics } from '@orch/machinery';
import { acceptsGzip } from './accepts-gzip.ts';

/** Metrics as an HTTP answer. */
export interface Exposition {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The Prometheus text format, as the media type says it. */
const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

const packed = promisify(gzip);
const level = 1;

/** The metrics of the process, compressed for clients that accept it: the text is long and repeats itself. */
export async function exposition(
  metrics: Metrics,
  acceptEncoding: string | string[] | undefined,
): Promise<Exposition> {
  const headers = { 'Content-Type': mediaType, Vary: 'Accept-Encoding' };
  const text = Buffer.from(metrics.text());
  if (!acceptsGzip(acceptEncoding)) return { headers, body: text };
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await packed(text, { level }) };
}
