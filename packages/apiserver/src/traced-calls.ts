import type { Tracing } from '@orch/pipeline';
import type { CallTracing } from '@orch/server';

/** Each call of a webhook is a span of the request that causes it, and carries its trace context. */
export const tracedCalls = (tracing: Tracing): CallTracing => ({
  headers: () => tracing.headers(),
  spanned: (address, call) =>
    tracing.spanned(
      {
        name: 'webhook',
        kind: 'client',
        attributes: { 'http.request.method': 'POST', 'server.address': address },
      },
      call,
    ),
});
