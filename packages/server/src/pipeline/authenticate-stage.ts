import type { Authentication, Authenticator } from '@orch/auth';
import { type Clock, errors, type Logger, type Metrics } from '@orch/machinery';
import type { Identified, Observed } from '../request/contexts.ts';
import type { Answer, Handler, Stage } from '../request/types.ts';

const durationBuckets = Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent);

/** Finds out who asks; a request without good credentials is answered with 401. */
export function authenticate(options: {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names of users that get a label of their own; all others are counted together, to bound the number of series. */
  readonly countedUsers: ReadonlySet<string>;
}): Stage<Observed, Identified> {
  const { authenticator, clock, log } = options;
  const attempts = options.metrics.counter({
    name: 'authentication_attempts',
    help: 'Authentication attempts by result.',
    labels: ['result'],
    stability: 'ALPHA',
  });
  const duration = options.metrics.histogram({
    name: 'authentication_duration_seconds',
    help: 'Time that authentication took, by result.',
    labels: ['result'],
    buckets: durationBuckets,
    stability: 'ALPHA',
  });
  const users = options.metrics.counter({
    name: 'authenticated_user_requests',
    help: 'Authenticated requests by user name; names without a meaning of their own are counted as other.',
    labels: ['username'],
    stability: 'ALPHA',
  });
  const results = {
    success: { attempts: attempts.series('success'), duration: duration.series('success') },
    failure: { attempts: attempts.series('failure'), duration: duration.series('failure') },
    error: { attempts: attempts.series('error'), duration: duration.series('error') },
  };
  const otherUsers = users.series('other');
  const counted = new Map([...options.countedUsers].map((name) => [name, users.series(name)]));

  const record = (result: keyof typeof results, started: number): void => {
    results[result].attempts.inc();
    results[result].duration.observe((clock.monotonic() - started) / 1000);
  };

  function proceed(
    outcome: Authentication,
    context: Observed,
    next: Handler<Identified>,
    started: number,
  ): Answer {
    if (outcome.kind === 'user') {
      const { user } = outcome;
      record('success', started);
      (counted.get(user.name) ?? otherUsers).inc();
      context.trace.user = user.name;
      if (outcome.annotations !== undefined) context.trace.credentials = outcome.annotations;
      return next({ request: context.request, info: context.info, trace: context.trace, user });
    }
    record('failure', started);
    if (outcome.kind === 'rejected' && log.enabled(2)) {
      log.debug(2, 'credentials rejected', { requestId: context.request.id, reason: outcome.reason });
    }
    throw errors.unauthorized();
  }

  async function later(
    outcome: Promise<Authentication>,
    context: Observed,
    next: Handler<Identified>,
    started: number,
  ) {
    let settled: Authentication;
    try {
      settled = await outcome;
    } catch (error) {
      record('error', started);
      throw error;
    }
    return proceed(settled, context, next, started);
  }

  return (context, next) => {
    const started = clock.monotonic();
    const outcome = authenticator.authenticate(context.request);
    return outcome instanceof Promise
      ? later(outcome, context, next, started)
      : proceed(outcome, context, next, started);
  };
}
