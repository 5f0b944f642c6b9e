import type { Exposition, MetricSample } from './exposition.ts';

/** Two scrapes of one process. */
export interface ScrapePair {
  readonly before: Exposition;
  readonly after: Exposition;
  /** Time between them. */
  readonly seconds: number;
}

/** The sum of gauges by a label; of all with ''. */
export function totalBy(exposition: Exposition, name: string, label: string): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { labels, value } of exposition.get(name) ?? []) {
    const key = labels[label] ?? '';
    totals.set(key, (totals.get(key) ?? 0) + value);
  }
  return totals;
}

export const total = (exposition: Exposition, name: string): number =>
  (exposition.get(name) ?? []).reduce((sum, { value }) => sum + value, 0);

const keyOf = ({ labels }: MetricSample): string => JSON.stringify(Object.entries(labels).toSorted());

/** The increase of every counter of a family. One that became smaller was reset and counts from 0. */
export function growth({ before, after }: ScrapePair, name: string): readonly MetricSample[] {
  const earlier = new Map((before.get(name) ?? []).map((sample) => [keyOf(sample), sample.value]));
  return (after.get(name) ?? []).map((sample) => {
    const old = earlier.get(keyOf(sample)) ?? 0;
    return { labels: sample.labels, value: sample.value >= old ? sample.value - old : sample.value };
  });
}

/** The growth of a family per second, of the series that a condition selects. */
export const rate = (
  pair: ScrapePair,
  name: string,
  selects: (labels: MetricSample['labels']) => boolean = () => true,
): number => {
  const grown = growth(pair, name).filter(({ labels }) => selects(labels));
  return grown.reduce((sum, { value }) => sum + value, 0) / pair.seconds;
};

/**
 * The smallest bound of a histogram that the share `quantile` of its observations does not exceed. Infinity beyond the last bound;
 * undefined without observations. Buckets are cumulative and may belong to several series.
 */
export function quantileBound(buckets: readonly MetricSample[], quantile: number): number | undefined {
  const counts = new Map<number, number>();
  for (const { labels, value } of buckets) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  const all = counts.get(Number.POSITIVE_INFINITY) ?? 0;
  if (all === 0) return undefined;
  const bounds = [...counts].toSorted(([a], [b]) => a - b);
  return bounds.find(([, count]) => count >= quantile * all)?.[0];
}
