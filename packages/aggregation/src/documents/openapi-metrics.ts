import type { Clock, CounterSeries, Family, GaugeSeries, Metrics } from '@orch/machinery';

export type RegenerationReason = 'add' | 'update' | 'delete';

/** Series about the OpenAPI documents of extension API servers. */
export class OpenApiMetrics {
  readonly #clock: Clock;
  readonly #counts: Family<CounterSeries>;
  readonly #seconds: Family<GaugeSeries>;

  constructor({ metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
    this.#clock = clock;
    this.#counts = metrics.counter({
      name: 'aggregator_openapi_v2_regeneration_count',
      help: 'How often the OpenAPI documents of API services have changed, by API service and reason.',
      labels: ['apiservice', 'reason'],
      stability: 'ALPHA',
    });
    this.#seconds = metrics.gauge({
      name: 'aggregator_openapi_v2_regeneration_duration',
      help: 'Duration in seconds of the last change of OpenAPI documents of API services, by reason.',
      isSameInThreads: true,
      labels: ['reason'],
      stability: 'ALPHA',
    });
  }

  /** Begins reading documents; the returned function ends it with a change. */
  start(): (name: string, reason: RegenerationReason) => void {
    const from = this.#clock.monotonic();
    return (name, reason) => {
      this.changed(name, reason);
      this.#seconds.series(reason).set((this.#clock.monotonic() - from) / 1000);
    };
  }

  changed(name: string, reason: RegenerationReason): void {
    this.#counts.series(name, reason).inc();
  }
}
