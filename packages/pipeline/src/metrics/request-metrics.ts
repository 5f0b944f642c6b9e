import {
  type CounterSeries,
  type Exemplar,
  type Family,
  type GaugeSeries,
  type HistogramSeries,
  type Metrics,
  requestDurationBuckets,
} from '@orch/machinery';
import type { RequestInfo } from '@orch/request';
import { type FieldValidation, labelsOf, type RequestLabels } from './request-labels.ts';

const component = 'apiserver';

/**
 * The latencies of service level objectives (1, 5 and 30 s), and few others: these families have as many combinations of labels
 * as those of durations, and a scrape must stay below 5 MB. Seconds.
 */
const indicatorBuckets = [0.1, 0.4, 1, 2, 5, 10, 30, 60];

const validationBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, 5, 10, 30];

const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Duration of a request in seconds. */
export interface Duration {
  readonly total: number;
  /** Without time in queues of flow control and in admission webhooks. */
  readonly own: number;
  /** The trace of the request. */
  readonly exemplar?: Exemplar | undefined;
}

/** The series of one set of labels, looked up once per request. */
export interface RequestSeries {
  /** Counts a finished request and observes its duration, unless it is long-running. */
  done(code: number, dryRun: '' | 'All', duration: Duration): void;
  /** Observes the size of the reply to a read. */
  size(bytes: number): void;
  /** Counts a long-running request that begins; call the result when it ends. */
  begin(): () => void;
  aborted(): void;
  /** Counts a request that the server terminated: deadline or overload. */
  terminated(code: number): void;
}

/** Metrics of requests by kind of request (facts: metric names). */
export class RequestMetrics {
  readonly #isServed: (info: RequestInfo) => boolean;
  readonly #series = new Map<string, RequestSeries>();
  /** Number of the sets of labels with durations. */
  #timed = 0;
  #untimed = 0;
  readonly #families: RequestFamilies;
  readonly #validations: Family<HistogramSeries>;

  constructor(metrics: Metrics, isServed: (info: RequestInfo) => boolean) {
    this.#isServed = isServed;
    this.#families = new RequestFamilies(metrics);
    this.#validations = metrics.histogram({
      name: 'field_validation_request_duration_seconds',
      help: 'Durations of writes by how they treat unknown fields, and whether the server heeds that.',
      labels: ['enabled', 'field_validation'],
      buckets: validationBuckets,
      stability: 'ALPHA',
    });
  }

  /** Observes a write with its treatment of unknown fields. */
  validated(validation: FieldValidation, isEnabled: boolean, seconds: number): void {
    this.#validations.series(String(isEnabled), validation).observe(seconds);
  }

  /** The series of a request; `undefined` for one whose path is malformed. */
  of(info: RequestInfo | undefined): RequestSeries {
    const key = keyOf(info);
    const cached = this.#series.get(key);
    if (cached !== undefined) return cached;
    const labels = labelsOf(info, this.#isServed);
    if (labels.verb === 'other' && key !== '') return this.of(undefined);
    if (isTimed(labels.verb) ? this.#timed < MOST_TIMED : this.#untimed < MOST_UNTIMED)
      return this.#added(key, labels);
    const { verb, scope } = labels;
    const overflow = `${verb}|${OVERFLOW}|${scope}`;
    return this.#series.get(overflow) ?? this.#added(overflow, { ...ofOverflow, verb, scope });
  }

  #added(key: string, labels: RequestLabels): RequestSeries {
    if (isTimed(labels.verb)) this.#timed += 1;
    else this.#untimed += 1;
    const series = new LabelledSeries(this.#families, labels);
    this.#series.set(key, series);
    return series;
  }
}

/** Durations of watches depend on clients and timeouts, and every resource has watches. */
const isTimed = (verb: string): boolean => verb !== 'WATCH' && verb !== 'CONNECT';

/**
 * Sets of labels with durations, of which each has about 10 kB of lines: a scrape must stay below 5 MB, and custom resources have
 * any number of resources. Requests beyond are counted and timed by verb and scope, so that service level indicators include them.
 */
const MOST_TIMED = 300;

/** The same for sets without durations, which have a line for each code and gauge. */
const MOST_UNTIMED = 400;

/** The same for counters by code. */
const MOST_COUNTERS = 3000;

/** The same for dry runs, which few clients send. */
const MOST_DRY = 30;

/** Label `resource` of requests beyond the limit. */
const OVERFLOW = 'overflow';
const ofOverflow = { group: '', version: '', resource: OVERFLOW, subresource: '' } as const;

/** Key of a set of labels. `|` is not part of any segment of a served path. */
function keyOf(info: RequestInfo | undefined): string {
  if (info === undefined) return '';
  if (!info.isResource) return `${info.verb}|${info.path}`;
  const scope = info.name !== '' ? 'r' : info.namespace !== '' ? 'n' : 'c';
  return `${info.verb}|${info.group}|${info.version}|${info.resource}|${info.subresource}|${scope}`;
}

/** Labels of a request, in the order of `LabelledSeries`. */
const where = ['group', 'resource', 'scope', 'subresource', 'verb', 'version'];

class RequestFamilies {
  readonly total: Family<CounterSeries>;
  readonly durations: Family<HistogramSeries>;
  readonly indicators: readonly Family<HistogramSeries>[];
  readonly sizes: Family<HistogramSeries>;
  readonly running: Family<GaugeSeries>;
  readonly formerlyRunning: Family<GaugeSeries>;
  readonly aborts: Family<CounterSeries>;
  readonly terminations: Family<CounterSeries>;
  /** Number of the counters by code. */
  counters = 0;
  /** Number of the sets of labels with durations of dry runs. */
  dry = 0;

  constructor(metrics: Metrics) {
    this.total = metrics.counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource, dry run and code of the answer.',
      labels: ['code', 'component', 'dry_run', ...where],
      stability: 'STABLE',
    });
    this.durations = metrics.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the head of a request to its answer, by verb, dry run and resource.',
      labels: ['component', 'dry_run', ...where],
      buckets: requestDurationBuckets,
      stability: 'STABLE',
    });
    const indicator = {
      labels: ['component', ...where],
      buckets: indicatorBuckets,
      stability: 'ALPHA',
    } as const;
    this.indicators = [
      metrics.histogram({
        ...indicator,
        name: 'apiserver_request_sli_duration_seconds',
        help: 'Service level indicator: durations of requests without time in queues of flow control and in webhooks.',
      }),
      metrics.histogram({
        ...indicator,
        name: 'apiserver_request_slo_duration_seconds',
        help: 'Durations of requests without time in queues of flow control and in webhooks; apiserver_request_sli_duration_seconds is the same.',
        deprecatedFrom: '1.27',
      }),
    ];
    this.sizes = metrics.histogram({
      name: 'apiserver_response_sizes',
      help: 'Bytes of answers to reads, before compression.',
      labels: ['component', ...where],
      buckets: sizeBuckets,
      stability: 'STABLE',
    });
    this.running = metrics.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Long-running requests that are open now.',
      labels: ['component', ...where],
      stability: 'ALPHA',
    });
    this.formerlyRunning = metrics.gauge({
      name: 'apiserver_longrunning_gauge',
      help: 'Long-running requests that are open now; apiserver_longrunning_requests is the same.',
      labels: ['component', ...where],
      stability: 'ALPHA',
      deprecatedFrom: '1.23',
    });
    this.aborts = metrics.counter({
      name: 'apiserver_request_aborts_total',
      help: 'Requests whose client went away before the answer was complete.',
      labels: where,
      stability: 'ALPHA',
    });
    this.terminations = metrics.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Requests that the server ended in self-defence.',
      labels: ['code', 'component', ...where],
      stability: 'ALPHA',
    });
  }
}

/** Creates each series on first use, so that only those with a value are reported. */
class LabelledSeries implements RequestSeries {
  readonly #families: RequestFamilies;
  readonly #verb: string;
  /** Values of the labels. */
  readonly #labels: readonly string[];
  readonly #counters = new Map<number, CounterSeries>();
  readonly #dryCounters = new Map<number, CounterSeries>();
  #size: HistogramSeries | undefined;
  #gauges: readonly GaugeSeries[] | undefined;
  #duration: HistogramSeries | undefined;
  #dryDuration: HistogramSeries | undefined;
  #indicators: readonly HistogramSeries[] | undefined;

  constructor(families: RequestFamilies, labels: RequestLabels) {
    const { verb, group, version, resource, subresource, scope } = labels;
    this.#families = families;
    this.#verb = verb;
    this.#labels = [group, resource, scope, subresource, verb, version];
  }

  done(code: number, dryRun: '' | 'All', duration: Duration): void {
    this.#counterOf(code, dryRun).inc();
    if (!isTimed(this.#verb)) return;
    this.#durationOf(dryRun).observe(duration.total, duration.exemplar);
    this.#indicators ??= this.#families.indicators.map((family) => family.series(component, ...this.#labels));
    for (const indicator of this.#indicators) indicator.observe(duration.own, duration.exemplar);
  }

  size(bytes: number): void {
    if (this.#verb !== 'GET' && this.#verb !== 'LIST') return;
    this.#size ??= this.#families.sizes.series(component, ...this.#labels);
    this.#size.observe(bytes);
  }

  begin(): () => void {
    const { running, formerlyRunning } = this.#families;
    this.#gauges ??= [
      running.series(component, ...this.#labels),
      formerlyRunning.series(component, ...this.#labels),
    ];
    const gauges = this.#gauges;
    for (const gauge of gauges) gauge.add(1);
    return () => {
      for (const gauge of gauges) gauge.add(-1);
    };
  }

  aborted(): void {
    this.#families.aborts.series(...this.#labels).inc();
  }

  terminated(code: number): void {
    this.#families.terminations.series(String(code), component, ...this.#labels).inc();
  }

  #counterOf(code: number, dryRun: '' | 'All'): CounterSeries {
    const byCode = dryRun === 'All' ? this.#dryCounters : this.#counters;
    let counter = byCode.get(code);
    if (counter === undefined) {
      const labels = this.#families.counters < MOST_COUNTERS ? this.#labels : this.#overflowLabels();
      this.#families.counters += 1;
      counter = this.#families.total.series(String(code), component, dryRun, ...labels);
      byCode.set(code, counter);
    }
    return counter;
  }

  #dryLabels(): readonly string[] {
    if (this.#families.dry >= MOST_DRY) return this.#overflowLabels();
    this.#families.dry += 1;
    return this.#labels;
  }

  #overflowLabels(): readonly string[] {
    const [, , scope = ''] = this.#labels;
    return ['', OVERFLOW, scope, '', this.#verb, ''];
  }

  #durationOf(dryRun: '' | 'All'): HistogramSeries {
    const { durations } = this.#families;
    if (dryRun === 'All') {
      this.#dryDuration ??= durations.series(component, dryRun, ...this.#dryLabels());
      return this.#dryDuration;
    }
    this.#duration ??= durations.series(component, dryRun, ...this.#labels);
    return this.#duration;
  }
}
