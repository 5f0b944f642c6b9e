import {
  type BackendDialer,
  checkTarget,
  type Forwarding,
  isTunnelledProtocol,
  upgradeFields,
} from '@orch/connect';
import { ApiError, type Clock, errors } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { NotSent, noBody, OutboundFailure, type OutboundRequest } from '@orch/outbound';
import { type ApiRequest, type Authorized, isReadOnly, type Reply, type RequestInfo } from '@orch/request';
import type { RemoteApi } from '../remote/remote-api-services.ts';
import { documentReplyOf, replyOf } from './answer.ts';
import type { IdentityFieldsCache } from './identity-fields.ts';

/** The parts that proxied requests share. */
export interface ProxyParts {
  readonly forwarding: Forwarding;
  readonly dialer: BackendDialer;
  readonly identities: IdentityFieldsCache;
  readonly clock: Clock;
  /** Called when the extension API server could not be used. */
  readonly failed: (remote: RemoteApi) => void;
}

/**
 * Time limit for the discovery document of one group version: clients ask for all of them, even when a server has just
 * died.
 */
const DOCUMENT_MS = 2_000;

/**
 * Sends a request to an extension API server, as the user of the request, and returns its answer. Failures of the server are
 * answered with 503, redirects with 502. Rejects with an `ApiError`, or with the reason for which the request ended.
 */
export async function proxyRequest(parts: ProxyParts, remote: RemoteApi, call: Authorized): Promise<Reply> {
  const outgoing = outgoingOf(parts, remote, call);
  const { request } = call;
  const { dialer } = parts;
  try {
    const protocol = requestedProtocol(request);
    if (protocol !== undefined) return await upgraded(parts, remote, { request, outgoing, protocol });
    const answer = await remote.backend.request(outgoing, request.signal);
    return replyOf(answer, { request, dialer });
  } catch (error) {
    throw failureOf(parts, { remote, call }, error);
  }
}

/** As `proxyRequest`, for a GET of the discovery document of the group version: within a short time. */
export async function proxyDocument(parts: ProxyParts, remote: RemoteApi, call: Authorized): Promise<Reply> {
  const outgoing = outgoingOf(parts, remote, call);
  const { request } = call;
  const { clock, dialer } = parts;
  using limit = withDeadline(request.signal, clock, DOCUMENT_MS);
  try {
    const answer = await remote.backend.request(outgoing, limit.signal);
    return await documentReplyOf(answer, { request, dialer }, limit.signal);
  } catch (error) {
    request.signal.throwIfAborted();
    const late = `it sent no document within ${DOCUMENT_MS} ms`;
    const failure = limit.signal.aborted ? new OutboundFailure(late, { cause: error }) : error;
    throw failureOf(parts, { remote, call }, failure);
  }
}

interface Sending {
  readonly remote: RemoteApi;
  readonly call: Authorized;
}

/** The error for the client of a request that failed; a failure of the server has it checked. */
function failureOf(parts: ProxyParts, { remote, call }: Sending, error: unknown): unknown {
  const { request, info } = call;
  if (request.signal.aborted) return request.signal.reason;
  if (!(error instanceof OutboundFailure || error instanceof NotSent)) return error;
  parts.failed(remote);
  return unavailable(remote, error.message, { info, wasSent: error instanceof OutboundFailure });
}

/** The request as its user. Throws `ApiError`, also while the server is known to be unavailable. */
function outgoingOf(
  { forwarding, identities }: ProxyParts,
  remote: RemoteApi,
  { request, user, info }: Authorized,
): OutboundRequest {
  const { backend, outage } = remote;
  if (outage !== undefined) throw unavailable(remote, outage, { info, wasSent: false });
  const { method, rawPath, rawQuery, bodyLength } = request;
  const target = rawQuery === '' ? rawPath : `${rawPath}?${rawQuery}`;
  checkTarget(target);
  const own = { ...identities.of(user), host: backend.host, 'audit-id': request.id };
  return {
    method,
    target,
    headers: forwarding.aggregated(request, own),
    bodyLength,
    body: () => request.bodyStream(),
    upgrade: undefined,
  };
}

/**
 * The failure of an extension API server. Clients retry requests whose response has a Retry-After: only those that were
 * not sent, or that change nothing, and none for discovery, which reports the failure instead.
 */
function unavailable(
  { declared }: RemoteApi,
  why: string,
  { info, wasSent }: { readonly info: RequestInfo; readonly wasSent: boolean },
): ApiError {
  const mayRepeat = info.isResource && (!wasSent || isReadOnly(info));
  return errors.serviceUnavailable(`API service ${JSON.stringify(declared.name)}: ${why}`, mayRepeat ? 1 : 0);
}

/** The protocol of an upgrade that is passed on. */
function requestedProtocol(request: ApiRequest): string | undefined {
  const protocol = String(request.headers.upgrade ?? '').toLowerCase();
  return isTunnelledProtocol(protocol) ? request.upgrade() : undefined;
}

interface Upgrade {
  readonly request: ApiRequest;
  readonly outgoing: OutboundRequest;
  readonly protocol: string;
}

/** Uses a connection for this request only, which is joined with that of the client after a 101. */
async function upgraded(
  { dialer }: ProxyParts,
  { backend }: RemoteApi,
  { request, outgoing, protocol }: Upgrade,
): Promise<Reply> {
  const { upgradeTimeoutMs: answerTimeoutMs, dialTimeoutMs } = dialer.limits;
  const socket = await backend.attempt(async (endpoint) => {
    const connection = { protocols: ['http/1.1'], timeoutMs: dialTimeoutMs };
    try {
      return await backend.dial(endpoint, connection, request.signal);
    } catch (error) {
      throw error instanceof ApiError ? new NotSent(error) : error;
    }
  });
  const connection = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? protocol };
  const headers = { ...outgoing.headers, ...connection };
  const answer = await dialer.exchange(
    socket,
    { ...outgoing, headers, bodyLength: 0, body: noBody, upgrade: protocol },
    { request, timeouts: { answerTimeoutMs } },
  );
  if (answer.kind === 'upgraded') return dialer.tunnelled(answer, upgradeFields(answer.fields, undefined));
  return replyOf(answer, { request, dialer });
}
