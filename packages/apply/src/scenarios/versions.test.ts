import { describe, it } from 'node:test';
import { apply, event, force, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const x = { name: 'x', image: '1' };
const y = { name: 'y', image: '2' };
const v2 = { version: 'v2' } as const;
const beta = { version: 'v1beta1' } as const;

const scenarios: readonly Scenario[] = [
  {
    title: 'an entry says in which version its fields are',
    steps: [apply('alice', { scale: { count: 3 }, heading: 'h' }, v2)],
    object: { apiVersion: 'test/v1', 'spec.replicas': 3, 'spec.title': 'h' },
    owners: { 'alice@v2': ['.scale.count', '.heading'] },
  },
  {
    title:
      'a field applied in one version conflicts with its counterpart in another, reported in the version of its owner',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { scale: { count: 4 } }, { ...v2, expect: { conflicts: ['alice .spec.replicas'] } }),
    ],
    object: { 'spec.replicas': 3 },
  },
  {
    title: 'and the other way round',
    steps: [
      apply('bob', { scale: { count: 4 } }, v2),
      apply('alice', { replicas: 3 }, { expect: { conflicts: ['bob .spec.scale.count'] } }),
    ],
  },
  {
    title: 'the same value in another version is shared',
    steps: [apply('alice', { replicas: 3 }), apply('bob', { scale: { count: 3 } }, v2)],
    owners: { alice: ['.replicas'], 'bob@v2': ['.scale.count'] },
  },
  {
    title: 'force in another version takes the field',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), force('bob', { scale: { count: 4 } }, v2)],
    object: { 'spec.replicas': 4 },
    owners: { alice: ['.mode'], 'bob@v2': ['.scale.count'] },
  },
  {
    title: 'an update in another version takes the field',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), update('bob', { scale: { count: 4 } }, v2)],
    owners: { alice: ['.mode'], 'bob:update@v2': ['.scale.count'] },
  },
  {
    title: 'a removal in another version takes the field from its owner',
    steps: [apply('alice', { title: 't', mode: 'Slow' }), update('bob', { heading: null }, v2)],
    object: { 'spec.title': undefined },
    owners: { alice: ['.mode'] },
  },
  {
    title: 'dropping in the version in which it was applied leaves what others own in another',
    steps: [
      apply('alice', { title: 't', data: { a: '1' } }),
      apply('bob', { heading: 't' }, v2),
      apply('alice', { data: { a: '1' } }),
    ],
    object: { 'spec.title': 't' },
    owners: { alice: ['.data.a'], 'bob@v2': ['.heading'] },
  },
  {
    title: 'dropping removes fields without an owner in any version',
    steps: [
      apply('alice', { title: 't', data: { a: '1' } }),
      apply('bob', { scale: { count: 2 } }, v2),
      apply('alice', { data: { a: '1' } }),
    ],
    object: { 'spec.title': undefined, 'spec.replicas': 2 },
  },
  {
    title: 'an applier that changes its version keeps one entry, in the new version',
    steps: [
      apply('alice', { replicas: 3, title: 't' }),
      apply('alice', { scale: { count: 3 }, heading: 't' }, v2),
    ],
    object: { 'spec.replicas': 3, 'spec.title': 't' },
    owners: { 'alice@v2': ['.scale.count', '.heading'] },
    times: { 'alice@v2': timeOfStep(2) },
  },
  {
    title: 'what it dropped while changing the version is removed',
    steps: [apply('alice', { title: 't', data: { a: '1' } }), apply('alice', { data: { a: '1' } }, v2)],
    object: { 'spec.title': undefined, 'spec.data': { a: '1' } },
    owners: { 'alice@v2': ['.data.a'] },
  },
  {
    title: 'what it did not drop while changing the version stays, whatever its name is now',
    steps: [
      apply('alice', { title: 't', containers: [x, y] }),
      apply('alice', { heading: 't', units: [x] }, v2),
    ],
    object: { 'spec.title': 't', 'spec.containers': [{ ...x, policy: 'Always' }] },
    owners: {
      'alice@v2': ['.heading', '.units[name="x"]', '.units[name="x"].image', '.units[name="x"].name'],
    },
  },
  {
    title: 'others keep what they own while an applier changes its version',
    steps: [
      apply('alice', { containers: [x, y] }),
      apply('bob', { containers: [y] }),
      apply('alice', { units: [x] }, v2),
    ],
    object: {
      'spec.containers': [
        { ...x, policy: 'Always' },
        { ...y, policy: 'Always' },
      ],
    },
    owners: { 'alice@v2': '*', bob: '*' },
  },
  {
    title: 'an item that others own in part stays in part while an applier changes its version',
    steps: [
      apply('alice', { containers: [{ ...x, args: ['a'] }] }),
      apply('bob', { containers: [{ name: 'x', probe: { path: '/' } }] }),
      apply('alice', { heading: 't' }, v2),
    ],
    object: {
      'spec.containers': [{ name: 'x', probe: { path: '/', periodSeconds: 10 }, policy: 'Always' }],
    },
  },
  {
    title: 'owners in a third version keep their items when two others disagree',
    steps: [
      apply('alice', { containers: [x, y] }),
      apply('bob', { units: [{ name: 'y', args: ['b'] }] }, v2),
      apply('alice', { containers: [x] }),
    ],
    object: {
      'spec.containers': [
        { ...x, policy: 'Always' },
        { name: 'y', args: ['b'], policy: 'Always' },
      ],
    },
  },
  {
    title: 'sets and maps owned in another version survive a drop, values and all',
    steps: [
      apply('alice', { tags: ['a', 'b'], data: { k: '1', l: '2' }, groups: { g: { size: 1 } } }),
      apply('bob', { tags: ['b'], data: { l: '2' }, groups: { g: { color: 'red' } } }, v2),
      apply('alice', { title: 't' }),
    ],
    object: { 'spec.tags': ['b'], 'spec.data': { l: '2' }, 'spec.groups': { g: { color: 'red' } } },
    owners: { alice: ['.title'], 'bob@v2': ['.tags[="b"]', '.data.l', '.groups.g', '.groups.g.color'] },
  },
  {
    title: 'versions that do not differ need no conversion, and still have separate entries',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 3 }, beta),
      apply('alice', { replicas: 4 }, { expect: { conflicts: ['bob .spec.replicas'] } }),
    ],
    owners: { alice: ['.replicas'], 'bob@v1beta1': ['.replicas'] },
  },
  {
    title: 'an updater has an entry for each version it wrote in',
    steps: [
      apply('alice', { mode: 'Slow' }),
      update('bob', { replicas: 3 }),
      update('bob', { heading: 'h' }, v2),
    ],
    owners: { alice: ['.mode'], 'bob:update': ['.replicas'], 'bob:update@v2': ['.heading'] },
  },
  {
    title: 'an updater takes from its own entry of another version',
    steps: [
      apply('alice', { mode: 'Slow' }),
      update('bob', { replicas: 3 }),
      update('bob', { scale: { count: 4 } }, v2),
    ],
    owners: { alice: ['.mode'], 'bob:update@v2': ['.scale.count'] },
  },
  {
    title: 'owners in a version that is served no more are forgotten with the next change',
    steps: [
      event('an object from before', (cluster) =>
        cluster.plant({
          apiVersion: 'test/v1',
          kind: 'Deck',
          metadata: {
            name: 'd',
            managedFields: [
              {
                manager: 'old',
                operation: 'Apply',
                apiVersion: 'test/v0',
                time: timeOfStep(0),
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:spec': { 'f:title': {} } },
              },
            ],
          },
          spec: { title: 't' },
        }),
      ),
      update('bob', { title: 'u' }),
    ],
    owners: { 'bob:update': ['.title'] },
  },
  {
    title: 'an applier whose last version is served no more removes nothing by coming back',
    steps: [
      event('an object from before', (cluster) =>
        cluster.plant({
          apiVersion: 'test/v1',
          kind: 'Deck',
          metadata: {
            name: 'd',
            managedFields: [
              {
                manager: 'alice',
                operation: 'Apply',
                apiVersion: 'test/v0',
                time: timeOfStep(0),
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:spec': { 'f:mode': {}, 'f:title': {} } },
              },
            ],
          },
          spec: { title: 't', mode: 'Slow' },
        }),
      ),
      apply('alice', { mode: 'Slow' }),
    ],
    object: { 'spec.title': 't' },
    owners: { alice: ['.mode'] },
  },
  {
    title:
      'nothing is written when the same is applied in the same version again, whatever the stored version is',
    steps: [
      apply('alice', { scale: { count: 3 }, units: [x] }, v2),
      apply('alice', { scale: { count: 3 }, units: [x] }, { ...v2, expect: 'unchanged' }),
    ],
    times: { 'alice@v2': timeOfStep(1) },
  },
];

describe('several versions of one kind', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
