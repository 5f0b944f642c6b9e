import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import { compareKeys } from '@orch/storage';
import fc from 'fast-check';
import { compareKeyAt, hasKeyAt, isBelowAt, keyAt, nameAt, nameOffsetOf, namespaceAt } from './json-key.ts';

interface Meta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
}

const keyOf = ({ name, namespace }: Meta): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** JSON between other bytes, as in a slab. */
function placed(object: object, around = '{"metadata":{"name":"other","namespace":"other"}},') {
  const json = Buffer.from(JSON.stringify(object));
  const before = Buffer.from(around);
  const bytes = Buffer.concat([before, json, before]);
  return { bytes, slab: { bytes }, offset: before.length, size: json.length };
}

const podWith = (metadata: Meta) => ({ kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers: [] } });

const names = fc
  .oneof(
    fc.stringMatching(/^[a-z0-9.:-]{1,12}$/),
    fc.stringMatching(/^["\\{}, a]{1,4}$/),
    unicodeString({ minLength: 1, maxLength: 3 }),
  )
  .filter((name) => !name.includes('/'));
const metas = fc.record({ name: names, generateName: names, namespace: names }, { requiredKeys: ['name'] });

describe('the key of an object in its JSON', () => {
  for (const [what, metadata, more] of [
    ['an object in a namespace', { name: 'web-1', namespace: 'team' }, { uid: 'u' }],
    ['an object with a generated name', { name: 'web-x', generateName: 'web-', namespace: 'team' }, {}],
    ['an object without a namespace', { name: 'node-1' }, { uid: 'u', labels: { namespace: 'team' } }],
    ['an object with nothing but a name', { name: 'system:node' }, {}],
  ] as const)
    it(`the key of ${what} is read from its JSON`, () => {
      const place = placed(podWith({ ...metadata, ...more }));
      const key = keyOf(metadata);
      const name = place.offset + nameOffsetOf(place, key);
      assert.ok(name > place.offset, 'the name is found');
      assert.equal(keyAt(place.bytes, name), key);
      assert.equal(nameAt(place.bytes, name), metadata.name);
      assert.equal(namespaceAt(place.bytes, name), key.includes('/') ? 'team' : '');
    });

  for (const [why, object, key] of [
    ['is another one', podWith({ name: 'a', namespace: 'b' }), 'b/c'],
    ['has a namespace that the object lacks', podWith({ name: 'a' }), 'b/a'],
    ['lacks the namespace of the object', podWith({ name: 'a', namespace: 'b' }), 'a'],
    ['has characters that JSON escapes', podWith({ name: 'a"b' }), 'a"b'],
    ['has characters of several bytes', podWith({ name: 'é' }), 'é'],
    ['comes after other fields', { metadata: { labels: { name: 'a' }, name: 'a' } }, 'a'],
    ['is longer than keys are', podWith({ name: 'a'.repeat(513) }), 'a'.repeat(513)],
    ['comes too late', { kind: 'K'.repeat(256), metadata: { name: 'a' } }, 'a'],
    ['is in an object with another order', { metadata: { name: 'a', uid: 'u', namespace: 'b' } }, 'b/a'],
    ['is in no object', {}, 'a'],
  ] as const)
    it(`a key that ${why} is not read from JSON`, () => {
      assert.equal(nameOffsetOf(placed(object), key), 0);
    });

  it('a key with the JSON after a name is not the key of that object', () => {
    const place = placed(podWith({ name: 'a', namespace: 'b', ...{ uid: 'u' } }));
    const name = place.offset + nameOffsetOf(place, 'b/a');
    for (const key of ['a","namespace":"b', 'b/a","namespace":"b', 'b","uid":"u/a', 'a', 'b/a/']) {
      assert.equal(hasKeyAt(place.bytes, name, key), false, key);
      assert.equal(isBelowAt(place.bytes, name, `${key}/`), false, key);
      assert.notEqual(compareKeyAt(place.bytes, name, key), 0, key);
    }
    assert.ok(isBelowAt(place.bytes, name, 'b/'));
  });

  it('bytes that end before the key does are not read, whatever follows them', () => {
    const whole = placed(podWith({ name: 'a', generateName: 'b', namespace: 'c' }));
    for (let size = 0; size < whole.size - 1; size++)
      for (const key of ['c/a', 'a']) {
        const offset = nameOffsetOf({ ...whole, size }, key);
        const cut = placed({}, '}'.repeat(200));
        whole.bytes.copy(cut.bytes, 0, whole.offset, whole.offset + size);
        if (offset > 0) assert.equal(keyAt(cut.bytes, offset), key, `${size} bytes`);
      }
  });

  it('a key is read, compared and ordered as the string is, whatever its characters are', () => {
    let read = 0;
    fc.assert(
      fc.property(metas, fc.array(metas, { minLength: 1, maxLength: 4 }), (meta, others) => {
        const place = placed(podWith(meta));
        const key = keyOf(meta);
        const offset = nameOffsetOf(place, key);
        for (const other of others)
          if (keyOf(other) !== key) assert.equal(nameOffsetOf(place, keyOf(other)), 0);
        if (offset === 0) return;
        read++;
        const name = place.offset + offset;
        assert.equal(keyAt(place.bytes, name), key);
        const near = [key, `${key}a`, key.slice(0, -1), key.replace('/', ''), `x/${key}`, '', '/'];
        for (const other of [...others.map(keyOf), ...near]) {
          assert.equal(hasKeyAt(place.bytes, name, other), key === other, other);
          assert.equal(
            Math.sign(compareKeyAt(place.bytes, name, other)),
            Math.sign(compareKeys(key, other)),
            other,
          );
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(read > 300, `${read} keys were read`);
  });
});
