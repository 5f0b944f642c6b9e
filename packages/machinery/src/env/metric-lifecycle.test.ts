import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metricStage } from './metric-lifecycle.ts';
import { createMetrics } from './metrics.ts';

const declared = { name: 'old_total', help: 'Counts.', stability: 'STABLE', deprecatedFrom: '1.22' } as const;

function scrape(release: string, showHidden = false): { text: string; warnings: readonly unknown[] } {
  const warnings: unknown[] = [];
  const log = { warn: (message: string, fields?: object) => void warnings.push([message, fields]) };
  const metrics = createMetrics({ lifecycle: { release, showHidden }, log });
  metrics.counter(declared).series().inc();
  metrics.counter(declared).series().inc();
  return { text: metrics.text(), warnings };
}

describe('the life of a metric', () => {
  for (const [release, stage] of [
    ['1.15', 'current'],
    ['1.21', 'current'],
    ['1.22', 'deprecated'],
    ['1.24', 'deprecated'],
    ['1.25', 'hidden'],
    ['1.26', 'deleted'],
    ['1.27', 'deleted'],
  ] as const) {
    it(`deprecated from 1.22 it is ${stage} in ${release}`, () => {
      assert.equal(metricStage(declared, release), stage);
    });
  }

  it('without a deprecation it stays current', () => {
    assert.equal(metricStage({}, '1.27'), 'current');
  });

  it('the life of a metric is registered as it is before its deprecation', () => {
    const { text, warnings } = scrape('1.21');
    assert.match(text, /^# HELP old_total \[STABLE\] Counts\.\n# TYPE old_total counter\nold_total 2$/m);
    assert.deepEqual(warnings, []);
  });

  it('the life of a metric says in its help that it is deprecated, is still counted, and warns once when it is registered', () => {
    const { text, warnings } = scrape('1.24');
    assert.match(text, /^# HELP old_total \[STABLE\] \(Deprecated from 1\.22\) Counts\.$/m);
    assert.match(text, /^old_total 2$/m);
    assert.deepEqual(warnings, [
      ['a deprecated metric is registered', { metric: 'old_total', deprecatedFrom: '1.22' }],
    ]);
  });

  it('the life of a metric warns of nothing before its metrics are read', () => {
    const warnings: string[] = [];
    const metrics = createMetrics({
      lifecycle: { release: '1.24', showHidden: false },
      log: { warn: (message) => void warnings.push(message) },
    });
    metrics.counter(declared).series().inc();
    assert.deepEqual(warnings, []);
    metrics.text();
    metrics.text();
    assert.equal(warnings.length, 1);
  });

  it('a metric is not registered while it is hidden, unless hidden metrics are requested', () => {
    assert.equal(scrape('1.25').text, '');
    const { text, warnings } = scrape('1.25', true);
    assert.match(text, /^# HELP old_total \[STABLE\] \(Deprecated from 1\.22\) Counts\.$/m);
    assert.equal(warnings.length, 1);
  });

  it('a removed metric is not registered, even if hidden metrics are requested', () => {
    assert.equal(scrape('1.26', true).text, '');
  });
});
