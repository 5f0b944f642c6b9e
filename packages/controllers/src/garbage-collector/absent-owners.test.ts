import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AbsentOwners } from './absent-owners.ts';
import { claimOf } from './claim.ts';

const claim = (uid: string, rest: object = {}, namespace = 'x') =>
  claimOf({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid, ...rest }, namespace);

describe('AbsentOwners', () => {
  it('remembers the most recently used, as many as it may', () => {
    const absent = new AbsentOwners(2);
    absent.add(claim('1'));
    absent.add(claim('2'));
    assert.ok(absent.has(claim('1')));
    absent.add(claim('3'));
    assert.deepEqual(
      [absent.has(claim('1')), absent.has(claim('2')), absent.has(claim('3'))],
      [true, false, true],
    );
    assert.equal(absent.size, 2);
  });

  // Whoever may write one object must not be able to have the dependents of another collected.
  for (const [title, lie] of [
    ['name', claim('1', { name: 'e' })],
    ['kind', claim('1', { kind: 'StatefulSet' })],
    ['group', claim('1', { apiVersion: 'example.com/v1' })],
    ['namespace', claim('1', {}, 'y')],
    ['a name that pretends to be more', claim('1', { name: 'd', kind: 'Deployment\nx\nd' })],
  ] as const) {
    it(`that there is no owner with another ${title} says nothing about the real one`, () => {
      const absent = new AbsentOwners(10);
      absent.add(lie);
      assert.equal(absent.has(claim('1')), false);
    });
  }

  it('versions of a group are the same owner', () => {
    const absent = new AbsentOwners(10);
    absent.add(claim('1', { apiVersion: 'apps/v1beta1' }));
    assert.ok(absent.has(claim('1')));
  });
});
