export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Declaration of one metric family. `buckets` are upper bounds without `+Inf`, for histograms only. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
  readonly stability?: 'ALPHA' | 'BETA' | 'STABLE';
  /** Release (`1.23`) from which on it is deprecated: three later it hides, four later it is gone (spec 3.4). */
  readonly deprecatedFrom?: string;
}

/** One time series, held by its user so that recording costs an addition and no lookup. */
export interface CounterSeries {
  inc(by?: number): void;
}
export interface GaugeSeries {
  set(value: number): void;
  add(by: number): void;
}
export interface HistogramSeries {
  observe(value: number): void;
}

/** A family hands out its series by label values, in the order of the declaration. */
export interface Family<Series> {
  series(...labelValues: readonly string[]): Series;
}

/** The registry of a process. Declaring the same name twice with the same shape returns the same family. */
export interface Metrics {
  counter(definition: Omit<MetricDefinition, 'type'>): Family<CounterSeries>;
  gauge(definition: Omit<MetricDefinition, 'type'>): Family<GaugeSeries>;
  histogram(definition: Omit<MetricDefinition, 'type'>): Family<HistogramSeries>;
  /** Runs before every scrape, to set gauges that are cheaper to read than to maintain. */
  onCollect(callback: () => void): void;
  /** The Prometheus text format, version 0.0.4. */
  text(): string;
}

/**
 * Bounds in seconds for how long requests take, here and in the store. Each is a line of text for every combination of
 * labels, and these families have the most combinations: a few that tell fast, slow and timed out apart.
 */
export const requestDurationBuckets: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
