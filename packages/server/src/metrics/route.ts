import type { Metrics } from '@orch/machinery';
import { metricsMediaType } from '@orch/program';
import type { Route } from '../pipeline/types.ts';

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
