import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { podSecurityViolations } from '@orch/admission/testing';
import { namesFor } from '@orch/machinery';
import { buildGoProgram, observations, run } from '@orch/testkit';
import fc from 'fast-check';
import { generatedPods } from './generated-pods.ts';

/** The release of the library of the reference, which `go.mod` pins. */
const RELEASE = '1.35';
const PODS = 2000;
const seed = Number(process.env['TEST_SEED'] ?? 20261123) || Date.now();

const levels = ['privileged', 'baseline', 'restricted'] as const;
/** Each version in which a check changes, its predecessor, and one that neither side knows. */
const minors = [0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 34, 35, 99];
const versions = ['latest', ...minors.map((minor) => `1.${minor}`)];

const names = namesFor('kubernetes');
const pods = fc.sample(generatedPods(names), { seed, numRuns: PODS });
const cases = pods.map((pod, i) => ({
  pod,
  level: levels[i % 13 === 0 ? 0 : 1 + (i % 2)] ?? 'restricted',
  version: versions[i % versions.length] ?? 'latest',
}));

const reference = await buildGoProgram(join(import.meta.dirname, '..', 'go', 'pod-security'));

if (reference.kind === 'missing') {
  describe('levels of the Pod Security Standards', () => {
    it.skip(`pods have the violations that the reference reports: ${reference.reason}`, () => {});
  });
} else {
  const { path } = reference.program;
  describe(`levels of the Pod Security Standards (seed ${seed})`, () => {
    it('pods have the violations that the reference reports, in the same words', async () => {
      const input = cases
        .map(({ pod, level, version }) =>
          JSON.stringify({ pod, level, version: version === 'latest' ? version : `v${version}` }),
        )
        .join('\n');
      const expected = observations(await run(path, [], { input }));
      assert.equal(expected.length, cases.length);
      for (const [i, { pod, level, version }] of cases.entries()) {
        const found = podSecurityViolations(pod, { level, version }, { names, release: RELEASE });
        assert.deepEqual(found, expected[i], `${level}:${version} ${JSON.stringify(pod)}`);
      }
    });

    it('the generated pods violate each rule in some case and comply in some', async () => {
      const reasons = new Set<string>();
      let compliant = 0;
      for (const { pod, level, version } of cases) {
        const found = podSecurityViolations(pod, { level, version }, { names, release: RELEASE });
        if (found.reasons !== '') for (const reason of found.reasons.split(', ')) reasons.add(reason);
        else if (level !== 'privileged') compliant++;
      }
      assert.equal(reasons.size, 18, [...reasons].join(', '));
      assert.ok(compliant > 10, `${compliant} pods comply`);
    });
  });
}
