import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../concurrency/index.ts';
import { findDuplicateKeys, findDuplicateKeysInPieces } from './duplicates.ts';
import { parseJson } from './parse.ts';
import { parseJsonInPieces } from './parse-in-pieces.ts';
import type { ParseJsonOptions } from './parse-text.ts';
import { widthOf } from './width.ts';

type Outcome = { readonly value: unknown } | { readonly error: string };

function outcome(parse: () => unknown): Outcome {
  try {
    return { value: parse() };
  } catch (error) {
    return { error: String(error) };
  }
}

const options: ParseJsonOptions = { finite: true, keepSpelling: true, maxDepth: 8 };

function assertSame(text: string, pieceLength: number): void {
  const bytes = Buffer.from(text);
  const expected = outcome(() => parseJson(bytes, options));
  assert.deepEqual(
    outcome(() => atOnce(parseJsonInPieces(bytes, options, pieceLength))),
    expected,
    JSON.stringify(text),
  );
}

/** The pieces of some work. */
function piecesOf(work: Generator<undefined, unknown>): number {
  let pieces = 1;
  while (work.next().done !== true) pieces += 1;
  return pieces;
}

/** The pieces after which a wide object is refused that has no end. */
function refusedAfter(fields: number): number {
  const work = parseJsonInPieces(wide(fields).subarray(0, -1));
  let pieces = 0;
  assert.throws(() => {
    while (work.next().done !== true) pieces += 1;
  }, /unexpected end/);
  return pieces;
}

/** Whether a parse tells of repeated fields; undefined for malformed text. */
function repeats(parse: (options: ParseJsonOptions) => unknown): boolean | undefined {
  let isRepeated = false;
  const onRepeatedFields = (): void => {
    isRepeated = true;
  };
  return 'error' in outcome(() => parse({ ...options, onRepeatedFields })) ? undefined : isRepeated;
}

function assertRepeats(text: string, pieceLength: number): void {
  const bytes = Buffer.from(text);
  const expected =
    'error' in outcome(() => parseJson(bytes, options)) ? undefined : findDuplicateKeys(bytes).length > 0;
  assert.equal(
    repeats((options) => parseJson(bytes, options)),
    expected,
    JSON.stringify(text),
  );
  assert.equal(
    repeats((options) => atOnce(parseJsonInPieces(bytes, options, pieceLength))),
    expected,
    `${JSON.stringify(text)} in pieces of ${pieceLength}`,
  );
}

const wide = (fields: number): Buffer =>
  Buffer.from(
    JSON.stringify({ data: Object.fromEntries(Array.from({ length: fields }, (_, i) => [`k${i}`, i])) }),
  );

describe('parser of JSON in pieces', () => {
  for (const text of [
    '{}',
    '[]',
    '  [      ]  ',
    '"text"',
    '[1,2,3,4,5,6,7,8,9]',
    '{"a":1,"b":[1,2,3,4,5,6],"c":{"d":[[1,2,3],[4,5,6]]},"e":null}',
    '{"a":1,"a":2,"__proto__":{"x":[1,2,3,4]},"a":3}',
    '{"2":1,"1":[1,2,3,4,5],"x":0}',
    '{"\\u0061\\"{":[1,2,3,4,5],"}":"[{"}',
    '[5.0,1e2,12345678901234567890,[1.10,2,3,4]]',
    '[1,2,3,1e400]',
    '{"a":{"b":[1,2,3,1e999]}}',
    '[1,2,3,4,5,]',
    '[,1,2,3,4]',
    '[[1,2,3,4],,[1,2,3,4]]',
    '[[1,2,3,4],]',
    '[[1,2,3,4] 5]',
    '[5 [1,2,3,4]]',
    '{"a":[1,2,3,4] "b":1}',
    '{[1,2,3,4]}',
    '{"a" "b":[1,2,3,4]}',
    '{"a":1,"b":[1,2,3,4}',
    '[1,2,3,4}',
    '[1,2,3,4',
    '[1,2,3,4]]',
    '[1,2,3,4] x',
    'x [1,2,3,4]',
    '[1,2,3,4][1,2,3,4]',
    '{      ,"a":1}',
    '[[[[[[[[[[1]]]]]]]]]]',
    '[1,2,"unfinished',
    '',
  ])
    it(`the parser in pieces has the result of the parser at once, for ${JSON.stringify(text.slice(0, 50))}`, () => {
      for (const length of [1, 2, 4, 8, 1000]) assertSame(text, length);
    });

  it('the parser in pieces has the result of the parser at once, for texts with random mistakes', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }),
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', ' ', '0', '\\'),
        fc.integer({ min: 1, max: 30 }),
        (json, position, mistake, pieceLength) => {
          const at = position % (json.length + 1);
          assertSame(json, pieceLength);
          assertSame(json.slice(0, at) + mistake + json.slice(at), pieceLength);
          assertSame(json.slice(0, at) + json.slice(at + 1), pieceLength);
        },
      ),
    );
  });

  it('a value before the object or array of a member is refused, at any length of pieces', () => {
    for (const mistake of ['2', '-', '1.', '"b":', '1e', '[', '{}', '0,"b":'])
      for (const value of ['[1,2,3,4,5,6,7,8,9]', '{"c":[1,2,3,4,5,6]}'])
        for (let length = 1; length < 40; length += 1) assertSame(`{"a":${mistake}${value},"d":[1]}`, length);
  });

  it('the number of pieces is in proportion to the text, and so is that of a text that is refused', () => {
    const [small, large] = [20_000, 80_000].map((fields) => piecesOf(parseJsonInPieces(wide(fields)))) as [
      number,
      number,
    ];
    assert.ok(small > 3 && large > 2 * small, `${small}, ${large}`);
    assert.ok(
      large > wide(80_000).length / (32 * 1024),
      `${large} pieces: a run of short fields is longer than 32 KB`,
    );
    const [smallRefused, largeRefused] = [20_000, 80_000].map(refusedAfter) as [number, number];
    assert.ok(smallRefused > 3 && largeRefused > 2 * smallRefused, `${smallRefused}, ${largeRefused}`);
  });

  it('wide objects are noted, whether they are in one piece or in several', () => {
    const value = atOnce(parseJsonInPieces(wide(50_000))) as { readonly data: object };
    assert.equal(widthOf(value.data), 50_000);
    const both = Buffer.from(`[${wide(5000)},${JSON.stringify('x'.repeat(200_000))}]`);
    const [first] = atOnce(parseJsonInPieces(both)) as [{ readonly data: object }];
    assert.equal(widthOf(first.data), 5000);
  });

  it('the parser tells of repeated fields exactly where there are some, at once and in pieces', () => {
    const names = fc.constantFrom('a', 'b', '"', '\\u0061', '__proto__', '1', ':');
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom('1', '5.0', '12345678901234567890', '"{:}"', 'null', '{}', '[]'),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
        fc
          .array(fc.tuple(names, tie('value')), { maxLength: 4 })
          .map(
            (fields) =>
              `{${fields.map(([name, value]) => `${name === '"' ? '"\\""' : `"${name}"`}:${value}`)}}`,
          ),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 30 }), (text, length) => assertRepeats(text, length)),
    );
    for (const text of ['{"a":[1,2,3],"b":1,"a":[4,5,6]}', '{"a":1,"bcdefgh":2,"a":3}'])
      for (const length of [1, 4, 8, 1000]) assertRepeats(text, length);
  });

  it('duplicates are found in pieces as at once', () => {
    const text = Buffer.from(`{"a":{"b":1,"b":2},"list":[${'{"x":1,"y":2},'.repeat(10_000)}{"x":1,"x":2}]}`);
    const work = findDuplicateKeysInPieces(text);
    assert.ok(piecesOf(findDuplicateKeysInPieces(text)) > 5);
    assert.deepEqual(atOnce(work), findDuplicateKeys(text));
  });
});
