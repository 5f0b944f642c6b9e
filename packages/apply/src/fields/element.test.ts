import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '@orch/machinery/concurrency';
import fc from 'fast-check';
import { compareScalars, type Scalar } from '../values/scalar.ts';
import { compareText } from '../values/text-order.ts';
import { fieldElement, indexElement, keyElement, keyPairs, readElement, valueElement } from './element.ts';
import { compareElements, sortedElements, sortingElements } from './element-order.ts';
import { pathText } from './path-text.ts';

const raw = (text: string): Scalar => (JSON as unknown as { rawJSON(text: string): Scalar }).rawJSON(text);

describe('steps of a field path', () => {
  const read: readonly (readonly [title: string, text: string, element: string | null | undefined])[] = [
    ['a field is its name', 'f:a.b/c', 'f:a.b/c'],
    ['a field may have the empty name', 'f:', 'f:'],
    [
      'a key is JSON with its names in order',
      'k:{"protocol":"TCP","port":80}',
      'k:{"port":80,"protocol":"TCP"}',
    ],
    ['a key without spaces', 'k:{ "name" : "x" }', 'k:{"name":"x"}'],
    ['a key with needless escapes', 'k:{"n\\u0061me":"\\u0078"}', 'k:{"name":"x"}'],
    ['a key with characters that are escaped', 'k:{"name":"<a&b>"}', 'k:{"name":"\\u003ca\\u0026b\\u003e"}'],
    ['a key with needed escapes stays', 'k:{"name":"a\\"b\\\\"}', 'k:{"name":"a\\"b\\\\"}'],
    ['a key with another number notation', 'k:{"port":8.0e1}', 'k:{"port":80}'],
    ['a key with a negative zero', 'k:{"port":-0}', 'k:{"port":0}'],
    ['a key with a large number keeps it', 'k:{"id":9007199254740993}', 'k:{"id":9007199254740993}'],
    ['a key with three names', 'k:{"c":1,"a":true,"b":null}', 'k:{"a":true,"b":null,"c":1}'],
    ['a key with one name twice is the last', 'k:{"a":1,"a":2}', 'k:{"a":2}'],
    ['a key named __proto__', 'k:{"__proto__":1}', 'k:{"__proto__":1}'],
    ['a value', 'v: "x"', 'v:"x"'],
    ['a number as a value', 'v:1.50', 'v:1.5'],
    ['a position', 'i:12', 'i:12'],
    ['a negative position', 'i:-1', 'i:-1'],
    ['an unknown kind is not known', 'x:1', undefined],
    ['no colon is malformed', 'name', null],
    ['nothing is malformed', '', null],
    ['one letter is malformed', 'f', null],
    ['a key that is not JSON is malformed', 'k:{"a":', null],
    ['a key that is a list is malformed', 'k:["a"]', null],
    ['a key without names is malformed', 'k:{}', null],
    ['a key with an object inside is malformed', 'k:{"a":{"b":1}}', null],
    ['a key that nests deep is malformed', `k:{"a":${'['.repeat(100_000)}`, null],
    ['a value that is an object is malformed', 'v:{}', null],
    ['a value that is nothing is malformed', 'v:', null],
    ['a position with a fraction is malformed', 'i:1.5', null],
    ['a position with a leading zero is malformed', 'i:01', null],
  ];
  for (const [title, text, element] of read) {
    it(`path element ${JSON.stringify(text.slice(0, 40))}: ${title}`, () =>
      assert.equal(readElement(text), element));
  }

  it('field paths are printed in the format that clients expect', () => {
    const path = ['f:spec', 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"a\\"b"', 'i:3', 'f:a.b/c'];
    assert.equal(pathText(path), '.spec[containerPort=80,protocol="TCP"][="a\\"b"][3].a.b/c');
  });

  it('path elements are ordered as fields, keys, values and positions, each by content', () => {
    const ordered = [
      'f:',
      'f:B',
      'f:a',
      'f:aa',
      'f:b',
      'f:\u{ffff}',
      'f:\u{10000}',
      'k:{"a":"z"}',
      'k:{"name":2}',
      'k:{"name":10}',
      'k:{"name":9007199254740992}',
      'k:{"name":9007199254740993}',
      'k:{"name":""}',
      'k:{"name":"A"}',
      'k:{"name":"a"}',
      'k:{"name":"a\\"c"}',
      'k:{"name":"aa"}',
      'k:{"name":"aa","port":1}',
      'k:{"name":"aa","port":"1"}',
      'k:{"name":"b"}',
      'k:{"name":false}',
      'k:{"name":true}',
      'k:{"name":null}',
      'v:-1',
      'v:2.5',
      'v:10',
      'v:"10"',
      'v:"9"',
      'v:true',
      'i:-1',
      'i:2',
      'i:10',
    ];
    for (const [i, a] of ordered.entries()) {
      for (const [j, b] of ordered.entries()) {
        assert.equal(Math.sign(compareElements(a, b)), Math.sign(i - j), `${a} and ${b}`);
      }
    }
    assert.deepEqual(sortedElements([...ordered].reverse()), ordered);
  });

  const scalar: fc.Arbitrary<Scalar> = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(raw('12345678901234567890')),
  );

  it('constructed path elements are canonical, so that reading them changes nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), scalar, { minKeys: 1, maxKeys: 3 }), scalar, (keys, value) => {
        const pairs = Object.entries(keys).sort(([a], [b]) => compareText(a, b));
        const key = keyElement(pairs);
        assert.equal(readElement(key), key);
        assert.deepEqual(JSON.stringify(keyPairs(key)), JSON.stringify(pairs));
        assert.equal(readElement(valueElement(value)), valueElement(value));
      }),
    );
    assert.equal(readElement(indexElement(7)), indexElement(7));
  });

  it('serialised keys have the order of their values', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', '<', 'ä', '\u{ffff}', '\u{10000}', '\n'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const byText = compareElements(keyElement([['name', a]]), keyElement([['name', b]]));
        assert.equal(Math.sign(byText), Math.sign(compareText(a, b)));
        const asBytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
        assert.equal(Math.sign(compareText(a, b)), asBytes);
      }),
    );
  });

  it('path elements are sorted in pieces as at once, in any order', () => {
    const count = 3000;
    const elements = Array.from({ length: count }, (_, i) => (i % 3 === 0 ? `i:${i}` : `k:{"name":"n${i}"}`));
    const shuffled = elements.map((_, i) => elements[(i * 1009) % count] ?? '');
    for (const list of [[], ['f:a'], elements, shuffled, [...elements].reverse(), sortedElements(elements)]) {
      let pieces = 1;
      const work = sortingElements(list);
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.deepEqual(step.value, sortedElements(list));
      if (list === shuffled) assert.ok(pieces >= count / 64, `${pieces} pieces`);
    }
  });

  it('long lists of elements are sorted by the same comparison as short ones', () => {
    const texts = ['a', 'a b', 'a!', 'a"', 'a\\', 'a#', 'ab', 'a1', 'a10', 'ä', '\u{ffff}', '\u{10000}', ''];
    const many = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const forms: readonly ((text: string) => string)[] = [
      fieldElement,
      valueElement,
      (text) => keyElement([['name', text]]),
      (text) => keyElement([['a"', text]]),
      (text) =>
        keyElement([
          ['name', text],
          ['protocol', 'TCP'],
        ]),
      (text) => (text === 'ab' ? indexElement(1) : keyElement([['name', text]])),
      (text) => (text === 'ab' ? valueElement(7) : valueElement(text)),
    ];
    for (const form of forms) {
      for (const last of [[], ...texts.map((text) => [text]), texts]) {
        const list = [...many, ...last].map(form);
        const expected = [...list].sort(compareElements);
        assert.deepEqual(sortedElements(list), expected);
        assert.deepEqual(atOnce(sortingElements(list)), expected);
      }
    }
  });

  it('serialised numbers have the order of their values', () => {
    const number = fc.oneof(
      fc.nat(20),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(number, number, (a, b) => {
        const step = (value: number): string =>
          keyElement([
            ['port', value],
            ['protocol', 'TCP'],
          ]);
        assert.equal(Math.sign(compareElements(step(a), step(b))), Math.sign(compareScalars(a, b)));
        const items = Math.sign(compareElements(valueElement(a), valueElement(b)));
        assert.equal(items, Math.sign(compareScalars(a, b)));
      }),
    );
  });

  it('the order of scalars is total', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        assert.equal(Math.sign(compareScalars(a, b)), -Math.sign(compareScalars(b, a)) + 0);
        if (compareScalars(a, b) <= 0 && compareScalars(b, c) <= 0) assert.ok(compareScalars(a, c) <= 0);
      }),
    );
  });
});
