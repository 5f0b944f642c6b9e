import { describe, it } from 'node:test';
import { ObjectMeta, schemalessKind } from '../testing/deck.ts';
import { apply, force, runScenario, type Scenario, update } from '../testing/scenario.ts';

const kind = { versions: schemalessKind, codecs: {} } as const;

const scenarios: readonly Scenario[] = [
  {
    title: 'fields merge like those of a struct',
    steps: [apply('alice', { a: { x: 1 } }), apply('bob', { a: { y: 2 } })],
    object: { 'spec.a': { x: 1, y: 2 } },
    owners: { alice: ['.a.x'], bob: ['.a.y'] },
  },
  {
    title: 'lists are atomic',
    steps: [
      apply('alice', { list: [{ name: 'a' }] }),
      apply('bob', { list: [{ name: 'b' }] }, { expect: { conflicts: ['alice .spec.list'] } }),
    ],
    owners: { alice: ['.list'] },
  },
  {
    title: 'fields conflict by their value',
    steps: [
      apply('alice', { a: { x: 1 } }),
      apply('bob', { a: { x: 2 } }, { expect: { conflicts: ['alice .spec.a.x'] } }),
    ],
  },
  {
    title: 'what is dropped is removed, its neighbours stay',
    steps: [
      apply('alice', { a: { x: 1, z: 3 } }),
      apply('bob', { a: { y: 2 } }),
      apply('alice', { a: { x: 1 } }),
    ],
    object: { 'spec.a': { x: 1, y: 2 } },
  },
  {
    title: 'an object that loses all its fields goes',
    steps: [apply('alice', { a: { x: { y: 1 } }, b: 1 }), apply('alice', { b: 1 })],
    object: { spec: { b: 1 } },
  },
  {
    title: 'null is a distinct value',
    steps: [
      apply('alice', { a: null }),
      apply('bob', { a: null }),
      apply('alice', { a: null }, { expect: 'unchanged' }),
    ],
    object: { 'spec.a': null },
    owners: { alice: ['.a'], bob: ['.a'] },
  },
  {
    title: 'zeros are distinct values',
    steps: [apply('alice', { a: 0, b: '', c: false, d: [] })],
    object: { spec: { a: 0, b: '', c: false, d: [] } },
    owners: { alice: ['.a', '.b', '.c', '.d'] },
  },
  {
    title: 'metadata merges as everywhere',
    steps: [
      apply('alice', { metadata: { labels: { a: '1' }, finalizers: ['f/a'] }, spec: {} }),
      apply('bob', { metadata: { labels: { b: '2' }, finalizers: ['f/b'] } }),
    ],
    object: { 'metadata.finalizers': ['f/a', 'f/b'], 'metadata.labels': { a: '1', b: '2' } },
    owners: {
      alice: ['.spec', '.metadata.labels.a', '.metadata.finalizers[="f/a"]'],
      bob: ['.metadata.labels.b', '.metadata.finalizers[="f/b"]'],
    },
  },
  {
    title: 'updates own what they change, objects on the way included when they are new',
    steps: [apply('alice', { a: 1 }), update('bob', { b: { c: 1 } })],
    owners: { alice: ['.a'], 'bob:update': ['.b', '.b.c'] },
  },
  {
    title: 'a value of another kind by force leaves no claim below it',
    steps: [apply('alice', { a: { x: 1 }, b: 1 }), force('bob', { a: 5 })],
    object: { 'spec.a': 5 },
    owners: { alice: ['.b'], bob: ['.a'] },
  },
  {
    title: 'fields besides spec and status are free too',
    steps: [
      apply('alice', { metadata: {}, extra: { x: 1 } }),
      apply('bob', { metadata: {}, extra: { y: 2 } }),
    ],
    object: { extra: { x: 1, y: 2 } },
    owners: { alice: ['.extra.x'], bob: ['.extra.y'] },
  },
];

describe(`a kind without a schema (its metadata is ${ObjectMeta.name})`, () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario({ ...scenario, kind }));
});
