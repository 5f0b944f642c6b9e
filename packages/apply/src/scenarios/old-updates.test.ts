import { describe, it } from 'node:test';
import { apply, runScenario, type Scenario, type Step, timeOfStep, update } from '../testing/scenario.ts';

/** Updaters `u1` to `u<count>` each set a different key. */
const updaters = (count: number, version = 'v1', first = 1): Step[] =>
  Array.from({ length: count }, (_, i) =>
    update(`u${first + i}`, { data: { [`k${first + i}`]: 'x' } }, { version }),
  );

const owned = (from: number, to: number): Record<string, readonly string[]> =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, i) => [`u${from + i}:update`, [`.data.k${from + i}`]]),
  );

const scenarios: readonly Scenario[] = [
  {
    title: 'ten updaters have one entry each',
    steps: [apply('alice', { data: { k0: 'x' } }), ...updaters(10)],
    owners: { alice: ['.data.k0'], ...owned(1, 10) },
  },
  {
    title: 'the eleventh updater merges the two oldest entries, with the time of the younger',
    steps: [apply('alice', { data: { k0: 'x' } }), ...updaters(11)],
    owners: { alice: ['.data.k0'], 'ancient-changes:update': ['.data.k1', '.data.k2'], ...owned(3, 11) },
    times: { 'ancient-changes:update': timeOfStep(3), 'u3:update': timeOfStep(4) },
  },
  {
    title: 'further updaters extend the merged entry',
    steps: [apply('alice', { data: { k0: 'x' } }), ...updaters(13)],
    owners: {
      alice: ['.data.k0'],
      'ancient-changes:update': ['.data.k1', '.data.k2', '.data.k3', '.data.k4'],
      ...owned(5, 13),
    },
    times: { 'ancient-changes:update': timeOfStep(5) },
  },
  {
    title: 'an updater that writes again is the youngest',
    steps: [
      apply('alice', { data: { k0: 'x' } }),
      ...updaters(10),
      update('u1', { data: { k1: 'y' } }),
      ...updaters(1, 'v1', 11),
    ],
    owners: {
      alice: ['.data.k0'],
      'ancient-changes:update': ['.data.k2', '.data.k3'],
      ...owned(1, 1),
      ...owned(4, 11),
    },
  },
  {
    title: 'each version has its own merged entry',
    steps: [
      apply('alice', { data: { k0: 'x' } }),
      ...updaters(2, 'v2', 1),
      ...updaters(2, 'v1', 3),
      ...updaters(8, 'v1', 5),
    ],
    owners: {
      alice: ['.data.k0'],
      'ancient-changes:update@v2': ['.data.k1', '.data.k2'],
      'ancient-changes:update': ['.data.k3', '.data.k4'],
      ...owned(5, 12),
    },
  },
  {
    title: 'a lone entry of a version stays as it is, however old',
    steps: [apply('alice', { data: { k0: 'x' } }), ...updaters(1, 'v2', 1), ...updaters(10, 'v1', 2)],
    owners: {
      alice: ['.data.k0'],
      'u1:update@v2': ['.data.k1'],
      'ancient-changes:update': ['.data.k2', '.data.k3'],
      ...owned(4, 11),
    },
  },
  {
    title: 'appliers are never merged',
    steps: Array.from({ length: 14 }, (_, i) => apply(`a${i}`, { data: { [`k${i}`]: 'x' } })),
    owners: Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`a${i}`, [`.data.k${i}`]])),
  },
  {
    title: 'fields of merged updaters still conflict',
    steps: [
      apply('alice', { data: { k0: 'x' } }),
      ...updaters(11),
      apply(
        'alice',
        { data: { k0: 'x', k1: 'y' } },
        { expect: { conflicts: ['ancient-changes .spec.data.k1'] } },
      ),
    ],
  },
  {
    title: 'fields of merged updaters are taken by updates',
    steps: [apply('alice', { data: { k0: 'x' } }), ...updaters(11), update('u11', { data: { k1: 'y' } })],
    owners: {
      alice: ['.data.k0'],
      'ancient-changes:update': ['.data.k2'],
      ...owned(3, 10),
      'u11:update': ['.data.k1', '.data.k11'],
    },
  },
];

describe('old entries of updaters', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
