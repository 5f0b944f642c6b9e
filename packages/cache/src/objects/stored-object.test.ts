import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Arena } from './arena.ts';
import { compressed } from './compression.ts';
import { EncodingBudget, EncodingCache } from './encoding-cache.ts';
import { exactFields } from './field-layout.ts';
import { Interner } from './interner.ts';
import { StoredObject } from './stored-object.ts';

const encoder = { id: 'capitals', encode: () => Buffer.from('ENCODED') };

/** An object that is part of the current state. */
function heldObject(head: { readonly revisionOffset?: number; readonly corrupt?: boolean } = {}) {
  const arena = new Arena();
  const encodings = new EncodingCache(new EncodingBudget(1000), arena);
  const labels = new Interner().labels({}, undefined);
  const fields = exactFields([], encodings);
  const object = new StoredObject(
    { key: 'ns/a', rev: 7, labels, fields, corrupt: false, revisionOffset: -1, ...head },
    arena.place(Buffer.from('{"a":"b"}'.repeat(100))),
  );
  arena.adopt(object);
  object.hold();
  return { object, arena, encodings };
}

describe('states of objects in the cache', () => {
  for (const [revisionOffset, corrupt, expected] of [
    [-1, false, -1],
    [0, true, 0],
    [240, false, 240],
    [3_000_000, true, 3_000_000],
    // Larger than any object: the offset is only a hint.
    [2 ** 25, false, -1],
  ] as const)
    it(`the marks of an object do not change its revision offset ${revisionOffset}`, () => {
      const { object } = heldObject({ revisionOffset, corrupt });
      for (const holders of [1, 2, 3, 4]) {
        assert.deepEqual(
          { offset: object.revisionOffset, corrupt: object.corrupt, live: object.live, held: object.holders },
          { offset: expected, corrupt, live: true, held: holders },
        );
        object.hold();
      }
      object.live = false;
      object.unhold();
      assert.deepEqual([object.revisionOffset, object.live, object.holders], [expected, false, 4]);
    });

  it('more holders than can be counted are refused', () => {
    const { object } = heldObject();
    assert.throws(() => {
      for (;;) object.hold();
    }, RangeError);
    assert.equal(object.holders, 15);
  });

  it('a compressed object has its JSON and no encoding', () => {
    const { object, arena, encodings } = heldObject();
    const json = object.json().toString();
    assert.equal(object.encoded(encoder).toString(), 'ENCODED');
    assert.ok(object.isEncoded(encoder));
    encodings.release(object);
    arena.release(object);
    object.replaceBy(compressed(object.json()) ?? Buffer.alloc(0));
    object.encoding = undefined;
    assert.ok(object.isCompressed && !object.isEncoded(encoder));
    assert.equal(object.json().toString(), json);
    assert.equal(object.encoded(encoder).toString(), 'ENCODED');
    assert.equal(object.encoding, undefined);
  });
});
