import { BackendFailure, type BackendRequest, type EndpointAddress } from '@orch/connect';
import { ApiError, type Clock, DeadlineExceeded, messageOf, type Names, withDeadline } from '@orch/machinery';
import { pathOf } from '../api-services/api-service.ts';
import { type Availability, unavailable } from '../api-services/availability.ts';
import type { Backend } from '../backend/backend.ts';
import { NotSent } from '../backend/not-sent.ts';
import { readAnswer } from '../backend/read-answer.ts';
import { identityFields } from '../proxy/identity-fields.ts';
import type { RemoteApi } from '../remote/remote-api-services.ts';
import { passed } from './available-condition.ts';

/** For one request, connecting included. */
const CHECK_TIMEOUT_MS = 5_000;
/** Bytes of an answer that are read to keep its connection. */
const MAX_READ_BYTES = 64 * 1024;
/** Endpoints that are asked at the same time. */
const MAX_ENDPOINTS = 5;

export interface CheckContext {
  readonly clock: Clock;
  readonly names: Names;
}

/**
 * Asks endpoints of an extension API server for its discovery document, as the server itself and with all permissions: one
 * success is enough. What the objects say is decided without a request.
 */
export async function checkAvailability(
  { declared, backend }: RemoteApi,
  { clock, names }: CheckContext,
  signal: AbortSignal,
): Promise<Availability> {
  const state = backend.endpoints.current();
  if (state.kind === 'missing') return state.availability;
  const check = { backend, request: discoveryRequest(pathOf(declared), backend.host, names) };
  const ask = async (endpoint: EndpointAddress): Promise<void> => {
    using limit = withDeadline(signal, clock, CHECK_TIMEOUT_MS);
    await askTwice(check, endpoint, limit.signal);
  };
  try {
    await Promise.any(backend.ordered(MAX_ENDPOINTS).map(ask));
    return passed;
  } catch (error) {
    signal.throwIfAborted();
    const [first] = error instanceof AggregateError ? error.errors : [error];
    const why = `failing or missing response from ${backend.title}: ${textOf(first)}`;
    return unavailable('FailedDiscoveryCheck', why);
  }
}

interface Check {
  readonly backend: Backend;
  readonly request: BackendRequest;
}

/** A second time after a failure: the server may have closed a kept connection in the moment of the first. */
async function askTwice(check: Check, endpoint: EndpointAddress, signal: AbortSignal): Promise<void> {
  try {
    await ask(check, endpoint, signal);
  } catch (error) {
    if (!(error instanceof BackendFailure)) throw error;
    await ask(check, endpoint, signal);
  }
}

async function ask(
  { backend, request }: Check,
  endpoint: EndpointAddress,
  signal: AbortSignal,
): Promise<void> {
  const answer = await backend.requestAt(endpoint, request, signal);
  if (answer.kind !== 'answer') throw new BackendFailure('it changed the protocol');
  await readAnswer(answer, MAX_READ_BYTES, signal);
  if (answer.status < 200 || answer.status > 299) throw new BackendFailure(`bad status ${answer.status}`);
}

const discoveryRequest = (target: string, host: string, { users, userGroups }: Names): BackendRequest => ({
  method: 'GET',
  target,
  headers: {
    ...identityFields({ name: users.aggregator, uid: '', groups: [userGroups.masters], extra: {} }),
    host,
    accept: 'application/json',
  },
  bodyLength: 0,
  body: async function* () {},
  upgrade: undefined,
});

function textOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return `no answer within ${error.afterMs} ms`;
  if (error instanceof NotSent) return textOf(error.failure);
  return error instanceof ApiError ? error.message : messageOf(error);
}
