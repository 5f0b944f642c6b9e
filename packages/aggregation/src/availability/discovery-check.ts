import type { EndpointAddress } from '@orch/connect';
import type { Clock, Names } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { OutboundFailure, type OutboundRequest, readAnswer } from '@orch/outbound';
import { pathOf } from '../api-services/api-service.ts';
import { type Availability, unavailable } from '../api-services/availability.ts';
import type { Backend } from '../backend/backend.ts';
import { failureText, ownRequest, twice } from '../documents/own-request.ts';
import type { RemoteApi } from '../remote/remote-api-services.ts';
import { passed } from './available-condition.ts';

/** Time limit of one request, including the connection. */
const CHECK_TIMEOUT_MS = 5_000;
/** Maximum number of bytes of an answer that are read to keep its connection. */
const MAX_READ_BYTES = 64 * 1024;
/** Number of endpoints that are checked concurrently. */
const MAX_ENDPOINTS = 5;

export interface CheckContext {
  readonly clock: Clock;
  readonly names: Names;
}

/**
 * Requests the discovery document of an extension API server from its endpoints, as the server itself and with all
 * permissions: one success is sufficient. Conditions derived from objects are decided without a request.
 */
export async function checkAvailability(
  { declared, backend }: RemoteApi,
  { clock, names }: CheckContext,
  signal: AbortSignal,
): Promise<Availability> {
  const state = backend.endpoints.current();
  if (state.kind === 'missing') return state.availability;
  const asked = { target: pathOf(declared), headers: { accept: 'application/json' } };
  const check = { backend, request: ownRequest(backend, asked, names) };
  const askEndpoint = async (endpoint: EndpointAddress): Promise<void> => {
    using limit = withDeadline(signal, clock, CHECK_TIMEOUT_MS);
    await twice(() => ask(check, endpoint, limit.signal));
  };
  try {
    await Promise.any(backend.ordered(MAX_ENDPOINTS).map(askEndpoint));
    return passed;
  } catch (error) {
    signal.throwIfAborted();
    const [first] = error instanceof AggregateError ? error.errors : [error];
    const why = `failing or missing response from ${backend.title}: ${failureText(first)}`;
    return unavailable('FailedDiscoveryCheck', why);
  }
}

interface Check {
  readonly backend: Backend;
  readonly request: OutboundRequest;
}

async function ask(
  { backend, request }: Check,
  endpoint: EndpointAddress,
  signal: AbortSignal,
): Promise<void> {
  const answer = await backend.requestAt(endpoint, request, signal);
  if (answer.kind === 'upgraded') throw new OutboundFailure('it changed the protocol');
  await readAnswer(answer, MAX_READ_BYTES, signal);
  if (answer.status < 200 || answer.status > 299) throw new OutboundFailure(`bad status ${answer.status}`);
}
