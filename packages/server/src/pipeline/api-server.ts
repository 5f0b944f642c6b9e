import type { Authenticator, Authorizer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import { statusEncoder } from '../errors/status-encoder.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { authenticate } from './authenticate-stage.ts';
import { authorize } from './authorize-stage.ts';
import { before } from './compose.ts';
import { deadline } from './deadline-stage.ts';
import { dispatch, type ResourceContext, routeTable, servedBy } from './dispatch.ts';
import { refuseImpersonation } from './impersonate-stage.ts';
import { limitInflight } from './inflight-stage.ts';
import { requestInfo } from './info-stage.ts';
import { observe } from './observe-stage.ts';
import { failedWith, recover } from './recover.ts';
import type { Answer, ApiRequest, Handler, ResourceRequest, Route } from './types.ts';

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
  const { env, names } = options;
  const { clock, log, metrics } = env;
  const routes = routeTable(options.routes);
  const failed = failedWith(log, statusEncoder(names));
  const requestMetrics = new RequestMetrics(metrics, servedBy(routes, options.servesResource));
  const limit = limitInflight({
    metrics,
    maxReadOnly: options.maxRequestsInflight,
    maxMutating: options.maxMutatingRequestsInflight,
    exemptGroup: names.userGroups.masters,
  });
  const timeout = deadline({
    clock,
    timeoutMs: options.requestTimeoutMs,
    parseDuration: options.parseDuration,
  });
  const identify = authenticate({
    authenticator: options.authenticator,
    clock,
    log,
    metrics,
    countedUsers: new Set([names.users.admin, names.users.apiserver, names.users.anonymous]),
  });
  const end = dispatch({ resources: options.resources, routes, apiPaths: options.apiPaths });

  const handle = before(
    recover(failed),
    before(
      requestInfo,
      before(
        observe({ clock, log, metrics: requestMetrics, failed }),
        before(
          timeout.stage,
          // Audit stands between who asks and how much they may ask for; flow control is the limit.
          before(
            identify,
            before(refuseImpersonation, before(limit.stage, before(authorize(options.authorizer), end))),
          ),
        ),
      ),
    ),
  );
  return {
    handle: (request) => handle({ request }),
    inflight: limit.inflight,
    close: timeout.close,
  };
}
