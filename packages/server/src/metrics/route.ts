import type { Metrics } from '@orch/machinery';
import type { Route } from '../pipeline/types.ts';

/** The Prometheus text format, as the media type says it. */
export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics` on the API port. */
export const metricsRoute = (metrics: Metrics): Route => ({
  path: '/metrics',
  handle: () => ({
    kind: 'bytes',
    status: 200,
    headers: { 'Content-Type': metricsMediaType },
    body: Buffer.from(metrics.text()),
  }),
});
