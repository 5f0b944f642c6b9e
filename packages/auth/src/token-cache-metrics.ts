import type { Clock, GaugeSeries, Metrics } from '@orch/machinery';

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const stability = 'ALPHA';
const name = (rest: string): string => `authentication_token_cache_${rest}`;

/** The outcome of a fetch. */
interface Outcome {
  readonly kind: string;
}

/**
 * Counts uses of the token caches of all authenticators together (facts: metric names). A token that is not cached is
 * fetched: verified here or sent to a webhook. A rejected token and a failed fetch count as errors.
 */
export class TokenCacheMetrics {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #requests: ReturnType<typeof requestSeries>;
  readonly #fetches: ReturnType<typeof fetchSeries>;
  readonly #active: { readonly inFlight: GaugeSeries; readonly blocked: GaugeSeries };
  /** The number of requests that wait for the fetch of a token. */
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

  /** The start of a request, in monotonic milliseconds. */
  begin(): number {
    return this.#clock.monotonic();
  }

  hit(began: number): void {
    this.#requests.hit.count.inc();
    this.#requests.hit.duration.observe((this.#clock.monotonic() - began) / 1000);
  }

  /** Counts a completed fetch; `outcome` is undefined when it failed. */
  fetched(began: number, outcome: Outcome | undefined): void {
    const isError = outcome === undefined || outcome.kind === 'rejected';
    (isError ? this.#fetches.error : this.#fetches.ok).inc();
    this.#requests.miss.count.inc();
    this.#requests.miss.duration.observe((this.#clock.monotonic() - began) / 1000);
  }

  /** Counts a fetch until it completes. Fetches with one key count as one fetch and blocked requests. */
  async during<T extends Outcome>(key: string, began: number, work: Promise<T>): Promise<T> {
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
    help: 'Requests with a token, by whether its outcome was cached.',
    labels: ['status'],
    stability,
  });
  const durations = metrics.histogram({
    name: name('request_duration_seconds'),
    help: 'Time that tokens took, by whether their outcome was cached.',
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
    help: 'Fetches of tokens that were not cached, by outcome.',
    labels: ['status'],
    stability,
  });
  return { ok: counts.series('ok'), error: counts.series('error') };
}
