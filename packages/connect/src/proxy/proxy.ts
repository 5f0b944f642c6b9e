import { errors, type Random } from '@orch/machinery';
import { type Destination, hostPort, type OutboundRequest } from '@orch/outbound';
import type { ApiRequest, Reply, ResourceRequest } from '@orch/request';
import type { AgentConnections, ConnectCall } from '../agent/pod-connections.ts';
import { checkTarget, clientHost, isTunnelledProtocol } from '../relay/forwarded.ts';
import type { ProxiedTarget } from '../relay/links.ts';
import { proxiedFields, upgradeFields } from '../relay/proxied-answer.ts';
import { proxiedReply } from '../relay/proxied-body.ts';
import { htmlLinks, isPage } from './html-links.ts';
import { proxiedDestination } from './workloads.ts';

const resources = { Pod: 'pods', Service: 'services', Node: 'nodes' } as const;

/**
 * `proxy` of pods, services and nodes: the request is sent to the named program, and its answer is
 * returned. Redirects are returned with rewritten paths, and never followed.
 */
export async function proxy(
  connections: AgentConnections & { readonly random: Random },
  kind: string,
  { info, request, target: { rest } }: ConnectCall,
): Promise<Reply> {
  const resource = resources[kind as keyof typeof resources];
  const destination = proxiedDestination(connections, resource, info.namespace, info.name);
  // An upgrade to another protocol is optional for the server.
  const isTunnelled = isTunnelledProtocol(String(request.headers.upgrade ?? '').toLowerCase());
  const upgrade = isTunnelled ? request.upgrade() : undefined;
  if (
    info.rest === '' &&
    rest === '' &&
    upgrade === undefined &&
    (request.method === 'GET' || request.method === 'HEAD')
  )
    return withSlash(request);
  const target = { ...targetOf(destination, info, request), path: rest === '' ? '/' : rest };
  const answer = await connections.dialer.request(
    destination,
    outgoingRequest(connections, target, request, upgrade),
    request,
    {
      dialTimeoutMs:
        destination.use === 'nodeAgent'
          ? connections.agents.dialTimeoutMs
          : connections.dialer.limits.dialTimeoutMs,
      answerTimeoutMs: connections.dialer.limits.answerTimeoutMs,
    },
  );
  if (answer.kind === 'upgraded')
    return connections.dialer.tunnelled(answer, upgradeFields(answer.fields, target));
  if (answer.status < 200 || answer.status > 599) {
    answer.close();
    throw errors.plain(
      502,
      `${destination.title} answered with status ${answer.status}, which does not exist`,
    );
  }
  return proxiedReply(answer, proxiedFields(answer.fields, target), {
    ...connections.dialer.passing(request),
    ...(isPage(answer.status, answer.fields) ? { transform: (body) => htmlLinks(body, target) } : {}),
  });
}

/** Relative links of the page at `…/proxy` would lead outside of it. */
const withSlash = ({ rawPath, rawQuery }: ApiRequest): Reply => ({
  kind: 'bytes',
  status: 301,
  headers: { Location: `${rawPath}/${rawQuery === '' ? '' : `?${rawQuery}`}` },
  body: Buffer.alloc(0),
});

function targetOf(
  destination: Destination,
  { rest }: ResourceRequest,
  request: ApiRequest,
): Omit<ProxiedTarget, 'path'> {
  const { rawPath, headers } = request;
  return {
    prefix: rawPath.slice(0, rawPath.length - rest.length),
    scheme: destination.tls === undefined ? 'http' : 'https',
    host: hostPort(destination.host, destination.port),
    clientHost: clientHost(headers),
  };
}

function outgoingRequest(
  { forwarding }: AgentConnections,
  proxied: ProxiedTarget,
  request: ApiRequest,
  upgrade: string | undefined,
): OutboundRequest {
  const { method, rawQuery, headers } = request;
  const target = `${proxied.path}${rawQuery === '' ? '' : `?${rawQuery}`}`;
  checkTarget(target);
  const fields = forwarding.proxied(request, { uri: `${proxied.prefix}${proxied.path}`, host: proxied.host });
  const connection: Record<string, string> =
    upgrade === undefined
      ? { connection: 'close' }
      : { connection: 'Upgrade', upgrade: headers.upgrade ?? upgrade };
  return {
    method,
    target,
    headers: { ...fields, ...connection },
    bodyLength: request.bodyLength,
    body: () => request.bodyStream(),
    upgrade,
  };
}
