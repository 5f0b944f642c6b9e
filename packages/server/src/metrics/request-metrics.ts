import {
  type CounterSeries,
  type GaugeSeries,
  type HistogramSeries,
  type Metrics,
  requestDurationBuckets,
} from '@orch/machinery';
import type { RequestInfo } from '../request/types.ts';
import { labelsOf, type RequestLabels } from './request-labels.ts';

const component = 'apiserver';

const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** All series of one set of labels, looked up once per request. */
export interface RequestSeries {
  /** Counts one finished request and observes how long it took, unless it is a long-running one. */
  done(code: number, dryRun: '' | 'All', seconds: number): void;
  /** Observes the size of the answer to a read. */
  size(bytes: number): void;
  /** A long-running request that begins; call the result when it ends. */
  begin(): () => void;
  aborted(): void;
  /** The server gave up on the request: deadline or overload. */
  terminated(code: number): void;
}

/** Metrics of requests by kind of request (facts: metric names). */
export class RequestMetrics {
  readonly #isServed: (info: RequestInfo) => boolean;
  readonly #series = new Map<string, RequestSeries>();
  readonly #make: (labels: RequestLabels) => RequestSeries;

  constructor(metrics: Metrics, isServed: (info: RequestInfo) => boolean) {
    this.#isServed = isServed;
    this.#make = seriesMaker(metrics);
  }

  /** The series of a request; `undefined` for one whose path could not be read. */
  of(info: RequestInfo | undefined): RequestSeries {
    const key = keyOf(info);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const labels = labelsOf(info, this.#isServed);
    if (labels.verb === 'other' && key !== '') return this.of(undefined);
    const series = this.#make(labels);
    this.#series.set(key, series);
    return series;
  }
}

/** Tells apart what the labels tell apart. `|` stands in no segment of a served path. */
function keyOf(info: RequestInfo | undefined): string {
  if (info === undefined) return '';
  if (!info.isResource) return `${info.verb}|${info.path}`;
  const scope = info.name !== '' ? 'r' : info.namespace !== '' ? 'n' : 'c';
  return `${info.verb}|${info.group}|${info.version}|${info.resource}|${info.subresource}|${scope}`;
}

function seriesMaker(metrics: Metrics): (labels: RequestLabels) => RequestSeries {
  const where = ['group', 'resource', 'scope', 'subresource', 'verb', 'version'];
  const total = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource, dry run and code of the answer.',
    labels: ['code', 'component', 'dry_run', ...where],
    stability: 'STABLE',
  });
  const durations = metrics.histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the head of a request to its answer, by verb, dry run and resource.',
    labels: ['component', 'dry_run', ...where],
    buckets: requestDurationBuckets,
    stability: 'STABLE',
  });
  const sizes = metrics.histogram({
    name: 'apiserver_response_sizes',
    help: 'Bytes of answers to reads, before compression.',
    labels: ['component', ...where],
    buckets: sizeBuckets,
    stability: 'STABLE',
  });
  const running = metrics.gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Long-running requests that are open now.',
    labels: ['component', ...where],
    stability: 'ALPHA',
  });
  const formerlyRunning = metrics.gauge({
    name: 'apiserver_longrunning_gauge',
    help: 'Long-running requests that are open now; apiserver_longrunning_requests is the same.',
    labels: ['component', ...where],
    stability: 'ALPHA',
    deprecatedFrom: '1.23',
  });
  const aborts = metrics.counter({
    name: 'apiserver_request_aborts_total',
    help: 'Requests whose client went away before the answer was complete.',
    labels: where,
    stability: 'ALPHA',
  });
  const terminations = metrics.counter({
    name: 'apiserver_request_terminations_total',
    help: 'Requests that the server ended in self-defence.',
    labels: ['code', 'component', ...where],
    stability: 'ALPHA',
  });

  return ({ verb, group, version, resource, subresource, scope }) => {
    const at = [group, resource, scope, subresource, verb, version];
    const counters = new Map<number, CounterSeries>();
    const dryCounters = new Map<number, CounterSeries>();
    let size: HistogramSeries | undefined;
    let gauges: readonly GaugeSeries[] | undefined;
    let duration: HistogramSeries | undefined;
    let dryDuration: HistogramSeries | undefined;
    return {
      done(code, dryRun, seconds) {
        const isDry = dryRun === 'All';
        const byCode = isDry ? dryCounters : counters;
        let counter = byCode.get(code);
        if (counter === undefined) {
          counter = total.series(String(code), component, dryRun, ...at);
          byCode.set(code, counter);
        }
        counter.inc();
        // The time of a watch says when its client or its timeout ended it, and every resource has watches.
        if (verb === 'WATCH' || verb === 'CONNECT') return;
        if (isDry) {
          dryDuration ??= durations.series(component, dryRun, ...at);
          dryDuration.observe(seconds);
        } else {
          duration ??= durations.series(component, '', ...at);
          duration.observe(seconds);
        }
      },
      size(bytes) {
        if (verb !== 'GET' && verb !== 'LIST') return;
        size ??= sizes.series(component, ...at);
        size.observe(bytes);
      },
      begin() {
        gauges ??= [running.series(component, ...at), formerlyRunning.series(component, ...at)];
        const open = gauges;
        for (const gauge of open) gauge.add(1);
        return () => {
          for (const gauge of open) gauge.add(-1);
        };
      },
      aborted: () => aborts.series(...at).inc(),
      terminated: (code) => terminations.series(String(code), component, ...at).inc(),
    };
  };
}
