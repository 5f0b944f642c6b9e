import type { Logger } from '../log.ts';
import type { Family, MetricDefinition, Metrics, MetricType } from '../metrics.ts';
import { MetricFamily } from './family.ts';
import { helpIn, isShown, type MetricRelease, metricStage } from './metric-lifecycle.ts';
import { Counter, Gauge, Histogram, type Printable } from './series.ts';

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelForm = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

function check(definition: MetricDefinition): void {
  const { name, labels = [], buckets = [] } = definition;
  if (!nameForm.test(name)) throw new TypeError(`invalid metric name ${JSON.stringify(name)}`);
  for (const label of labels) {
    if (!labelForm.test(label) || label.startsWith('__')) {
      throw new TypeError(`invalid label ${JSON.stringify(label)} of metric ${name}`);
    }
  }
  if (buckets.some((bound, i) => i > 0 && !(bound > (buckets[i - 1] as number)))) {
    throw new TypeError(`the buckets of metric ${name} do not increase`);
  }
}

const shape = (d: MetricDefinition): string => JSON.stringify([d.type, d.labels ?? [], d.buckets ?? []]);

export interface MetricsOptions {
  readonly maxSeriesPerFamily?: number;
  /** The release whose metrics are kept; all are, deprecated or not, when absent. */
  readonly lifecycle?: MetricRelease;
  /** Gets a warning for each deprecated metric, once, when the metrics are first read. */
  readonly log?: Pick<Logger, 'warn'>;
}

/** The metrics registry of one process (spec 3.4; facts: metrics). */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const families = new Map<string, MetricFamily<Printable>>();
  /** Metrics that the release does not show: their users record into them all the same. */
  const unregistered = new Set<string>();
  /** Deprecated metrics that no reader has been shown yet, with the release of their deprecation. */
  const unannounced = new Map<string, string>();
  const callbacks: (() => void)[] = [];

  function declare<S extends Printable>(
    type: MetricType,
    given: Omit<MetricDefinition, 'type'>,
    make: () => S,
  ): Family<S> {
    const definition = registered({ ...given, type });
    check(definition);
    const existing = families.get(definition.name);
    if (existing === undefined) {
      const family = new MetricFamily(definition, make, options.maxSeriesPerFamily);
      families.set(definition.name, family);
      return family;
    }
    if (shape(existing.definition) !== shape(definition)) {
      throw new TypeError(`metric ${definition.name} is declared twice with different shapes`);
    }
    return existing as unknown as Family<S>;
  }

  function registered(definition: MetricDefinition): MetricDefinition {
    const { lifecycle } = options;
    if (lifecycle === undefined || definition.deprecatedFrom === undefined) return definition;
    const stage = metricStage(definition, lifecycle.release);
    const { name, deprecatedFrom } = definition;
    if (!isShown(stage, lifecycle)) unregistered.add(name);
    else if (stage !== 'current' && !families.has(name)) unannounced.set(name, deprecatedFrom);
    return { ...definition, help: helpIn(definition, stage) };
  }

  // Deprecated metrics reach the endpoint with the first scrape: before that there is nobody to warn.
  function announce(): void {
    for (const [metric, deprecatedFrom] of unannounced)
      options.log?.warn('a deprecated metric is registered', { metric, deprecatedFrom });
    unannounced.clear();
  }

  // One source of gauges that fails must not cost the whole scrape.
  const collect = (callback: () => void): void => {
    try {
      callback();
    } catch {
      const help = 'Callbacks that failed while metrics were collected';
      declare('counter', { name: 'metrics_collect_failures_total', help }, () => new Counter())
        .series()
        .inc();
    }
  };

  return {
    counter: (definition) => declare('counter', definition, () => new Counter()),
    gauge: (definition) => declare('gauge', definition, () => new Gauge()),
    histogram: (definition) => declare('histogram', definition, () => new Histogram(definition)),
    onCollect: (callback) => void callbacks.push(callback),
    text() {
      announce();
      for (const callback of callbacks) collect(callback);
      const out: string[] = [];
      for (const name of [...families.keys()].sort()) {
        if (!unregistered.has(name)) families.get(name)?.print(out);
      }
      return out.length === 0 ? '' : `${out.join('\n')}\n`;
    },
  };
}
