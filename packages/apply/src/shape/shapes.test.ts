import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { f, struct } from '@orch/schema';
import { writeFields } from '../fields/fields-v1.ts';
import { fieldsSet } from '../typed/change.ts';
import { compare } from '../typed/compare.ts';
import { Shapes } from './shapes.ts';

const Reference = struct(
  'test.v1.Reference',
  'A reference.',
  { name: f.string(1), uid: f.string(2) },
  { mapType: 'atomic' },
);
const Gadget = struct('test.v1.Gadget', 'A gadget.', {
  whole: f.struct(1, Reference, { presence: 'pointer' }),
  split: f.struct(2, Reference, { presence: 'pointer', granularSince: '1.25' }),
  title: f.string(3, { presence: 'always' }),
  count: f.int32(4, { presence: 'always' }),
  when: f.time(5, { presence: 'always' }),
});

/** The fields whose owner is the creator of an object in a release. */
function ownedIn(release: string, object: object): unknown {
  const includes = ({ since = '1.0' }: { readonly since?: string }): boolean =>
    Number(since.slice(2)) <= Number(release.slice(2));
  const { root, empty } = new Shapes(namesFor('orch'), { includes }).ofObject(Gadget);
  const change = compare(empty(), object, root);
  return change === undefined ? undefined : writeFields(fieldsSet(change));
}

describe('shapes of built-in kinds', () => {
  it('an atomic struct has separate owners of its fields where the field says so, from a release on', () => {
    const reference = { name: 'a', uid: 'b' };
    const object = { whole: reference, split: reference };
    assert.deepEqual(ownedIn('1.24', object), { 'f:split': {}, 'f:whole': {} });
    assert.deepEqual(ownedIn('1.25', object), {
      'f:split': { '.': {}, 'f:name': {}, 'f:uid': {} },
      'f:whole': {},
    });
  });

  it('a scalar that is always written has an owner when it is not zero', () => {
    assert.equal(ownedIn('1.24', { title: '', count: 0, when: null }), undefined);
    assert.deepEqual(ownedIn('1.24', { title: 'x', count: 1, when: null }), { 'f:count': {}, 'f:title': {} });
  });
});
