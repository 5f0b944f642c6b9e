import {
  type BackendDialer,
  BackendFailure,
  type BackendRequest,
  checkTarget,
  type Forwarding,
  isTunnelledProtocol,
  upgradeFields,
} from '@orch/connect';
import { ApiError, errors } from '@orch/machinery';
import { type ApiRequest, type Authorized, isReadOnly, type Reply, type RequestInfo } from '@orch/request';
import { NotSent } from '../backend/not-sent.ts';
import type { RemoteApi } from '../remote/remote-api-services.ts';
import { replyOf } from './answer.ts';
import { identityFields } from './identity-fields.ts';

/** What proxied requests share. */
export interface ProxyParts {
  readonly forwarding: Forwarding;
  readonly dialer: BackendDialer;
  /** Called when the extension API server could not be used. */
  readonly failed: (remote: RemoteApi) => void;
}

const noBody = async function* (): AsyncGenerator<Buffer> {};

/**
 * Sends a request to an extension API server, as the user of the request, and returns its answer. Failures of the server are
 * answered with 503, redirects with 502. Rejects with an `ApiError`, or with the reason for which the request ended.
 */
export async function proxyRequest(
  parts: ProxyParts,
  remote: RemoteApi,
  { request, info, user }: Authorized,
): Promise<Reply> {
  const { backend, outage } = remote;
  if (outage !== undefined) throw unavailable(remote, outage, { info, wasSent: false });
  const { rawPath, rawQuery } = request;
  const target = rawQuery === '' ? rawPath : `${rawPath}?${rawQuery}`;
  checkTarget(target);
  const outgoing: BackendRequest = {
    method: request.method,
    target,
    headers: parts.forwarding.aggregated(request, {
      ...identityFields(user),
      host: backend.host,
      'audit-id': request.id,
    }),
    bodyLength: request.bodyLength,
    body: () => request.bodyStream(),
    upgrade: undefined,
  };
  try {
    const protocol = requestedProtocol(request);
    if (protocol !== undefined) return await upgraded(parts, remote, { request, info, outgoing, protocol });
    const answer = await backend.request(outgoing, request.signal);
    return await replyOf(answer, { request, info, passing: parts.dialer.passing(request) });
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof BackendFailure || error instanceof NotSent)) throw error;
    parts.failed(remote);
    throw unavailable(remote, error.message, { info, wasSent: error instanceof BackendFailure });
  }
}

/**
 * The failure of an extension API server. Clients repeat requests whose answer says when: only those that were not sent, or
 * that change nothing, and none for discovery, which reports the failure instead.
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
  readonly info: RequestInfo;
  readonly request: ApiRequest;
  readonly outgoing: BackendRequest;
  readonly protocol: string;
}

/** Over a connection for this request only, which is joined with that of the client after a 101. */
async function upgraded(
  { dialer }: ProxyParts,
  { backend }: RemoteApi,
  { request, info, outgoing, protocol }: Upgrade,
): Promise<Reply> {
  const { upgradeTimeoutMs: answerTimeoutMs, dialTimeoutMs } = dialer.limits;
  const socket = await backend.attempt(async (endpoint) => {
    const destination = backend.destination(endpoint, ['http/1.1']);
    try {
      return await dialer.dial(destination, dialTimeoutMs, request.signal);
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
  return replyOf(answer, { request, info, passing: dialer.passing(request) });
}
