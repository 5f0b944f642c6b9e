import { RemoteError } from '@orch/auth';
import type { Env } from '@orch/machinery';

/** Decisions that a webhook takes, by their names in metrics. */
export type Delegated = 'authn' | 'authz';

/** Sends a question to a service. */
export type Post = (body: object, signal: AbortSignal) => Promise<unknown>;

const titles: Readonly<Record<Delegated, string>> = { authn: 'authentication', authz: 'authorization' };

/** Label of requests without a status code. */
const NO_CODE = '<error>';

const buckets = [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10];

/** Counts and times the requests to an authentication or authorization webhook, by status code. */
export function measuredPost(
  post: Post,
  decides: Delegated,
  { metrics, clock }: Pick<Env, 'metrics' | 'clock'>,
): Post {
  const shared = { labels: ['code'], stability: 'ALPHA' } as const;
  const total = metrics.counter({
    name: `apiserver_delegated_${decides}_request_total`,
    help: `Requests to the ${titles[decides]} webhook, by status code.`,
    ...shared,
  });
  const seconds = metrics.histogram({
    name: `apiserver_delegated_${decides}_request_duration_seconds`,
    help: `Durations of requests to the ${titles[decides]} webhook, by status code.`,
    buckets,
    ...shared,
  });
  return async (body, signal) => {
    const started = clock.monotonic();
    const done = (code: string): void => {
      total.series(code).inc();
      seconds.series(code).observe((clock.monotonic() - started) / 1000);
    };
    try {
      const answer = await post(body, signal);
      done('200');
      return answer;
    } catch (error) {
      done(error instanceof RemoteError && error.status !== undefined ? String(error.status) : NO_CODE);
      throw error;
    }
  };
}
