import type { Env, Names } from '@orch/machinery';
import type { OpenTcp } from '@orch/outbound';
import type { Connector } from '@orch/registry';
import type { LogStreams } from './agent/log-streams.ts';
import { type NodeAgentOptions, NodeAgents } from './agent/node-agents.ts';
import { logOfPod, streamPod } from './agent/pod-connections.ts';
import { proxy } from './proxy/proxy.ts';
import { BackendDialer } from './relay/backend-dialer.ts';
import { Forwarding, type IdentityFields, type TraceHeaders } from './relay/forwarded.ts';
import { type ConnectLimits, defaultConnectLimits } from './relay/limits.ts';

export interface ConnectOptions {
  readonly nodeAgents?: NodeAgentOptions;
  readonly limits?: Partial<ConnectLimits>;
  /** Whether readers of logs may select standard output or standard error; the selection is ignored when absent. */
  readonly logStreams?: LogStreams;
  /** Header fields in which a front proxy of this server names users: they are removed. */
  readonly identityFields?: IdentityFields;
  readonly openTcp?: OpenTcp;
  /** Trace context header fields for the backend; none without tracing. */
  readonly traceHeaders?: TraceHeaders;
}

/** Opens no connection before the first request. */
export function createConnector(env: Env, names: Names, options: ConnectOptions = {}): Connector {
  const shared = {
    agents: new NodeAgents(options.nodeAgents ?? {}, names),
    dialer: new BackendDialer(env, { ...defaultConnectLimits, ...options.limits }, options.openTcp),
    forwarding: new Forwarding(names, options.identityFields, options.traceHeaders),
    random: env.random,
    logStreams: options.logStreams ?? 'ignored',
  };
  return {
    async connect(objects, kind, { behaviour }, call) {
      const { info, request } = call;
      await objects.fresh(request.signal);
      const connections = { ...shared, objects };
      if (behaviour === 'log') return logOfPod(connections, info, request);
      return behaviour === 'proxy' ? proxy(connections, kind, call) : streamPod(connections, call);
    },
  };
}
