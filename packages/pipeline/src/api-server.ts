import type { Authenticator, Authorizer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { DebugEndpoints } from '@orch/program';
import {
  type Answer,
  type ApiRequest,
  type Authorized,
  before,
  type Handler,
  type Identified,
  infoOrRefusal,
  isHistoryPath,
  isLongRunning,
  isReadOnly,
  type Observed,
  parseHistoryInfo,
  type Received,
  type RequestInfo,
  type ResourceContext,
  type ResourceRequest,
  type Route,
  type Stage,
  statusEncoder,
  type WithInfo,
} from '@orch/request';
import { type AuditOptions, audit } from './audit/index.ts';
import { debugRoutes } from './debug-routes.ts';
import {
  controlFlow,
  type FlowControlOptions,
  limitInflight,
  type SharedInflight,
  seatsOfThread,
  type WorkCounts,
} from './flow-control/index.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import type { RequestRecords } from './records/index.ts';
import { AccessLog, type AccessLogSample } from './stages/access-log.ts';
import { authenticate } from './stages/authenticate-stage.ts';
import { authorize } from './stages/authorize-stage.ts';
import { deadline } from './stages/deadline-stage.ts';
import { dispatch, routeTable, servedBy } from './stages/dispatch.ts';
import { impersonate } from './stages/impersonate-stage.ts';
import { namingHints } from './stages/naming-hints.ts';
import { observe } from './stages/observe-stage.ts';
import { failedWith, recover } from './stages/recover.ts';
import { requestSpan, type Tracing, tracedHandler, tracedStage } from './tracing/index.ts';

/** One of the threads of a process that serve requests. */
export interface ServerThread {
  /** Number of threads. */
  readonly count: number;
  /** Number of this thread, from 1. */
  readonly number: number;
  /** The requests of all threads. */
  readonly inflight: SharedInflight;
}

export interface ServerOptions {
  readonly env: Env;
  readonly names: Names;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Serves everything below `/api/<version>` and `/apis/<group>/<version>`. */
  readonly resources: Handler<ResourceContext>;
  /** Serves reads of the history below `/history`; these paths do not exist when absent. */
  readonly history?: Handler<ResourceContext> | undefined;
  /** Reports whether the request names a served resource; only these have separate metric series. */
  readonly servesResource: (info: ResourceRequest) => boolean;
  readonly routes: readonly Route[];
  /** Paths of the currently served API groups, for the list of paths. */
  readonly apiPaths: () => readonly string[];
  readonly requestTimeoutMs: number;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /** The thread of this server, where the process has several. */
  readonly thread?: ServerThread | undefined;
  readonly parseDuration: (text: string) => number | undefined;
  /** Audit policy and sinks; without audit when absent. */
  readonly audit?: AuditOptions | undefined;
  /** API priority and fairness; limits on requests in flight only when absent. */
  readonly flowControl?: FlowControlOptions | undefined;
  /** Whether writes support the parameter `fieldValidation`, for metrics; false when absent. */
  readonly heedsFieldValidation?: boolean;
  /** Whether errors are written in CBOR for clients that accept it; false when absent. */
  readonly servesCbor?: boolean;
  /** Endpoints below `/debug`; those of flow control are added. None when absent. */
  readonly debug?: DebugEndpoints | undefined;
  /** Selects the requests that are logged besides slow and failed ones; none when absent. It may be changed. */
  readonly accessLogSample?: AccessLogSample | undefined;
  /** Reports spans to a tracing SDK; without tracing when absent. */
  readonly tracing?: Tracing | undefined;
  /** Remembers requests for explanations; none when absent. */
  readonly records?: RequestRecords | undefined;
}

type CountAnswer = NonNullable<WorkCounts['countAnswer']>;

/** The server without a socket. */
export interface ApiServer {
  /** Handles a request. Never throws and never rejects: every failure is a reply. */
  handle(request: ApiRequest): Answer;
  /** Number of requests that are executing, without long-running ones. */
  inflight(): number;
  /** Drops the timers; open requests lose their deadlines. */
  close(): void;
}

/**
 * Composes the stages of the pipeline. Each widens the context for inner stages, so that another order does not compile.
 */
export function createServer(options: ServerOptions): ApiServer {
  const { env, names, tracing, heedsFieldValidation = false } = options;
  const { clock, log, metrics } = env;
  const countAnswer: CountAnswer = (path, request) => routes.find(path)?.answerBytes?.(request) ?? 0;
  const limit = limitOf(options, countAnswer);
  options.debug?.add(...limit.debug);
  const routes = routeTable([...options.routes, ...debugRoutes(options.debug)]);
  const failed = failedWith({
    log,
    encodeStatus: statusEncoder(names, { cbor: options.servesCbor ?? false }),
    namingHint: namingHints(options),
  });
  const isServed = servedBy(routes, options.servesResource);
  const requestMetrics = new RequestMetrics(metrics, isServed);
  const accessLog = new AccessLog({ ...env, sample: options.accessLogSample ?? { share: 0 } });
  const timeout = deadline({
    clock,
    metrics,
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
  const permit = tracedStage(tracing, 'authorize', authorize(options.authorizer, { clock, metrics, names }));
  const end = tracedHandler(
    tracing,
    admissionStart,
    dispatch({ resources: resourcesOf(options), routes, apiPaths: options.apiPaths }),
  );

  const handle = before(
    recover(failed),
    before(
      options.history === undefined ? requestInfo : requestInfoWithHistory,
      spanned(
        options,
        isServed,
        before(
          observe({
            ...{ clock, accessLog, metrics: requestMetrics, failed, tracing, heedsFieldValidation },
            records: options.records,
          }),
          // Audit surrounds the deadline and authentication, and precedes refusals of paths and flow control.
          audited(options, (inner) => before(timeout.stage, before(identify, inner)))(
            before(
              refused,
              before(
                impersonate(options.authorizer, { clock, metrics, names }),
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

/** Adds the span of a request outside of the observed stages, if there is a tracing SDK. */
const spanned = (
  { tracing }: ServerOptions,
  isServed: (info: RequestInfo) => boolean,
  inner: Handler<WithInfo>,
): Handler<WithInfo> => (tracing === undefined ? inner : before(requestSpan(tracing, isServed), inner));

/** The span of a write after authorization: decoding, defaulting, admission, validation and commit. */
const admissionStart = ({ info }: Authorized) =>
  info.isResource && !isReadOnly(info) && !isLongRunning(info)
    ? ({ name: 'admission', kind: 'internal' } as const)
    : undefined;

/** Adds the audit stages before and after authentication; none without audit. */
function audited(
  { audit: options, env, names }: ServerOptions,
  identified: (inner: Handler<Identified>) => Handler<Observed>,
): (inner: Handler<Identified>) => Handler<Observed> {
  if (options === undefined) return identified;
  const stages = audit(options, { ...env, names });
  return (inner) => before(stages.refused, identified(before(stages.identified, inner)));
}

/** A request waits for seats for at most this part of its timeout; then it is refused. */
const WAITED_PART = 4;

/** Flow control divides the limits of requests in flight, so there is none without limits. */
function limitOf(options: ServerOptions, countAnswer: CountAnswer) {
  const { env, names, flowControl, maxRequestsInflight, maxMutatingRequestsInflight } = options;
  const seats = maxRequestsInflight + maxMutatingRequestsInflight;
  if (flowControl !== undefined && seats > 0) {
    const waitMs = options.requestTimeoutMs / WAITED_PART;
    const own = options.thread === undefined ? seats : seatsOfThread(seats, options.thread);
    return controlFlow({ ...env, names, ...flowControl, countAnswer, seats: own, waitMs });
  }
  const limit = limitInflight({
    metrics: env.metrics,
    maxReadOnly: maxRequestsInflight,
    maxMutating: maxMutatingRequestsInflight,
    exemptGroup: names.userGroups.masters,
    shared: options.thread?.inflight,
  });
  return { ...limit, debug: [], close: () => undefined };
}

/** Reads of the history go to their handler, all other requests for resources to the registry. */
function resourcesOf({ history, resources }: ServerOptions): Handler<ResourceContext> {
  if (history === undefined) return resources;
  return (context) => (context.info.isHistory === true ? history(context) : resources(context));
}

/** As `requestInfo`, where paths below `/history` are about the object or collection that follows. */
const requestInfoWithHistory: Stage<Received, WithInfo> = (context, next) => {
  const { request } = context;
  const { method, rawPath, rawQuery } = request;
  if (!isHistoryPath(rawPath)) return requestInfo(context, next);
  const line = { method, rawPath, rawQuery, contentType: undefined };
  return next({ request, info: infoOrRefusal(line, parseHistoryInfo) });
};

/** Derives the request info from path and method. */
const requestInfo: Stage<Received, WithInfo> = (context, next) => {
  const { request } = context;
  const { method, rawPath, rawQuery } = request;
  const info = infoOrRefusal({ method, rawPath, rawQuery, contentType: request.headers['content-type'] });
  return next({ request, info });
};

/** Refuses malformed paths and methods that no resource supports, after the user is known. */
const refused: Stage<Identified> = (context, next) => {
  if (context.info.refusal !== undefined) throw context.info.refusal;
  return next(context);
};
