import type { Authenticator, Authorizer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import {
  type Answer,
  type ApiRequest,
  type Authorized,
  before,
  type Handler,
  type Identified,
  isLongRunning,
  isReadOnly,
  type Observed,
  type RequestInfo,
  type ResourceContext,
  type ResourceRequest,
  type Route,
  statusEncoder,
  type WithInfo,
} from '@orch/request';
import { type AuditOptions, audit } from './audit/index.ts';
import { controlFlow, type FlowControlOptions, limitInflight } from './flow-control/index.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { authenticate } from './stages/authenticate-stage.ts';
import { authorize } from './stages/authorize-stage.ts';
import { deadline } from './stages/deadline-stage.ts';
import { dispatch, routeTable, servedBy } from './stages/dispatch.ts';
import { impersonate } from './stages/impersonate-stage.ts';
import { requestInfo } from './stages/info-stage.ts';
import { namingHints } from './stages/naming-hints.ts';
import { observe } from './stages/observe-stage.ts';
import { failedWith, recover } from './stages/recover.ts';
import { requestSpan, type Tracing, tracedHandler, tracedStage } from './tracing/index.ts';

export interface ServerOptions {
  readonly env: Env;
  readonly names: Names;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Serves everything below `/api/<version>` and `/apis/<group>/<version>`. */
  readonly resources: Handler<ResourceContext>;
  /** The request names a served resource; only these have metric series of their own. */
  readonly servesResource: (info: ResourceRequest) => boolean;
  readonly routes: readonly Route[];
  /** Paths of the API groups that are served now, for the list of paths. */
  readonly apiPaths: () => readonly string[];
  readonly requestTimeoutMs: number;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly parseDuration: (text: string) => number | undefined;
  /** Writes down who asked for what; nothing is when absent. */
  readonly audit?: AuditOptions | undefined;
  /** Shares the places in flight fairly; whoever comes first has them when absent. */
  readonly flowControl?: FlowControlOptions | undefined;
  /** Tells a tracing SDK what requests do; no stage knows of it when absent. */
  readonly tracing?: Tracing | undefined;
}

/** The whole server without a socket. */
export interface ApiServer {
  /** Answers a request. Never throws and never rejects: whatever goes wrong is a reply. */
  handle(request: ApiRequest): Answer;
  /** Requests that are being worked on now, long-running ones apart. */
  inflight(): number;
  /** Drops the timers; requests still open lose their deadlines. */
  close(): void;
}

/**
 * Joins the stages of the pipeline. Each widens the context for those behind it, so that another order does not compile.
 */
export function createServer(options: ServerOptions): ApiServer {
  const { env, names, tracing } = options;
  const { clock, log, metrics } = env;
  const routes = routeTable(options.routes);
  const failed = failedWith({
    log,
    encodeStatus: statusEncoder(names),
    namingHint: namingHints(options),
  });
  const isServed = servedBy(routes, options.servesResource);
  const requestMetrics = new RequestMetrics(metrics, isServed);
  const limit = limitOf(options);
  const timeout = deadline({
    clock,
    timeoutMs: options.requestTimeoutMs,
    parseDuration: options.parseDuration,
  });
  const identify = tracedStage(
    tracing,
    'authenticate',
    authenticate({
      authenticator: options.authenticator,
      clock,
      log,
      metrics,
      countedUsers: new Set([names.users.admin, names.users.apiserver, names.users.anonymous]),
    }),
  );
  const permit = tracedStage(tracing, 'authorize', authorize(options.authorizer, names));
  const end = tracedHandler(
    tracing,
    admissionStart,
    dispatch({ resources: options.resources, routes, apiPaths: options.apiPaths }),
  );

  const handle = before(
    recover(failed),
    before(
      requestInfo,
      spanned(
        options,
        isServed,
        before(
          observe({ clock, log, metrics: requestMetrics, failed }),
          before(
            timeout.stage,
            // The audit stands between who asks and how much they may ask for; flow control is the limit.
            audited(options, (inner) => before(identify, inner))(
              before(
                impersonate(options.authorizer, names),
                before(tracedStage(tracing, 'flow control', limit.stage), before(permit, end)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  return {
    handle: (request) => handle({ request }),
    inflight: limit.inflight,
    close() {
      timeout.close();
      limit.close();
    },
  };
}

/** Puts the span of a request around everything that is counted of it, where there is a tracing SDK. */
const spanned = (
  { tracing }: ServerOptions,
  isServed: (info: RequestInfo) => boolean,
  inner: Handler<WithInfo>,
): Handler<WithInfo> => (tracing === undefined ? inner : before(requestSpan(tracing, isServed), inner));

/** What a write goes through behind authorization: it is read, defaulted, validated and committed. */
const admissionStart = ({ info }: Authorized) =>
  info.isResource && !isReadOnly(info) && !isLongRunning(info)
    ? ({ name: 'admission', kind: 'internal' } as const)
    : undefined;

/** Puts the audit on both sides of authentication, where there is one to be made: it costs nothing where there is not. */
function audited(
  { audit: options, env, names }: ServerOptions,
  identified: (inner: Handler<Identified>) => Handler<Observed>,
): (inner: Handler<Identified>) => Handler<Observed> {
  if (options === undefined) return identified;
  const stages = audit(options, { ...env, names });
  return (inner) => before(stages.refused, identified(before(stages.identified, inner)));
}

/** A request waits for its place a quarter of the time that it has, and then is refused. */
const WAITED_PART = 4;

/** Flow control needs something to share: without limits there is none. */
function limitOf(options: ServerOptions) {
  const { env, names, flowControl, maxRequestsInflight, maxMutatingRequestsInflight } = options;
  const seats = maxRequestsInflight + maxMutatingRequestsInflight;
  if (flowControl !== undefined && seats > 0) {
    const waitMs = options.requestTimeoutMs / WAITED_PART;
    return controlFlow({ ...env, names, ...flowControl, seats, waitMs });
  }
  const limit = limitInflight({
    metrics: env.metrics,
    maxReadOnly: maxRequestsInflight,
    maxMutating: maxMutatingRequestsInflight,
    exemptGroup: names.userGroups.masters,
  });
  return { ...limit, close: () => undefined };
}
