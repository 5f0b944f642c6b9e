import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '../../release.ts';
import { writePath } from '../../testing/write-path.ts';
import { networkPolicies } from './index.ts';

const policy = (cidr: string, except: readonly string[] = [], podSelector = {}): object => ({
  metadata: { name: 'p' },
  spec: { podSelector, ingress: [{ from: [{ ipBlock: { cidr, except } }] }] },
});
const block = 'spec.ingress[0].from[0].ipBlock';

const problems = (release: Release, object: object): readonly string[] =>
  writePath(undefined, release)
    .create(networkPolicies, object)
    .errors.map(({ type, field }) => `${type} ${field}`);

describe('ranges of network policies', () => {
  it('bits beyond the prefix length are refused from 1.36 on', () => {
    const wrong = policy('10.0.0.1/8', ['10.1.0.1/16']);
    assert.deepEqual(problems('1.35', wrong), []);
    assert.deepEqual(problems('1.36', wrong), [
      `FieldValueInvalid ${block}.cidr`,
      `FieldValueInvalid ${block}.except[0]`,
    ]);
    assert.deepEqual(problems('1.36', policy('10.0.0.0/8', ['10.1.0.0/16'])), []);
  });
});
