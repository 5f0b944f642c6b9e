import { describe, it } from 'node:test';
import { apply, force, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const x = { name: 'x', image: '1' };
const y = { name: 'y', image: '2' };

const scenarios: readonly Scenario[] = [
  {
    title: 'is removed when it has no other owner',
    steps: [
      apply('alice', { metadata: { labels: { a: '1', b: '2' } } }),
      apply('alice', { metadata: { labels: { a: '1' } } }),
    ],
    object: { 'metadata.labels': { a: '1' } },
    owners: { alice: ['.metadata.labels.a'] },
    times: { alice: timeOfStep(2) },
  },
  {
    title: 'gets its default back when it has one',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), apply('alice', { mode: 'Slow' })],
    object: { 'spec.replicas': 1 },
    owners: { alice: ['.mode'] },
  },
  {
    title: 'keeps its value when another applier owns it too',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      apply('bob', { replicas: 3 }),
      apply('alice', { mode: 'Slow' }),
    ],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.mode'], bob: ['.replicas'] },
  },
  {
    title: 'keeps its value when an updater owns it too',
    steps: [
      update('bob', { replicas: 3 }),
      apply('alice', { replicas: 3, mode: 'Fast' }),
      apply('alice', { mode: 'Fast' }),
    ],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.mode'], 'bob:update': ['.replicas', '.mode', '.strategy.type'] },
  },
  {
    title: 'keeps the value that a later update set',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      update('bob', { replicas: 4 }),
      apply('alice', { mode: 'Slow' }, { expect: 'unchanged' }),
    ],
    object: { 'spec.replicas': 4 },
    owners: { alice: ['.mode'], 'bob:update': ['.replicas'] },
  },
  {
    title: 'keeps the value that another manager forced',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      force('bob', { replicas: 4 }),
      apply('alice', { mode: 'Slow' }, { expect: 'unchanged' }),
    ],
    object: { 'spec.replicas': 4 },
  },
  {
    title: 'removes the entry of the manager when it was the only one',
    steps: [
      apply('alice', { metadata: { labels: { a: '1' } } }),
      apply('bob', { replicas: 2 }),
      apply('alice', {}),
    ],
    object: { 'metadata.labels': undefined, 'metadata.name': 'd' },
    owners: { bob: ['.replicas'] },
  },
  {
    title: 'is removed although others own its neighbours',
    steps: [
      apply('alice', { metadata: { labels: { a: '1' } } }),
      apply('bob', { metadata: { labels: { b: '2' } } }),
      apply('alice', { metadata: {} }),
    ],
    object: { 'metadata.labels': { b: '2' } },
    owners: { bob: ['.metadata.labels.b'] },
  },
  {
    title: 'is removed as an item of a list',
    steps: [apply('alice', { containers: [x, y] }), apply('alice', { containers: [y] })],
    object: { 'spec.containers': [{ ...y, policy: 'Always' }] },
  },
  {
    title: 'is removed as an item with the defaults in it',
    steps: [
      apply('alice', { containers: [x, { ...y, probe: { path: '/' } }] }),
      apply('alice', { containers: [x] }),
    ],
    object: { 'spec.containers': [{ ...x, policy: 'Always' }] },
  },
  {
    title: 'stays as an item that another applier owns too, with the fields of that applier',
    steps: [
      apply('alice', { containers: [{ ...x, args: ['a'] }] }),
      apply('bob', { containers: [{ name: 'x', probe: { path: '/' } }] }),
      apply('alice', { containers: [] }),
    ],
    object: {
      'spec.containers': [{ name: 'x', probe: { path: '/', periodSeconds: 10 }, policy: 'Always' }],
    },
    owners: {
      bob: ['.containers[name="x"]', '.containers[name="x"].name', '.containers[name="x"].probe.path'],
    },
  },
  {
    title: 'is removed as an item although an updater set a field in it',
    steps: [
      apply('alice', { containers: [x, y] }),
      update('bob', { containers: [{ ...x, image: '9' }, y] }),
      apply('alice', { containers: [y] }),
    ],
    object: { 'spec.containers': [{ ...y, policy: 'Always' }] },
    owners: { alice: '*' },
  },
  {
    title: 'is removed as an item of a set',
    steps: [apply('alice', { tags: ['a', 'b'] }), apply('alice', { tags: ['b'] })],
    object: { 'spec.tags': ['b'] },
  },
  {
    title: 'stays as an item of a set that another manager owns too',
    steps: [
      apply('alice', { tags: ['a', 'b'] }),
      apply('bob', { tags: ['a'] }),
      apply('alice', { tags: ['b'] }),
    ],
    object: { 'spec.tags': ['a', 'b'] },
    owners: { alice: ['.tags[="b"]'], bob: ['.tags[="a"]'] },
  },
  {
    title: 'leaves no empty list behind',
    steps: [apply('alice', { tags: ['a'], mode: 'Slow' }), apply('alice', { mode: 'Slow' })],
    object: { 'spec.tags': undefined },
  },
  {
    title: 'is removed as a whole when it is atomic',
    steps: [
      apply('alice', {
        args: ['a'],
        nodeSelector: { k: 'v' },
        selector: { match: { a: 'b' } },
        replicas: 2,
      }),
      apply('alice', { replicas: 2 }),
    ],
    object: { 'spec.args': undefined, 'spec.nodeSelector': undefined, 'spec.selector': undefined },
  },
  {
    title: 'is removed with its parent struct and the defaults in it',
    steps: [
      apply('alice', { strategy: { rolling: { unavailable: 2 } }, mode: 'Slow' }),
      apply('alice', { mode: 'Slow' }),
    ],
    object: { 'spec.strategy': { type: 'Rolling' } },
    owners: { alice: ['.mode'] },
  },
  {
    title: 'leaves its parent struct when another manager owns a part of that',
    steps: [
      apply('alice', { strategy: { rolling: { unavailable: 2 } } }),
      apply('bob', { strategy: { rolling: { surge: 1 } } }),
      apply('alice', {}),
    ],
    object: { 'spec.strategy.rolling': { surge: 1 } },
    owners: { bob: ['.strategy.rolling.surge'] },
  },
  {
    title: 'is removed as an entry of a map of structs, with its content',
    steps: [
      apply('alice', { groups: { g: { size: 1, color: 'red' }, h: { size: 2 } } }),
      apply('alice', { groups: { h: { size: 2 } } }),
    ],
    object: { 'spec.groups': { h: { size: 2 } } },
    owners: { alice: ['.groups.h', '.groups.h.size'] },
  },
  {
    title: 'is only a part of an entry that stays',
    steps: [
      apply('alice', { groups: { g: { size: 1, color: 'red' } } }),
      apply('alice', { groups: { g: { color: 'red' } } }),
    ],
    object: { 'spec.groups': { g: { color: 'red' } } },
  },
  {
    title: 'leaves entries without an owner in the same map',
    steps: [
      update('bob', { data: { kept: '1' } }),
      // After the reset no field has an owner, and the values stay.
      update('bob', { metadata: { managedFields: [{}] } }),
      update('carol', { mode: 'Slow' }),
      apply('alice', { data: { mine: '2' } }),
      apply('alice', {}),
    ],
    object: { 'spec.data': { kept: '1' } },
    owners: { 'carol:update': ['.mode'] },
  },
  {
    title: 'never removes the metadata of the object',
    steps: [apply('alice', { metadata: { finalizers: ['f/x'] } }), apply('alice', {})],
    object: { 'metadata.name': 'd', 'metadata.finalizers': undefined },
    owners: {},
  },
  {
    title: 'is dropped without a conflict, also when it has other owners',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 3 }),
      apply('carol', { replicas: 3 }),
      apply('bob', {}),
    ],
    owners: { alice: ['.replicas'], carol: ['.replicas'] },
  },
  {
    title: 'can be applied again',
    steps: [
      apply('bob', { replicas: 2 }),
      apply('alice', { tags: ['a'] }),
      apply('alice', {}),
      apply('alice', { tags: ['a'] }),
    ],
    object: { 'spec.tags': ['a'] },
    owners: { alice: ['.tags[="a"]'], bob: ['.replicas'] },
  },
  {
    title:
      'of the last manager leaves an object without owners, to which the next apply adds "before-first-apply"',
    steps: [
      apply('alice', { tags: ['a'], replicas: 2 }),
      apply('alice', {}),
      apply('alice', { tags: ['b'] }),
    ],
    owners: {
      alice: ['.tags[="b"]'],
      'before-first-apply:update': ['.mode', '.replicas', '.strategy.type'],
    },
  },
  {
    title: 'is kept by an apply that fails with a conflict',
    steps: [
      apply('alice', { replicas: 3, tags: ['a'] }),
      apply('bob', { mode: 'Slow' }),
      apply('alice', { replicas: 3, mode: 'Fast' }, { expect: { conflicts: ['bob .spec.mode'] } }),
    ],
    object: { 'spec.tags': ['a'] },
  },
];

describe('what a manager applied before and leaves out now', () => {
  for (const scenario of scenarios) it(`a dropped field ${scenario.title}`, () => runScenario(scenario));
});
