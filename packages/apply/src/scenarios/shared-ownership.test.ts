import { describe, it } from 'node:test';
import { apply, force, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const conflicts = (...list: readonly string[]) => ({ expect: { conflicts: list } }) as const;

const scenarios: readonly Scenario[] = [
  {
    title: 'the same value applied by another manager is shared',
    steps: [apply('alice', { replicas: 3 }), apply('bob', { replicas: 3 })],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.replicas'], bob: ['.replicas'] },
    times: { alice: timeOfStep(1), bob: timeOfStep(2) },
  },
  {
    title: 'a different value fails with a conflict and changes nothing',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 4 }, conflicts('alice .spec.replicas')),
    ],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'a conflict stops the whole apply, fields without conflict included',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 4, mode: 'Slow' }, conflicts('alice .spec.replicas')),
    ],
    object: { 'spec.mode': 'Fast' },
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'every field in conflict is listed with each of its managers',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      apply('bob', { replicas: 3 }),
      apply(
        'carol',
        { replicas: 5, mode: 'Fast' },
        conflicts('alice .spec.mode', 'alice .spec.replicas', 'bob .spec.replicas'),
      ),
    ],
  },
  {
    title: 'force makes the manager the sole owner with its value',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), force('bob', { replicas: 4 })],
    object: { 'spec.replicas': 4 },
    owners: { alice: ['.mode'], bob: ['.replicas'] },
  },
  {
    title: 'losing a field to force does not move the time of the loser',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), force('bob', { replicas: 4 })],
    times: { alice: timeOfStep(1), bob: timeOfStep(2) },
  },
  {
    title: 'force takes a shared field from all its owners',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      apply('bob', { replicas: 3, mode: 'Slow' }),
      force('carol', { replicas: 9 }),
    ],
    owners: { alice: ['.mode'], bob: ['.mode'], carol: ['.replicas'] },
  },
  {
    title: 'a manager whose last field is taken by force is no longer listed',
    steps: [apply('alice', { replicas: 3 }), force('bob', { replicas: 4 })],
    owners: { bob: ['.replicas'] },
  },
  {
    title: 'force with the same value shares, since nothing is taken',
    steps: [apply('alice', { replicas: 3 }), force('bob', { replicas: 3 })],
    owners: { alice: ['.replicas'], bob: ['.replicas'] },
  },
  {
    title: 'a sharer that changes the value meets the other as a conflict',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 3 }),
      apply('alice', { replicas: 5 }, conflicts('bob .spec.replicas')),
    ],
    object: { 'spec.replicas': 3 },
  },
  {
    title: 'either sharer is stopped by the other',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 3 }),
      apply('bob', { replicas: 5 }, conflicts('alice .spec.replicas')),
    ],
  },
  {
    title: 'once the other owner has removed the field, the value can be changed',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 3 }),
      apply('alice', {}),
      apply('bob', { replicas: 5 }),
    ],
    object: { 'spec.replicas': 5 },
    owners: { bob: ['.replicas'] },
  },
  {
    title: 'resolution (a): resending with force overwrites and leaves one owner',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 4 }, conflicts('alice .spec.replicas')),
      force('bob', { replicas: 4 }),
    ],
    object: { 'spec.replicas': 4 },
    owners: { bob: ['.replicas'] },
  },
  {
    title: 'resolution (b): leaving the field out keeps the value and drops the claim',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 4, mode: 'Slow' }, conflicts('alice .spec.replicas')),
      apply('bob', { mode: 'Slow' }),
    ],
    object: { 'spec.replicas': 3, 'spec.mode': 'Slow' },
    owners: { alice: ['.replicas'], bob: ['.mode'] },
  },
  {
    title: 'resolution (c): taking over the value shares the field',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { replicas: 4 }, conflicts('alice .spec.replicas')),
      apply('bob', { replicas: 3 }),
    ],
    owners: { alice: ['.replicas'], bob: ['.replicas'] },
  },
  {
    title: 'a controller that forces needs neither to read first nor to name a version',
    steps: [
      update('user', { replicas: 1, mode: 'Slow' }),
      force('controller', { replicas: 2, mode: 'Fast' }),
      force('controller', { replicas: 3, mode: 'Fast' }),
    ],
    object: { 'spec.replicas': 3, 'spec.mode': 'Fast' },
    owners: { controller: ['.replicas', '.mode'], 'user:update': ['.strategy.type'] },
  },
  {
    title: 'fields of updaters conflict as those of appliers do',
    steps: [update('bob', { replicas: 2 }), apply('alice', { replicas: 3 }, conflicts('bob .spec.replicas'))],
    object: { 'spec.replicas': 2 },
  },
  {
    title: 'a field of an updater can be shared',
    steps: [update('bob', { replicas: 2 }), apply('alice', { replicas: 2 })],
    owners: { alice: ['.replicas'], 'bob:update': ['.replicas', '.mode', '.strategy.type'] },
  },
  {
    title: "a manager's own update conflicts with its own apply",
    steps: [
      apply('alice', { replicas: 1 }),
      update('alice', { replicas: 2 }),
      apply('alice', { replicas: 3 }, conflicts('alice .spec.replicas')),
    ],
    owners: { 'alice:update': ['.replicas'] },
  },
  {
    title: 'a field without an owner can be applied without a conflict',
    steps: [apply('alice', { replicas: 3 }), apply('bob', { mode: 'Slow' })],
    object: { 'spec.mode': 'Slow' },
    owners: { alice: ['.replicas'], bob: ['.mode'] },
  },
  {
    title: 'a managed field with a value that another owner keeps cannot be changed by a third',
    steps: [
      apply('alice', { mode: 'Slow' }),
      apply('bob', { replicas: 3 }),
      apply('carol', { mode: 'Fast', replicas: 3 }, conflicts('alice .spec.mode')),
    ],
    owners: { alice: ['.mode'], bob: ['.replicas'] },
  },
  {
    title: 'labels of different managers stand side by side',
    steps: [
      apply('alice', { metadata: { labels: { a: '1' } } }),
      apply('bob', { metadata: { labels: { b: '2' } } }),
    ],
    object: { 'metadata.labels': { a: '1', b: '2' } },
    owners: { alice: ['.metadata.labels.a'], bob: ['.metadata.labels.b'] },
  },
  {
    title: 'applying under three names shares three times',
    steps: [apply('x', { replicas: 3 }), apply('y', { replicas: 3 }), apply('z', { replicas: 3 })],
    owners: { x: ['.replicas'], y: ['.replicas'], z: ['.replicas'] },
  },
  {
    title: 'managers that differ by case are different managers',
    steps: [apply('Bob', { replicas: 3 }), apply('bob', { replicas: 4 }, conflicts('Bob .spec.replicas'))],
  },
];

describe('several managers of one field', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
