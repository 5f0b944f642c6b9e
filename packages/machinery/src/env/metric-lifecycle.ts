import type { MetricDefinition } from '../metrics.ts';

/** The stage of a metric's lifecycle (spec 3.4). */
export type MetricStage = 'current' | 'deprecated' | 'hidden' | 'deleted';

/** Minor releases from the deprecation until the metric is hidden; it is removed one release later. */
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

/** The help text; that of a deprecated metric begins with the deprecation. */
export const helpIn = (definition: MetricDefinition, stage: MetricStage): string =>
  stage === 'current' ? definition.help : `(Deprecated from ${definition.deprecatedFrom}) ${definition.help}`;

/** Determines which metrics a process registers. */
export interface MetricRelease {
  readonly release: string;
  /** Whether metrics that are hidden in `release` are registered. */
  readonly showHidden: boolean;
}

/** Reports whether a metric of this stage is exposed. */
export const isVisible = (stage: MetricStage, { showHidden }: MetricRelease): boolean =>
  stage === 'hidden' ? showHidden : stage !== 'deleted';
