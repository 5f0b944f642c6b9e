import { requestDurationBuckets } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

const labels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component', 'code'];
const valuesOf = (i: number): readonly string[] => [
  'GET',
  'apps',
  'v1',
  `resource${i}`,
  '',
  'namespace',
  'apiserver',
  '200',
];
const labelsOf = (i: number): Record<string, string> =>
  Object.fromEntries(labels.map((label, index) => [label, valuesOf(i)[index] ?? '']));
const buckets = [...requestDurationBuckets];
const SERIES = 500;

/** The cost of recording for a request, with bound labels, and of a scrape. */
export async function metrics(): Promise<readonly Comparison[]> {
  const prom = library('prom-client');
  const registry = new prom.Registry();
  const registers = [registry];
  const counters = new prom.Counter({ name: 'a', help: 'a', labelNames: labels, registers });
  const histograms = new prom.Histogram({ name: 'b', help: 'b', labelNames: labels, buckets, registers });
  const own = createMetrics();
  const ownCounters = own.counter({ name: 'a', help: 'a', labels });
  const ownHistograms = own.histogram({ name: 'b', help: 'b', labels, buckets });
  const [counter, promCounter] = [ownCounters.series(...valuesOf(0)), counters.labels(labelsOf(0))];
  const [histogram, promHistogram] = [ownHistograms.series(...valuesOf(0)), histograms.labels(labelsOf(0))];
  const row = (what: string, ours: () => unknown, theirs: () => unknown): Comparison => ({
    what,
    ours: cpuMicros(ours, 100_000),
    library: 'prom-client',
    theirs: cpuMicros(theirs, 100_000),
    unit: 'µs',
  });
  const rows = [
    row(
      'count one event, labels bound',
      () => counter.inc(),
      () => promCounter.inc(),
    ),
    row(
      'observe one duration, labels bound',
      () => histogram.observe(0.3),
      () => promHistogram.observe(0.3),
    ),
  ];
  for (let i = 0; i < SERIES; i += 1) {
    ownHistograms.series(...valuesOf(i)).observe(0.3);
    histograms.labels(labelsOf(i)).observe(0.3);
  }
  const ours = cpuMicros(() => own.text(), 1, 15) / 1000;
  const what = `expose ${SERIES} histograms of ${buckets.length} buckets (${(own.text().length / 1e6).toFixed(1)} MB)`;
  const unit = 'ms';
  return [
    ...rows,
    { what, ours, library: 'prom-client', theirs: await millis(() => registry.metrics()), unit },
    {
      what,
      ours,
      library: 'prom-client over our series',
      theirs: await millis(() => fedRegistry(prom).metrics()),
      unit,
      note: 'in the documented order of labels, `le` last',
    },
    { what: 'load the library', ours: 0, library: 'prom-client', theirs: importMillis('prom-client'), unit },
  ];
}

async function millis(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 15; round += 1) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** A registry whose histograms hand over counts that are kept elsewhere. */
function fedRegistry(prom: { readonly Registry: new () => PromRegistry }): PromRegistry {
  const registry = new prom.Registry();
  const bounds = [...buckets.map(String), '+Inf'].map((le) => ({ le }));
  const series = Array.from({ length: SERIES }, (_, i) => labelsOf(i));
  const valuesOfOne = (shared: Record<string, string>) => [
    ...bounds.map((le) => ({ metricName: 'b_bucket', labels: shared, sharedLabels: le, value: 1 })),
    { metricName: 'b_sum', labels: shared, value: 0.3 },
    { metricName: 'b_count', labels: shared, value: 1 },
  ];
  registry.registerMetric({
    name: 'b',
    get: async () => ({ name: 'b', help: 'b', type: 'histogram', values: series.flatMap(valuesOfOne) }),
  });
  return registry;
}

interface PromRegistry {
  registerMetric(metric: object): void;
  metrics(): Promise<string>;
}
