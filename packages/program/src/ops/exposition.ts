import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Metrics, MetricsFormat } from '@orch/machinery';
import { acceptsGzip } from './accepts-gzip.ts';
import { metricsFormat } from './metrics-format.ts';

/** Headers and body of a metrics response. */
export interface Exposition {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const mediaTypes: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const compress = promisify(gzip);
const LEVEL = 1;

/** The metrics of the process in the format that a client accepts, compressed for clients that accept it. */
export async function exposition(
  metrics: Pick<Metrics, 'exposition'>,
  request: IncomingHttpHeaders,
): Promise<Exposition> {
  const format = metricsFormat(request.accept);
  const headers = { 'Content-Type': mediaTypes[format], Vary: 'Accept, Accept-Encoding' };
  const text = Buffer.from(await metrics.exposition(format));
  if (!acceptsGzip(request['accept-encoding'])) return { headers, body: text };
  return {
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: await compress(text, { level: LEVEL }),
  };
}
