import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeadlineExceeded, errors } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { configMap, configMaps, testClient } from '../testing/index.ts';
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
import { isAlreadyExists, isConflict, isNotFound, retryOnConflict } from './retry-on-conflict.ts';
import { hasCondition, waitFor } from './wait-for.ts';

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

describe('finalizers', () => {
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

describe('retryOnConflict', () => {
  for (const [title, failures, tries, outcome] of [
    ['retryOnConflict retries until there is no conflict', 3, 4, 'done'],
    ['retryOnConflict ends after five attempts', 9, 5, 'conflict'],
  ] as const) {
    it(title, async () => {
      const { env, stop } = testClient();
      let tried = 0;
      const work = retryOnConflict(env, stop.signal, async () => {
        if (tried++ < failures) throw errors.conflict(subject, 'changed');
        return 'done';
      }).catch((error: unknown) => (isConflict(error) ? 'conflict' : 'other'));
      await env.clock.advanceAsync(20_000);
      assert.deepEqual([await work, tried], [outcome, tries]);
    });
  }

  it('retryOnConflict passes on other errors at once, existing names included', async () => {
    const { env, stop } = testClient();
    let tried = 0;
    const work = retryOnConflict(env, stop.signal, async () => {
      tried++;
      throw errors.alreadyExists(subject);
    });
    await assert.rejects(work, isAlreadyExists);
    assert.equal(tried, 1);
  });
});

describe('waitFor', () => {
  const options = { resource: configMaps, namespace: 'default', name: 'a', timeoutMs: 60_000 };
  const place = { collection: '/configmaps', namespace: 'default', name: 'a' };

  it('waitFor resolves when the condition holds, also over a lost connection', async () => {
    const { client, env, api, stop } = testClient();
    const waiting = waitFor({ ...options, client, env, is: (o) => hasCondition(o, 'Ready') }, stop.signal);
    await settle();
    api.objects.create(place, configMap('a'), '');
    await settle();
    for (const watch of [...api.watches]) watch.cut();
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    api.objects.update(place, { ...configMap('a'), status });
    await env.clock.advanceAsync(1000);
    assert.deepEqual((await waiting)?.['status'], status);
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0]);
  });

  it('waitFor can wait for the deletion of an object', async () => {
    const { client, env, api, stop } = testClient();
    api.objects.create(place, configMap('a'), '');
    const waiting = waitFor({ ...options, client, env, is: (o) => o === undefined }, stop.signal);
    for (let i = 0; i < 5; i++) await settle();
    api.objects.delete(place, {}, '');
    assert.equal(await waiting, undefined);
  });

  it('waitFor rejects at its deadline, with the reason of its signal, and with errors of its condition', async () => {
    const { client, env, api } = testClient();
    const broken = (): never => {
      throw new Error('broken');
    };
    for (const [is, expected, cancel] of [
      [() => false, DeadlineExceeded, undefined],
      [() => false, /enough/, new Error('enough')],
      [broken, /broken/, undefined],
    ] as const) {
      const stop = new AbortController();
      const waiting = assert.rejects(waitFor({ ...options, client, env, is }, stop.signal), expected);
      if (cancel !== undefined) stop.abort(cancel);
      await env.clock.advanceAsync(61_000);
      await waiting;
      assert.deepEqual([api.watches.size, env.clock.pending], [0, 0]);
    }
  });
});
