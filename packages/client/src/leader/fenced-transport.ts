import { anySignal, fenceHeader, formatFence } from '@orch/machinery';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { type Leadership, LeadershipLost } from './leadership.ts';
import { userAgentSuffix } from './user-agent.ts';

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A transport for the work of a leader. A write is sent only while the leadership is valid at that very moment, and is
 * given up with it, tries of its own included. It carries its fence in a header, so that a server that knows of fences
 * refuses it, with 409, when the Lease is another's by the time it arrives; the Lease is on the server that the transport
 * leads to. Every request says under which leadership it was made, at the end of its user agent: so the audit log of the
 * servers proves who acted when. `reset` and `close` are those of the transport.
 */
export function fencedTransport(transport: Transport, leadership: Leadership): Transport {
  const suffix = userAgentSuffix(leadership.fence);
  const fence = formatFence(leadership.fence);
  return {
    async send(request, signal) {
      const named = withUserAgent(request, suffix);
      if (reads.has(request.method)) return await transport.send(named, signal);
      // The signal may not know yet that time has run out; the clock does. It is asked again when there is a connection.
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
  signal.aborted ? signal.reason : new LeadershipLost('its time has run out');

function withUserAgent(request: TransportRequest, suffix: string): TransportRequest {
  const known = request.headers['user-agent'];
  const agent = typeof known === 'string' ? known : 'client';
  return { ...request, headers: { ...request.headers, 'user-agent': agent + suffix } };
}

/** The answer, whose body keeps the signals together until it has been read. */
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
