import type { Metrics } from '@orch/machinery';
import { exposition } from '@orch/program';
import type { Route } from '@orch/request';

/** `/metrics` on the API port. */
export const metricsRoute = (metrics: Pick<Metrics, 'exposition'>): Route => ({
  path: '/metrics',
  handle: async ({ request }) => ({
    kind: 'bytes',
    status: 200,
    ...(await exposition(metrics, request.headers)),
  }),
});
