import { type FeatureGates, type GateStage, gatesOf, type Release } from '@orch/apis';
import type { Metrics, Names } from '@orch/machinery';

/** Label `stage`; that of features that are generally available is empty. */
const stageLabels: Readonly<Record<GateStage, string>> = {
  alpha: 'ALPHA',
  beta: 'BETA',
  ga: '',
  deprecated: 'DEPRECATED',
};

export interface FeatureMetricsOptions {
  readonly names: Names;
  readonly release: Release;
  readonly gates: Pick<FeatureGates, 'open'>;
}

/** Reports the feature gates of the emulated release. */
export function featureMetrics(metrics: Metrics, { names, release, gates }: FeatureMetricsOptions): void {
  const gauge = metrics.gauge({
    name: names.metric('orch_feature_enabled'),
    help: 'Feature gates of the emulated release by stage: 1 when enabled, 0 when not.',
    labels: ['name', 'stage'],
    stability: 'BETA',
  });
  for (const [canonical, { name, stage }] of gatesOf(release, names))
    gauge.series(name, stageLabels[stage]).set(gates.open.has(canonical) ? 1 : 0);
}
