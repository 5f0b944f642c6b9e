import type { Clock, GaugeSeries, Metrics } from '@orch/machinery';
import type { Authentication } from './types.ts';

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const stability = 'ALPHA';
const name = (rest: string): string => `authentication_token_cache_${rest}`;

/**
 * Counts what is remembered of tokens (facts: metric names), for all authenticators that remember any together. A token
 * that is not remembered is fetched: verified here, or asked about elsewhere. What is neither good nor unknown, and what
 * cannot be found out, is an error of the fetch.
 */
export class TokenCacheMetrics {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #requests: ReturnType<typeof requestSeries>;
  readonly #fetches: ReturnType<typeof fetchSeries>;
  readonly #active: { readonly inFlight: GaugeSeries; readonly blocked: GaugeSeries };
  /** How many wait for the fetch of one token. */
  readonly #waiting = new Map<string, number>();

  constructor(metrics: Metrics, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#requests = requestSeries(metrics);
    this.#fetches = fetchSeries(metrics);
    const active = metrics.gauge({
      name: name('active_fetch_count'),
      help: 'Tokens that are being fetched, and requests that wait for a fetch of others.',
      labels: ['status'],
      stability,
    });
    this.#active = { inFlight: active.series('in_flight'), blocked: active.series('blocked') };
  }

  /** Monotonic milliseconds: what a request begins with. */
  begin(): number {
    return this.#clock.monotonic();
  }

  hit(began: number): void {
    this.#requests.hit.count.inc();
    this.#requests.hit.duration.observe((this.#clock.monotonic() - began) / 1000);
  }

  /** A fetch that came to an end; `outcome` is undefined when it failed. */
  fetched(began: number, outcome: Pick<Authentication, 'kind'> | undefined): void {
    const isError = outcome === undefined || outcome.kind === 'rejected';
    (isError ? this.#fetches.error : this.#fetches.ok).inc();
    this.#requests.miss.count.inc();
    this.#requests.miss.duration.observe((this.#clock.monotonic() - began) / 1000);
  }

  /** Counts a fetch while it lasts. Those of one key are one fetch, for which others wait. */
  async during<T extends Pick<Authentication, 'kind'>>(
    key: string,
    began: number,
    work: Promise<T>,
  ): Promise<T> {
    const waiting = this.#waiting.get(key) ?? 0;
    const gauge = waiting === 0 ? this.#active.inFlight : this.#active.blocked;
    this.#waiting.set(key, waiting + 1);
    gauge.add(1);
    let outcome: T | undefined;
    try {
      outcome = await work;
      return outcome;
    } finally {
      gauge.add(-1);
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, left);
      this.fetched(began, outcome);
    }
  }
}

function requestSeries(metrics: Metrics) {
  const counts = metrics.counter({
    name: name('request_total'),
    help: 'Requests with a token, by whether it was remembered.',
    labels: ['status'],
    stability,
  });
  const durations = metrics.histogram({
    name: name('request_duration_seconds'),
    help: 'Time that tokens took, by whether they were remembered.',
    labels: ['status'],
    buckets,
    stability,
  });
  const of = (status: string) => ({ count: counts.series(status), duration: durations.series(status) });
  return { hit: of('hit'), miss: of('miss') };
}

function fetchSeries(metrics: Metrics) {
  const counts = metrics.counter({
    name: name('fetch_total'),
    help: 'Fetches of tokens that were not remembered, by outcome.',
    labels: ['status'],
    stability,
  });
  return { ok: counts.series('ok'), error: counts.series('error') };
}
