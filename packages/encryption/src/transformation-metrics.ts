import type { Clock, CounterSeries, HistogramSeries, Metrics } from '@orch/machinery';

export type Direction = 'to_storage' | 'from_storage';

interface Series {
  readonly seconds: HistogramSeries;
  readonly succeeded: CounterSeries;
  readonly failed: CounterSeries;
}

/** 5 µs, and twenty-four doublings (facts: metrics). */
const buckets: readonly number[] = Array.from({ length: 25 }, (_, at) => 5e-6 * 2 ** at);

/** Counts and durations of encryptions and decryptions of values. */
export class TransformationMetrics {
  readonly #clock: Clock;
  readonly #seriesOf: (direction: Direction, prefix: string) => Series;
  readonly #unknown: () => CounterSeries;

  constructor({ clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics }) {
    this.#clock = clock;
    const seconds = metrics.histogram({
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'Time that encryption (to_storage) and decryption (from_storage) of stored values took.',
      labels: ['transformation_type'],
      buckets,
      stability: 'ALPHA',
    });
    const operations = metrics.counter({
      name: 'apiserver_storage_transformation_operations_total',
      help: 'Encryptions and decryptions of stored values, by status and by the prefix of the values.',
      labels: ['status', 'transformation_type', 'transformer_prefix'],
      stability: 'ALPHA',
    });
    const known = new Map<string, Series>();
    this.#seriesOf = (direction, prefix) => {
      const id = `${direction} ${prefix}`;
      const found = known.get(id);
      if (found !== undefined) return found;
      const name = prefix === '' ? 'identity' : prefix;
      const made = {
        seconds: seconds.series(direction),
        succeeded: operations.series('OK', direction, name),
        failed: operations.series('Internal', direction, name),
      };
      known.set(id, made);
      return made;
    };
    this.#unknown = () => operations.series('Internal', 'from_storage', 'unknown');
  }

  measure<T>(direction: Direction, prefix: string, work: () => T | Promise<T>): T | Promise<T> {
    const series = this.#seriesOf(direction, prefix);
    const started = this.#clock.monotonic();
    const done = (counter: CounterSeries): void => {
      series.seconds.observe((this.#clock.monotonic() - started) / 1000);
      counter.inc();
    };
    let result: T | Promise<T>;
    try {
      result = work();
    } catch (error) {
      done(series.failed);
      throw error;
    }
    if (result instanceof Promise)
      result.then(
        () => done(series.succeeded),
        () => done(series.failed),
      );
    else done(series.succeeded);
    return result;
  }

  /** No provider reads the value. */
  unknownPrefix(): void {
    this.#unknown().inc();
  }
}
