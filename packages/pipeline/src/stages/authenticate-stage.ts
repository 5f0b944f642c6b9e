import type { Authentication, Authenticator } from '@orch/auth';
import {
  type Clock,
  type CounterSeries,
  errors,
  type HistogramSeries,
  type Logger,
  type Metrics,
} from '@orch/machinery';
import { whenFulfilled, whenRejected } from '@orch/machinery/concurrency';
import type { Answer, Handler, Identified, Observed, Stage } from '@orch/request';
import { filterDuration } from '../metrics/filter-durations.ts';
import { NOTABLE_MS } from '../records/index.ts';

const durationBuckets = Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent);

interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Users with a separate label value; all others are counted together, to bound the number of series. */
  readonly countedUsers: ReadonlySet<string>;
}

/** Authenticates the user of a request; a request without valid credentials is answered with 401. */
export function authenticate(options: AuthenticateOptions): Stage<Observed, Identified> {
  const { authenticator, clock } = options;
  const authentication = new AuthenticationOutcome(options);
  return (context, next) => {
    const started = clock.monotonic();
    const outcome = whenRejected(authenticator.authenticate(context.request), authentication.failed, started);
    return whenFulfilled(outcome, authentication.proceed, context, next, started);
  };
}

/** Continues a request after its authentication. Its functions are arrow functions, because they are passed on. */
class AuthenticationOutcome {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: AuthenticationMetrics;

  constructor({ clock, log, metrics, countedUsers }: AuthenticateOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#metrics = new AuthenticationMetrics(metrics, countedUsers);
  }

  readonly proceed = (
    outcome: Authentication,
    context: Observed,
    next: Handler<Identified>,
    started: number,
  ): Answer => {
    if (outcome.kind === 'user') {
      const { user } = outcome;
      const { trace } = context;
      const ms = this.#record('success', started);
      if (ms >= NOTABLE_MS) trace.authenticationMs = ms;
      this.#metrics.authenticated(user.name);
      trace.user = user.name;
      trace.identity = user;
      if (outcome.annotations !== undefined) trace.credentials = outcome.annotations;
      return next({ request: context.request, info: context.info, trace, user });
    }
    this.#record('failure', started);
    if (outcome.kind === 'rejected' && this.#log.enabled(2)) {
      this.#log.debug(2, 'credentials rejected', { requestId: context.request.id, reason: outcome.reason });
    }
    throw errors.unauthorized();
  };

  readonly failed = (error: unknown, started: number): never => {
    this.#record('error', started);
    throw error;
  };

  /** Returns the time of authentication, in milliseconds. */
  #record(result: AuthenticationResult, started: number): number {
    const ms = this.#clock.monotonic() - started;
    this.#metrics.record(result, ms / 1000);
    return ms;
  }
}

type AuthenticationResult = 'success' | 'failure' | 'error';

interface ResultSeries {
  readonly attempts: CounterSeries;
  readonly duration: HistogramSeries;
}

class AuthenticationMetrics {
  readonly #results: Readonly<Record<AuthenticationResult, ResultSeries>>;
  readonly #users: ReadonlyMap<string, CounterSeries>;
  readonly #otherUsers: CounterSeries;
  readonly #stage: HistogramSeries;

  constructor(metrics: Metrics, countedUsers: ReadonlySet<string>) {
    const attempts = metrics.counter({
      name: 'authentication_attempts',
      help: 'Authentication attempts by result.',
      labels: ['result'],
      stability: 'ALPHA',
    });
    const duration = metrics.histogram({
      name: 'authentication_duration_seconds',
      help: 'Time that authentication took, by result.',
      labels: ['result'],
      buckets: durationBuckets,
      stability: 'ALPHA',
    });
    const users = metrics.counter({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests by user name; ordinary users are counted as other.',
      labels: ['username'],
      stability: 'ALPHA',
    });
    const seriesOf = (result: AuthenticationResult): ResultSeries => ({
      attempts: attempts.series(result),
      duration: duration.series(result),
    });
    this.#results = {
      success: seriesOf('success'),
      failure: seriesOf('failure'),
      error: seriesOf('error'),
    };
    this.#stage = filterDuration(metrics, 'authentication');
    this.#otherUsers = users.series('other');
    this.#users = new Map([...countedUsers].map((name) => [name, users.series(name)]));
  }

  record(result: AuthenticationResult, seconds: number): void {
    this.#results[result].attempts.inc();
    this.#results[result].duration.observe(seconds);
    this.#stage.observe(seconds);
  }

  authenticated(userName: string): void {
    (this.#users.get(userName) ?? this.#otherUsers).inc();
  }
}
