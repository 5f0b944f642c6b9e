import type { Pod } from '@orch/kinds/core';
import { errors } from '@orch/machinery';
import { hostPort, noBody, type OutboundRequest } from '@orch/outbound';
import type { Connector, CoreObjects } from '@orch/registry';
import {
  type ApiRequest,
  parseQuery,
  type Reply,
  type ResourceRequest,
  refuseForeignPage,
} from '@orch/request';
import type { BackendDialer } from '../relay/backend-dialer.ts';
import { type Forwarding, isTunnelledProtocol } from '../relay/forwarded.ts';
import { upgradeFields } from '../relay/proxied-answer.ts';
import { proxiedReply } from '../relay/proxied-body.ts';
import { refusalOf } from '../relay/refusal.ts';
import { type AgentTarget, logRequest, portForwardTarget, streamTarget } from './agent-target.ts';
import { nodeNameOf } from './containers.ts';
import type { LogStreams } from './log-streams.ts';
import type { NodeAgents } from './node-agents.ts';

/** The parts that connections to node agents use. */
export interface AgentConnections {
  readonly objects: CoreObjects;
  readonly agents: NodeAgents;
  readonly dialer: BackendDialer;
  readonly forwarding: Forwarding;
}

/** The parts that readers of logs use. */
export interface LogConnections extends AgentConnections {
  readonly logStreams: LogStreams;
}

/** A request for a connection, and its target. */
export type ConnectCall = Parameters<Connector['connect']>[3];

/**
 * `exec`, `attach` and `portforward`: the client's connection is tunnelled to the agent of the pod's node if that
 * accepts the upgrade. Any other answer is reported as a Status, and ends the connection.
 */
export async function streamPod(
  { objects, agents, dialer, forwarding }: AgentConnections,
  { info, request, target: { rawQuery } }: ConnectCall,
): Promise<Reply> {
  const pod = objects.get('pods', info.namespace, info.name);
  const target = targetOf(pod, info, rawQuery);
  const destination = agents.destination(objects.get('nodes', '', nodeNameOf(pod)));
  const protocol = request.upgrade();
  if (protocol === undefined || !isTunnelledProtocol(protocol)) {
    throw errors.badRequest(
      `Upgrade request required: ${info.subresource} needs HTTP/1.1 and an upgrade to WebSocket or SPDY/3.1`,
    );
  }
  refuseForeignPage(request);
  const answer = await dialer.request(
    destination,
    {
      method: request.method,
      target,
      headers: {
        ...forwarding.streamed(request, hostPort(destination.host, destination.port)),
        connection: 'Upgrade',
        upgrade: request.headers.upgrade ?? protocol,
      },
      bodyLength: 0,
      body: noBody,
      upgrade: protocol,
    },
    request,
    { dialTimeoutMs: agents.dialTimeoutMs, answerTimeoutMs: dialer.limits.upgradeTimeoutMs },
  );
  if (answer.kind === 'upgraded') return dialer.tunnelled(answer, upgradeFields(answer.fields, undefined));
  throw await refusalOf(answer, destination.title, dialer.limits.refusalBytes);
}

function targetOf(pod: Pod, { subresource }: ResourceRequest, rawQuery: string): AgentTarget {
  const query = parseQuery(rawQuery);
  return subresource === 'exec' || subresource === 'attach'
    ? streamTarget(subresource, pod, query)
    : portForwardTarget(pod, query);
}

/** A pod without a node has written nothing. Clients that follow many pods fail at an error. */
const nothingWritten: Reply = { kind: 'bytes', status: 204, headers: {}, body: Buffer.alloc(0) };

/** `log`: text from the agent of the pod's node, streamed; empty while the pod has no node. */
export async function logOfPod(
  { objects, agents, dialer, forwarding, logStreams }: LogConnections,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<Reply> {
  const pod = objects.get('pods', info.namespace, info.name);
  const { target, insecure } = logRequest(pod, parseQuery(request.rawQuery), logStreams);
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') return nothingWritten;
  const destination = agents.destination(objects.get('nodes', '', nodeName), insecure);
  const outgoing: OutboundRequest = {
    method: 'GET',
    target,
    headers: {
      host: hostPort(destination.host, destination.port),
      connection: 'close',
      ...forwarding.traced(),
    },
    bodyLength: 0,
    body: noBody,
    upgrade: undefined,
  };
  const answer = await dialer.request(destination, outgoing, request, {
    dialTimeoutMs: agents.dialTimeoutMs,
    answerTimeoutMs: dialer.limits.answerTimeoutMs,
  });
  if (answer.kind === 'upgraded') throw new TypeError('an upgrade that was not requested');
  if (answer.status < 200 || answer.status > 206)
    throw await refusalOf(answer, destination.title, dialer.limits.refusalBytes);
  // Container output must not be rendered as a page of this server.
  return proxiedReply(answer, { 'Content-Type': 'text/plain' }, dialer.passing(request));
}
