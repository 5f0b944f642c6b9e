import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { podPresets as type } from './index.ts';

const path = writePath(undefined, '1.19');

const create = (spec: object): unknown =>
  path
    .create(type, { metadata: { name: 'x' }, spec })
    .errors.map(({ type: reason, field }) => `${reason} ${field}`);

describe('pod presets', () => {
  for (const [title, spec, errors] of [
    ['give something', {}, ['FieldValueRequired spec.volumes.env.envFrom.volumeMounts']],
    ['give variables', { env: [{ name: 'A', value: 'b' }] }, []],
    ['name their variables', { env: [{ value: 'b' }] }, ['FieldValueRequired spec.env[0].name']],
    [
      'mount volumes that they have',
      {
        volumes: [{ name: 'v', emptyDir: {} }],
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'w', mountPath: '/w' },
        ],
      },
      ['FieldValueNotFound spec.volumeMounts[1].name'],
    ],
    [
      'have no two volumes of one name',
      {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
      },
      ['FieldValueDuplicate spec.volumes[1].name'],
    ],
    [
      'select by proper labels',
      { selector: { matchLabels: { 'a b': 'c' } }, env: [{ name: 'A' }] },
      ['FieldValueInvalid spec.selector.matchLabels'],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(create(spec), errors));
  }

  it('pod presets do not change what they give', () => {
    const { object: stored } = path.create(type, { metadata: { name: 'x' }, spec: { env: [{ name: 'A' }] } });
    const next = cloneJson(stored);
    setPath(next, 'spec.env[0].name', 'B');
    assert.deepEqual(path.update(type, stored, next).object['spec'], stored['spec']);
  });

  it('pod presets are served on demand, until 1.19', () => {
    const served = (release: string): number => typesAt(release, [type], () => true).length;
    assert.deepEqual([served('1.15'), served('1.19'), served('1.20')], [1, 1, 0]);
    assert.equal(typesAt('1.19', [type]).length, 0);
  });
});
