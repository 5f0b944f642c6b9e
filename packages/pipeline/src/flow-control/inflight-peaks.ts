import type { Metrics } from '@orch/machinery';

interface Lane {
  inflight: number;
  /** Maximum since the last scrape. */
  peak: number;
}

/** Counts executing requests, read-only and mutating ones separately. */
export class InflightPeaks {
  readonly #readOnly: Lane = { inflight: 0, peak: 0 };
  readonly #mutating: Lane = { inflight: 0, peak: 0 };
  readonly #dropped;

  constructor(metrics: Metrics) {
    const gauge = metrics.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Most requests in flight at one time since the last scrape, by kind.',
      labels: ['request_kind'],
      stability: 'STABLE',
    });
    this.#dropped = metrics.counter({
      name: 'apiserver_dropped_requests_total',
      help: 'Requests refused with 429 because too many were in flight, by kind.',
      labels: ['request_kind'],
      stability: 'ALPHA',
      deprecatedFrom: '1.24',
    });
    const readOnlyGauge = gauge.series('readOnly');
    const mutatingGauge = gauge.series('mutating');
    metrics.onCollect(() => {
      readOnlyGauge.set(this.#readOnly.peak);
      mutatingGauge.set(this.#mutating.peak);
      this.#readOnly.peak = this.#readOnly.inflight;
      this.#mutating.peak = this.#mutating.inflight;
    });
  }

  get total(): number {
    return this.#readOnly.inflight + this.#mutating.inflight;
  }

  inflight(isReadOnly: boolean): number {
    return this.#lane(isReadOnly).inflight;
  }

  begin(isReadOnly: boolean): void {
    const lane = this.#lane(isReadOnly);
    lane.inflight++;
    if (lane.inflight > lane.peak) lane.peak = lane.inflight;
  }

  end(isReadOnly: boolean): void {
    this.#lane(isReadOnly).inflight--;
  }

  dropped(isReadOnly: boolean): void {
    this.#dropped.series(isReadOnly ? 'readOnly' : 'mutating').inc();
  }

  #lane(isReadOnly: boolean): Lane {
    return isReadOnly ? this.#readOnly : this.#mutating;
  }
}
