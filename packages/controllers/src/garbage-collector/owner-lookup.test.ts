import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, type ObjectMeta } from '@orch/machinery';
import { served } from '../namespace/testing/discovered-api.ts';
import { AbsentOwners } from './absent-owners.ts';
import type { LiveObjects } from './live-objects.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { ownerRefOf } from './owner-ref.ts';

const { signal } = new AbortController();
const widgets = served('widgets', 'Widget', { group: 'example.com' });
const ref = ownerRefOf({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: '1' }, 'x');

/** A server that answers each get with the result of the function. */
function lookup(get: () => Promise<ObjectMeta | undefined>) {
  const unused = (): never => assert.fail('nothing is written');
  const live: LiveObjects = { resourceOf: async () => widgets, get, delete: unused, change: unused };
  const absent = new AbsentOwners(10);
  return { absent, owners: new OwnerLookup(live, absent, namesFor('orch')) };
}

describe('the lookup of owners', () => {
  for (const [title, meta, state] of [
    ['has another uid', { name: 'w', uid: '2' }, 'otherUid'],
    ['does not exist', undefined, 'absent'],
    ['is there', { name: 'w', uid: '1' }, 'solid'],
    ['is answered without a uid', { name: 'w' }, 'unknown'],
    ['is answered with an empty uid', { name: 'w', uid: '' }, 'unknown'],
  ] as const) {
    it(`an owner that ${title} is ${state}`, async () => {
      const { absent, owners } = lookup(async () => meta);
      assert.equal(await owners.find(ref, signal), state);
      assert.equal(absent.has(ref), state === 'absent' || state === 'otherUid');
    });
  }

  it('an owner whose get fails is not absent, and is looked up again', async () => {
    let fails = true;
    const { absent, owners } = lookup(async () => {
      if (fails) throw new Error('500');
      return { name: 'w', uid: '1' };
    });
    await assert.rejects(owners.find(ref, signal), /500/);
    assert.equal(absent.has(ref), false);
    fails = false;
    assert.equal(await owners.find(ref, signal), 'solid');
  });
});
