import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '@orch/machinery';
import { isAlreadyExists, isConflict, isNotFound } from '../errors/guards.ts';
import { configMap, configMaps, testClient } from '../testing/index.ts';
import { withCondition } from './conditions.ts';
import { addFinalizer, isBeingDeleted, removeFinalizer } from './finalizers.ts';
import { keyOf, objectKey, splitKey } from './object-key.ts';
import {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  ownerReferenceTo,
  withOwner,
  withoutOwner,
} from './owner-references.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

const subject = { group: '', kind: 'configmaps', name: 'a' };

describe('object keys', () => {
  for (const [key, namespace, name] of [
    ['default/a', 'default', 'a'],
    ['a', undefined, 'a'],
  ] as const) {
    it(`the key ${key} consists of namespace and name`, () => {
      assert.equal(keyOf(namespace, name), key);
      assert.deepEqual(splitKey(key), { namespace, name });
      assert.equal(objectKey({ metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }), key);
    });
  }
});

describe('owner references', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', uid: 'u1' } };

  it('an owner reference is to an object by uid, as its controller by default', () => {
    const reference = ownerReferenceTo(owner);
    assert.deepEqual(reference, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'o',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    });
    const dependent = { metadata: { ownerReferences: [reference] } };
    assert.deepEqual([isOwnedBy(dependent, owner), isControlledBy(dependent, owner)], [true, true]);
    const again = { ...owner, metadata: { name: 'o', uid: 'u2' } };
    assert.deepEqual([isOwnedBy(dependent, again), isControlledBy(dependent, again)], [false, false]);
    assert.equal(controllerOf({ metadata: {} }), undefined);
    assert.equal(isControlledBy({ metadata: {} }, { metadata: {} }), false);
    assert.throws(
      () => ownerReferenceTo({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'o' } }),
      /uid/,
    );
  });

  it('an owner reference is added once, with at most one controller', () => {
    const plain = ownerReferenceTo(owner, { controller: false });
    const references = withOwner(withOwner([], plain), ownerReferenceTo(owner));
    assert.deepEqual(references, [ownerReferenceTo(owner)]);
    const other = { ...owner, metadata: { name: 'p', uid: 'u2' } };
    assert.throws(() => withOwner(references, ownerReferenceTo(other)), /looks after the object already/);
    assert.equal(withOwner(references, ownerReferenceTo(other, { controller: false })).length, 2);
    assert.deepEqual(withoutOwner(references, 'u1'), []);
  });
});

describe('finalizers of objects', () => {
  it('an object exists until its finalizers are removed, which requires its current version', async () => {
    const { client } = testClient();
    const maps = client.resource(configMaps, 'default');
    const made = await maps.create(configMap('a'));
    const held = await addFinalizer(maps, made, 'example.com/held');
    assert.equal(await addFinalizer(maps, held, 'example.com/held'), held);
    await assert.rejects(addFinalizer(maps, made, 'example.com/other'), isConflict);
    await maps.delete('a');
    const dying = await maps.get('a');
    assert.equal(isBeingDeleted(dying), true);
    await assert.rejects(removeFinalizer(maps, held, 'example.com/held'), isConflict);
    const last = await removeFinalizer(maps, dying, 'example.com/held');
    assert.deepEqual(last?.metadata.finalizers, []);
    await assert.rejects(maps.get('a'), isNotFound);
    assert.equal(await removeFinalizer(maps, dying, 'example.com/held'), undefined);
  });
});

describe('conditions of objects', () => {
  const set = { type: 'Ready', status: 'True', reason: 'Done', message: '', observedGeneration: 2 };
  const present = { ...set, lastTransitionTime: '2020-01-01T00:00:00Z' };
  const other = { ...present, type: 'Other' };
  const now = Date.UTC(2024, 0, 1);
  for (const [title, before, after] of [
    ['is added to no others', undefined, [{ ...set, lastTransitionTime: '2024-01-01T00:00:00Z' }]],
    ['is not set again', [present, other], undefined],
    ['replaces the one of its type', [{ ...present, message: 'later' }, other], [other, present]],
    ['has the generation that it is about', [{ ...present, observedGeneration: 1 }], [present]],
    [
      'has the time at which its status has changed',
      [{ ...present, status: 'False' }],
      [{ ...set, lastTransitionTime: '2024-01-01T00:00:00Z' }],
    ],
  ] as const)
    it(`a condition of a status ${title}`, () => assert.deepEqual(withCondition(before, set, now), after));
});

describe('retries after conflicts', () => {
  for (const [title, failures, tries, outcome] of [
    ['retryOnConflict retries until there is no conflict', 3, 4, 'done'],
    ['retryOnConflict ends after five attempts', 9, 5, 'conflict'],
  ] as const) {
    it(title, async () => {
      const { env, stop } = testClient();
      let tried = 0;
      const work = retryOnConflict(
        env,
        async () => {
          if (tried++ < failures) throw errors.conflict(subject, 'changed');
          return 'done';
        },
        stop.signal,
      ).catch((error: unknown) => (isConflict(error) ? 'conflict' : 'other'));
      await env.clock.advanceAsync(20_000);
      assert.deepEqual([await work, tried], [outcome, tries]);
    });
  }

  it('retryOnConflict passes on other errors at once, existing names included', async () => {
    const { env, stop } = testClient();
    let tried = 0;
    const work = retryOnConflict(
      env,
      async () => {
        tried++;
        throw errors.alreadyExists(subject);
      },
      stop.signal,
    );
    await assert.rejects(work, isAlreadyExists);
    assert.equal(tried, 1);
  });
});
