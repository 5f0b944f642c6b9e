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

describe('decisions about dependents', () => {
  for (const [title, states, expected] of [
    ['an object without owner references is kept', [], 'nothing'],
    ['an object with an existing owner is unchanged', ['solid'], 'nothing'],
    ['an object with several existing owners is unchanged', ['solid', 'solid'], 'nothing'],
    ['an object with an unknown owner is decided later', ['unknown'], 'later'],
    ['an object with an absent and an unknown owner is decided later', ['absent', 'unknown'], 'later'],
    ['an object with a waiting and an unknown owner is decided later', ['waiting', 'unknown'], 'later'],
    ['an object with an existing and an unknown owner is unchanged', ['solid', 'unknown'], 'nothing'],
    ['an object with an absent owner is deleted', ['absent'], 'delete'],
    ['an object with absent owners only is deleted', ['absent', 'absent'], 'delete'],
    ['an object with a waiting owner is deleted', ['waiting'], 'delete'],
    ['an object with an absent and a waiting owner is deleted', ['absent', 'waiting'], 'delete'],
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
    it(`an object with the owners ${states.join(', ')} keeps the references at ${kept.join(' and ')}`, () => {
      assert.deepEqual(decided(states), { kind: 'setOwners', owners: kept.map((n) => owner(n)) });
    });
  }

  for (const [title, states, rest, finalizers, policy] of [
    ['an object without dependents is deleted in the background', ['absent'], {}, [], 'Background'],
    [
      'an object with dependents is deleted in the background',
      ['absent'],
      { hasDependents: true },
      [],
      'Background',
    ],
    [
      'a dependent of a waiting owner with its own dependents is deleted in the foreground',
      ['waiting'],
      { hasDependents: true },
      [],
      'Foreground',
    ],
    [
      'a dependent of a waiting owner without dependents is deleted in the background',
      ['waiting'],
      {},
      [],
      'Background',
    ],
    [
      'an object with the orphan finalizer is deleted with the policy Orphan',
      ['absent'],
      { hasDependents: true },
      ['orphan'],
      'Orphan',
    ],
    [
      'an object with the foreground finalizer is deleted in the foreground',
      ['absent'],
      {},
      ['foregroundDeletion'],
      'Foreground',
    ],
    ['other finalizers do not change the policy', ['absent'], {}, ['example.com/a'], 'Background'],
  ] as const) {
    it(title, () => assert.deepEqual(decided(states, rest, [...finalizers]), { kind: 'delete', policy }));
  }

  it('an object in a cycle of waiting objects stops blocking its owners', () => {
    const cycle = { hasDependents: true, hasWaitingDependent: true };
    assert.deepEqual(decided(['waiting', 'absent'], cycle), {
      kind: 'delete',
      policy: 'Foreground',
      unblocked: [owner(0, false), owner(1, false)],
    });
  });
});
