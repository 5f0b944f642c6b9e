import { fenceHeader, formatFence } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { type Leadership, LeadershipLost } from './leadership.ts';
import { userAgentSuffix } from './user-agent.ts';

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A transport for the work of a leader. Writes are sent only while the leadership is valid at that moment, and are
 * aborted when it ends, retries included. They carry their fence in a header, so that a server with support for fences
 * rejects them with 409 when the Lease has another holder on arrival; the Lease is on the server of the transport. Every
 * request has the leadership at the end of its user agent, so that audit logs prove the order of leaders. `reset` and
 * `close` are those of the transport.
 */
export function fencedTransport(transport: Transport, leadership: Leadership): Transport {
  const suffix = userAgentSuffix(leadership.fence);
  const fence = formatFence(leadership.fence);
  return {
    async send(request, signal) {
      const named = withUserAgent(request, suffix);
      if (reads.has(request.method)) return await transport.send(named, signal);
      // The clock may show the expiration before the signal aborts. It is checked again when a connection is available.
      const beforeWriting = (): void => {
        if (!leadership.isValid()) throw reasonOf(leadership);
        request.beforeWriting?.();
      };
      beforeWriting();
      const fenced = { ...named, headers: { ...named.headers, [fenceHeader]: fence } };
      const scope = anySignal([signal, leadership.signal]);
      try {
        return whole(await transport.send({ ...fenced, beforeWriting }, scope.signal), scope);
      } catch (error) {
        scope[Symbol.dispose]();
        throw error;
      }
    },
    reset: (reason) => transport.reset(reason),
    close: () => transport.close(),
  };
}

const reasonOf = ({ signal }: Leadership): unknown =>
  signal.aborted ? signal.reason : new LeadershipLost('it has expired');

function withUserAgent(request: TransportRequest, suffix: string): TransportRequest {
  const configured = request.headers['user-agent'];
  const agent = typeof configured === 'string' ? configured : 'client';
  return { ...request, headers: { ...request.headers, 'user-agent': agent + suffix } };
}

/** The response, whose body keeps the combined signal until it was read. */
function whole(response: TransportResponse, scope: Disposable): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* response.body;
    } finally {
      scope[Symbol.dispose]();
    }
  }
  return { status: response.status, headers: response.headers, body: body() };
}
