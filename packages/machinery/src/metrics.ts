export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Declaration of one metric family. `buckets` are upper bounds without `+Inf`, for histograms only. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
  readonly stability?: 'ALPHA' | 'BETA' | 'STABLE';
  /** The release (`1.23`) that deprecates the metric: it is hidden three releases later and removed four later (spec 3.4). */
  readonly deprecatedFrom?: string;
  /** Gauges only: threads of a process report the same thing, so that their values are not added; their greatest is exposed. */
  readonly isSameInThreads?: boolean;
}

/** One time series. Callers keep a reference to it, so that recording is an addition without a lookup. */
export interface CounterSeries {
  inc(by?: number): void;
}
export interface GaugeSeries {
  set(value: number): void;
  add(by: number): void;
}
export interface HistogramSeries {
  /** With an exemplar, its bucket refers to it until the next one. */
  observe(value: number, exemplar?: Exemplar): void;
}

/** The trace in which a value was observed. */
export interface Exemplar {
  readonly traceId: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** The Prometheus text format, version 0.0.4, or OpenMetrics, version 1.0.0, which has exemplars. */
export type MetricsFormat = 'text' | 'openMetrics';

/** Returns series by label values, in the order of the declaration. */
export interface Family<Series> {
  series(...labelValues: readonly string[]): Series;
  /** Removes all series, which are created again on use: for gauges that a callback sets before every scrape. */
  clear(): void;
}

/** Metrics that a library collects. */
export interface MetricsSource {
  /** Its families in the Prometheus text format. */
  text(): Promise<string>;
}

/** The registry of a process. Declaring the same name twice with the same shape returns the same family. */
export interface Metrics {
  counter(definition: Omit<MetricDefinition, 'type'>): Family<CounterSeries>;
  gauge(definition: Omit<MetricDefinition, 'type'>): Family<GaugeSeries>;
  histogram(definition: Omit<MetricDefinition, 'type'>): Family<HistogramSeries>;
  /** Registers a callback that runs before every scrape, for gauges that are cheaper to read than to maintain. */
  onCollect(callback: () => void): void;
  /** Adds the families of a library to the exposition. */
  addSource(source: MetricsSource): void;
  /** Adds the values of the same families in another thread of the process to the exposition. */
  addPeer(peer: MetricsSource): void;
  /** The families of this registry in the Prometheus text format, version 0.0.4. */
  text(): string;
  /** All families, those of the sources included; in the text format by default. A source that fails is counted and left out. */
  exposition(format?: MetricsFormat): Promise<string>;
}

/**
 * Bucket bounds in seconds for durations of requests, here and in the store. Every bound is a line for every combination of
 * labels, and these families have the most combinations, so there are few bounds.
 */
export const requestDurationBuckets: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
