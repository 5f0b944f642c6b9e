import type { CounterSeries, Exemplar, GaugeSeries, HistogramSeries, MetricDefinition } from '../metrics.ts';
import { addSample, type Exposition, sampleText } from './exposition-format.ts';

/** A series that writes its samples in the text format. */
export interface Printable {
  /** Appends its sample lines. `labels` is the text between the braces, without them, or empty. */
  print(out: Exposition, name: string, labels: string): void;
}

const braces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

export class Counter implements CounterSeries, Printable {
  #value = 0;

  /** Negative amounts and NaN are ignored: a counter never decreases. */
  inc(by = 1): void {
    if (by >= 0) this.#value += by;
  }

  print(out: Exposition, name: string, labels: string): void {
    addSample(out, [name + braces(labels), this.#value]);
  }
}

export class Gauge implements GaugeSeries, Printable {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  add(by: number): void {
    this.#value += by;
  }

  print(out: Exposition, name: string, labels: string): void {
    addSample(out, [name + braces(labels), this.#value]);
  }
}

const exemplarText = ({ value, exemplar }: ExemplaryValue): string =>
  ` # {trace_id="${exemplar.traceId}"} ${sampleText(value)} ${exemplar.time / 1000}`;

interface ExemplaryValue {
  readonly value: number;
  readonly exemplar: Exemplar;
}

/** Upper bounds used when a histogram declares none, in seconds. */
const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Histogram implements HistogramSeries, Printable {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  /** The last value with an exemplar, by bucket. */
  #exemplars: (ExemplaryValue | undefined)[] | undefined;
  #sum = 0;
  #isEmpty = true;

  constructor(definition: Pick<MetricDefinition, 'buckets'>) {
    this.#bounds = definition.buckets ?? defaultBuckets;
    this.#counts = new Float64Array(this.#bounds.length + 1);
  }

  /** NaN is ignored: it would make the sum NaN permanently. */
  observe(value: number, exemplar?: Exemplar): void {
    if (Number.isNaN(value)) return;
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (value <= (bounds[middle] as number)) high = middle;
      else low = middle + 1;
    }
    this.#counts[low] = (this.#counts[low] as number) + 1;
    this.#sum += value;
    this.#isEmpty = false;
    if (exemplar !== undefined) this.#keep(low, { value, exemplar });
  }

  /** A labelled histogram without observations prints nothing: such lines would be most of the text of an idle process. */
  print(out: Exposition, name: string, labels: string): void {
    if (labels !== '' && this.#isEmpty) return;
    const exemplars = out.format === 'openMetrics' ? this.#exemplars : undefined;
    const prefix = labels === '' ? '' : `${labels},`;
    let total = 0;
    this.#counts.forEach((count, i) => {
      total += count;
      const exemplary = exemplars?.[i];
      const suffix = exemplary === undefined ? '' : exemplarText(exemplary);
      const bound = sampleText(this.#bounds[i] ?? Infinity);
      addSample(out, [`${name}_bucket{${prefix}le="${bound}"}`, total], suffix);
    });
    addSample(out, [`${name}_sum${braces(labels)}`, this.#sum]);
    addSample(out, [`${name}_count${braces(labels)}`, total]);
  }

  #keep(bucket: number, exemplary: ExemplaryValue): void {
    this.#exemplars ??= Array.from({ length: this.#counts.length });
    this.#exemplars[bucket] = exemplary;
  }
}
