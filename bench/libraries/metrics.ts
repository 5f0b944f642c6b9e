import { createMetrics } from '@orch/machinery';
import { type Comparison, cpuMicros, library } from './measure.ts';

const labels = ['verb', 'resource', 'code'] as const;
const values = ['GET', 'pods', '200'] as const;
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ours = { name: 'requests', help: 'Requests.', labels: [...labels], stability: 'ALPHA' as const };

/** Cost of the metrics of a request; label values are bound beforehand where the library supports it. */
export function metrics(): readonly Comparison[] {
  const prom = library('prom-client');
  const registers: unknown[] = [];
  const own = createMetrics();
  const counter = own.counter(ours).series(...values);
  const histogram = own.histogram({ ...ours, name: 'durations', buckets }).series(...values);
  const promLabels = { verb: 'GET', resource: 'pods', code: '200' };
  const promCounter = new prom.Counter({ name: 'a', help: 'a', labelNames: labels, registers }).labels(
    promLabels,
  );
  const promHistogram = new prom.Histogram({
    name: 'b',
    help: 'b',
    labelNames: labels,
    buckets,
    registers,
  }).labels(promLabels);
  const row = (what: string, our: () => unknown, their: () => unknown): Comparison => ({
    what,
    ours: cpuMicros(our, 100_000),
    library: 'prom-client',
    theirs: cpuMicros(their, 100_000),
    unit: 'µs',
  });
  return [
    row(
      'count one event, labels bound',
      () => counter.inc(),
      () => promCounter.inc(),
    ),
    row(
      'observe one duration, labels bound',
      () => histogram.observe(0.003),
      () => promHistogram.observe(0.003),
    ),
  ];
}
