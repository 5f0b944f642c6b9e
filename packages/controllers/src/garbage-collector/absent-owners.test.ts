import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AbsentOwners } from './absent-owners.ts';
import { ownerRefOf } from './owner-ref.ts';

const refOf = (uid: string, rest: object = {}, namespace = 'x') =>
  ownerRefOf({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid, ...rest }, namespace);

describe('the cache of absent owners', () => {
  it('the cache of absent owners keeps the most recently used entries up to its capacity', () => {
    const absent = new AbsentOwners(2);
    absent.add(refOf('1'));
    absent.add(refOf('2'));
    assert.ok(absent.has(refOf('1')));
    absent.add(refOf('3'));
    assert.deepEqual(
      [absent.has(refOf('1')), absent.has(refOf('2')), absent.has(refOf('3'))],
      [true, false, true],
    );
    assert.equal(absent.size, 2);
  });

  // Write access to one object must not be sufficient to have the dependents of another one deleted.
  for (const [title, wrong] of [
    ['name', refOf('1', { name: 'e' })],
    ['kind', refOf('1', { kind: 'StatefulSet' })],
    ['group', refOf('1', { apiVersion: 'example.com/v1' })],
    ['namespace', refOf('1', {}, 'y')],
    ['name that contains a separator', refOf('1', { name: 'd', kind: 'Deployment\nx\nd' })],
  ] as const) {
    it(`the absence of an owner with another ${title} is not the absence of the actual owner`, () => {
      const absent = new AbsentOwners(10);
      absent.add(wrong);
      assert.equal(absent.has(refOf('1')), false);
    });
  }

  it('references in different versions of a group are to the same owner', () => {
    const absent = new AbsentOwners(10);
    absent.add(refOf('1', { apiVersion: 'apps/v1beta1' }));
    assert.ok(absent.has(refOf('1')));
  });
});
