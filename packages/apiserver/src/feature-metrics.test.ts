import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveFeatureGates } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { featureMetrics } from './feature-metrics.ts';

const linesOf = (naming: 'orch' | 'kubernetes', release: '1.24' | '1.15', settings: readonly string[]) => {
  const [metrics, names] = [createMetrics(), namesFor(naming)];
  featureMetrics(metrics, { names, release, gates: resolveFeatureGates(settings, release, names) });
  return metrics.text().split('\n');
};

describe('metrics of feature gates', () => {
  it('each gate of the release has its stage and whether it is enabled', () => {
    const lines = linesOf('kubernetes', '1.24', ['APIServerTracing=true', 'OpenAPIV3=false']);
    for (const line of [
      'kubernetes_feature_enabled{name="APIServerTracing",stage="ALPHA"} 1',
      'kubernetes_feature_enabled{name="OpenAPIV3",stage="BETA"} 0',
      'kubernetes_feature_enabled{name="ServerSideApply",stage=""} 1',
    ])
      assert.ok(lines.includes(line), line);
  });

  it('gates of later releases are not reported, and the name is that of the naming', () => {
    const lines = linesOf('orch', '1.15', []);
    assert.ok(lines.some((line) => line.startsWith('orch_feature_enabled{')));
    assert.ok(!lines.some((line) => line.includes('"APIServerTracing"')));
  });
});
