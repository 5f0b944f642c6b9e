import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

describe('property tests', {
  skip: process.env['TEST_SEED'] === 'random' ? 'seeds are random' : false,
}, () => {
  it('property tests use one seed in every run', () => {
    const { seed } = fc.readConfigureGlobal();
    assert.equal(seed, Number(process.env['TEST_SEED'] ?? '20261122'));
    const sample = (): unknown => fc.sample(fc.integer(), { numRuns: 5, seed: Number(seed) });
    assert.deepEqual(sample(), sample());
  });
});
