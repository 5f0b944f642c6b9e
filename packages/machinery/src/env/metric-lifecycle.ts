import type { MetricDefinition } from '../metrics.ts';

/** Where a metric is in its life (spec 3.4). */
export type MetricStage = 'current' | 'deprecated' | 'hidden' | 'deleted';

/** Minor releases from the one that announced the deprecation until the metric hides; one further and it is gone. */
const HIDDEN_AFTER = 3;

const minorOf = (release: string): number => Number(release.split('.')[1] ?? Number.NaN);

/** The stage of a metric in a release of the same major version. */
export function metricStage(
  { deprecatedFrom }: Pick<MetricDefinition, 'deprecatedFrom'>,
  release: string,
): MetricStage {
  if (deprecatedFrom === undefined) return 'current';
  const age = minorOf(release) - minorOf(deprecatedFrom);
  if (age < 0) return 'current';
  if (age < HIDDEN_AFTER) return 'deprecated';
  return age === HIDDEN_AFTER ? 'hidden' : 'deleted';
}

/** The help of a deprecated metric says so first. */
export const helpIn = (definition: MetricDefinition, stage: MetricStage): string =>
  stage === 'current' ? definition.help : `(Deprecated from ${definition.deprecatedFrom}) ${definition.help}`;

/** Which metrics a process registers. */
export interface MetricRelease {
  readonly release: string;
  /** Also those that are hidden in `release`. */
  readonly showHidden: boolean;
}

/** Whether a metric of this stage is on the metrics page. */
export const isShown = (stage: MetricStage, { showHidden }: MetricRelease): boolean =>
  stage === 'hidden' ? showHidden : stage !== 'deleted';
