import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, type OwnerReference } from '@orch/machinery';
import { type Decision, decide, type OwnerState } from './decide.ts';

const names = namesFor('orch');
const owner = (n: number, blockOwnerDeletion = true): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `o${n}`,
  uid: `u${n}`,
  blockOwnerDeletion,
});
const alone = { hasDependents: false, hasWaitingDependent: false };

const decided = (states: readonly OwnerState[], rest: object = {}, finalizers: string[] = []): Decision =>
  decide(
    {
      meta: { name: 'd', uid: 'd', finalizers, ownerReferences: states.map((_, i) => owner(i)) },
      states,
      ...alone,
      ...rest,
    },
    names,
  );

describe('decide', () => {
  for (const [title, states, expected] of [
    ['an object without owners is nobody’s garbage', [], 'nothing'],
    ['one that has its owner stays as it is', ['solid'], 'nothing'],
    ['one with several owners too', ['solid', 'solid'], 'nothing'],
    ['an owner that cannot be found out may be there', ['unknown'], 'later'],
    ['also beside owners that are gone', ['absent', 'unknown'], 'later'],
    ['also beside owners that wait', ['waiting', 'unknown'], 'later'],
    ['one beside a live owner changes nothing', ['solid', 'unknown'], 'nothing'],
    ['an object whose owner is gone goes', ['absent'], 'delete'],
    ['as one whose owners are all gone', ['absent', 'absent'], 'delete'],
    ['and one whose owner waits for that', ['waiting'], 'delete'],
    ['and one that has both', ['absent', 'waiting'], 'delete'],
  ] as const) {
    it(title, () => assert.equal(decided(states).kind, expected));
  }

  for (const [states, kept] of [
    [['solid', 'absent'], [0]],
    [['waiting', 'solid'], [1]],
    [
      ['solid', 'absent', 'unknown', 'waiting'],
      [0, 2],
    ],
  ] as const) {
    it(`of owners ${states.join(', ')}, numbers ${kept.join(' and ')} stay`, () => {
      assert.deepEqual(decided(states), { kind: 'setOwners', owners: kept.map((n) => owner(n)) });
    });
  }

  for (const [title, states, rest, finalizers, policy] of [
    ['a leaf goes in the background', ['absent'], {}, [], 'Background'],
    ['so it does when it has dependents', ['absent'], { hasDependents: true }, [], 'Background'],
    [
      'dependents of a waiting owner go after their own',
      ['waiting'],
      { hasDependents: true },
      [],
      'Foreground',
    ],
    ['those that have none go at once', ['waiting'], {}, [], 'Background'],
    ['an orphan finalizer says what to do', ['absent'], { hasDependents: true }, ['orphan'], 'Orphan'],
    ['so does a foreground finalizer', ['absent'], {}, ['foregroundDeletion'], 'Foreground'],
    ['others say nothing', ['absent'], {}, ['example.com/a'], 'Background'],
  ] as const) {
    it(title, () => assert.deepEqual(decided(states, rest, [...finalizers]), { kind: 'delete', policy }));
  }

  it('in a circle of waiting objects it holds up nobody', () => {
    const circle = { hasDependents: true, hasWaitingDependent: true };
    assert.deepEqual(decided(['waiting', 'absent'], circle), {
      kind: 'delete',
      policy: 'Foreground',
      unblocked: [owner(0, false), owner(1, false)],
    });
  });
});
