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
function heldObject(
  head: { readonly key?: string; readonly revisionOffset?: number; readonly corrupt?: boolean } = {},
  json = '{"a":"b"}'.repeat(100),
) {
  const arena = new Arena();
  const encodings = new EncodingCache(new EncodingBudget(1000), arena);
  const labels = new Interner().labels({}, undefined);
  const fields = exactFields([], encodings);
  const object = new StoredObject(
    { key: 'ns/a', rev: 7, labels, fields, corrupt: false, revisionOffset: -1, ...head },
    arena.place(Buffer.from(json)),
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
    [262_142, true, 262_142],
    // Objects have their revision near their name: the offset is only a hint.
    [262_143, false, -1],
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

  for (const [what, json, isInJson] of [
    ['JSON has', `{"metadata":{"name":"a","namespace":"ns","text":"${'x'.repeat(900)}"}}`, true],
    ['JSON lacks', `{"text":"${'x'.repeat(900)}"}`, false],
  ] as const)
    it(`an object whose key the ${what} has that key after its bytes were moved, released and compressed`, () => {
      const { object, arena } = heldObject({}, json);
      const check = (): void => {
        assert.deepEqual([object.key, object.name, object.namespace], ['ns/a', 'a', 'ns']);
        assert.deepEqual(
          ['ns/a', 'a', 'ns/b'].map((key) => object.hasKey(key)),
          [true, false, false],
        );
        assert.deepEqual(
          ['ms/a', 'ns/a', 'ns/b'].map((key) => Math.sign(object.compareKey(key))),
          [1, 0, -1],
        );
        const scopes = [
          { prefix: '' },
          { prefix: 'ns/' },
          { prefix: 'n/' },
          { prefix: 'ns/', exact: 'ns/b' },
        ];
        assert.deepEqual(
          scopes.map((scope) => object.isIn(scope)),
          [true, true, false, false],
        );
      };
      assert.equal(object.nameOffset > 0, isInJson);
      check();
      arena.moveInOrder(object);
      check();
      arena.release(object);
      check();
      object.replaceBy(compressed(object.json()) ?? Buffer.alloc(0));
      check();
      assert.equal(object.nameOffset, 0);
    });

  it('an object is at a place where its JSON is, and not where another one is', () => {
    const json = '{"metadata":{"name":"a","namespace":"ns"},"spec":{},"text":"long enough"}';
    const { object, arena } = heldObject({}, json);
    assert.ok(object.isAt(arena.place(Buffer.from(json))));
    assert.ok(!object.isAt(arena.place(Buffer.from(json.replace('"a"', '"b"')))));
    assert.ok(!object.isAt(arena.place(Buffer.from(json.replace('spec', 'data-')))));
    assert.ok(
      !object.isAt(arena.place(Buffer.from(`{"x":0,${json.slice(1).replace('"spec":{}', '"x":1')}`))),
    );
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
