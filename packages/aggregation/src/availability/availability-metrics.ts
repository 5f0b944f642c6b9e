import type { CounterSeries, Family, GaugeSeries, Metrics } from '@orch/machinery';
import type { AvailabilityReason } from '../api-services/availability.ts';

/** Series about the availability of extension API servers, as this replica sees them. */
export class AvailabilityMetrics {
  readonly #unavailable: Family<GaugeSeries>;
  readonly #failures: Family<CounterSeries>;
  /** Whether each API service is unavailable. */
  readonly #known = new Map<string, boolean>();

  constructor(metrics: Metrics) {
    this.#unavailable = metrics.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'Whether an API service is unavailable (1) or not (0).',
      isSameInThreads: true,
      labels: ['name'],
      stability: 'ALPHA',
    });
    this.#failures = metrics.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often API services have become unavailable, by reason.',
      labels: ['name', 'reason'],
      stability: 'ALPHA',
    });
    metrics.onCollect(() => {
      this.#unavailable.clear();
      for (const [name, isUnavailable] of this.#known)
        this.#unavailable.series(name).set(isUnavailable ? 1 : 0);
    });
  }

  set(name: string, isAvailable: boolean, reason: AvailabilityReason): void {
    if (!isAvailable && this.#known.get(name) !== true) this.#failures.series(name, reason).inc();
    this.#known.set(name, !isAvailable);
  }

  delete(name: string): void {
    this.#known.delete(name);
  }
}
