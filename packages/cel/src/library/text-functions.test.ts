import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listDecl, objectDecl, stringDecl } from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import { compile } from '../program.ts';
import { plainOf } from '../testing/evaluate.ts';

const environment = environmentOf('1.99').extend({
  self: objectDecl('self', {
    text: { type: stringDecl() },
    part: { type: stringDecl() },
    after: { type: stringDecl() },
    texts: { type: listDecl(stringDecl()) },
  }),
});

const unit = fc.constantFrom(
  'a',
  'b',
  'A',
  'Z',
  'é',
  'É',
  '😀',
  ' ',
  '\t',
  '\u00a0',
  '\u3000',
  '\ufeff',
  '\ud800',
);
const text = fc.string({ unit, maxLength: 12 });
const part = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 5 });
const self = fc.record({ text, part, after: text, texts: fc.array(text, { maxLength: 4 }) });
type Self = {
  readonly text: string;
  readonly part: string;
  readonly after: string;
  readonly texts: readonly string[];
};

const characters = (value: string): readonly string[] => [...value];

function piecesUpTo(count: number, { text: whole, part: separator }: Self): readonly string[] {
  const pieces = separator === '' ? characters(whole) : whole.split(separator);
  if (pieces.length <= count) return pieces;
  return [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(separator)];
}

/** The empty string is found before each character and after the last one. */
function replacedUpTo(count: number, { text: whole, part: before, after }: Self): string {
  if (before !== '') {
    const pieces = whole.split(before);
    const most = Math.min(count, pieces.length - 1);
    return pieces.map((piece, i) => (i === 0 ? piece : (i <= most ? after : before) + piece)).join('');
  }
  const all = characters(whole);
  return all.map((each, i) => (i < count ? after : '') + each).join('') + (count > all.length ? after : '');
}

const blank =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

const functions: readonly (readonly [source: string, expected: (values: Self) => unknown])[] = [
  ['self.text.split(self.part)', (values) => piecesUpTo(Number.POSITIVE_INFINITY, values)],
  ['self.text.split(self.part, 1)', (values) => piecesUpTo(1, values)],
  ['self.text.split(self.part, 3)', (values) => piecesUpTo(3, values)],
  ['self.text.split(self.part, 0)', () => []],
  ['self.text.replace(self.part, self.after)', (values) => replacedUpTo(Number.POSITIVE_INFINITY, values)],
  ['self.text.replace(self.part, self.after, 0)', ({ text: whole }) => whole],
  ['self.text.replace(self.part, self.after, 1)', (values) => replacedUpTo(1, values)],
  ['self.text.replace(self.part, self.after, 2)', (values) => replacedUpTo(2, values)],
  ['self.text.contains(self.part)', ({ text: whole, part: sought }) => whole.includes(sought)],
  ['self.text.trim()', ({ text: whole }) => whole.replace(blank, '')],
  ['self.text.lowerAscii()', ({ text: whole }) => whole.replace(/[A-Z]/g, (each) => each.toLowerCase())],
  ['self.text.upperAscii()', ({ text: whole }) => whole.replace(/[a-z]/g, (each) => each.toUpperCase())],
  ['self.texts.join()', ({ texts }) => texts.join('')],
  ['self.texts.join(self.part)', ({ texts, part: separator }) => texts.join(separator)],
  ['size(self.text)', ({ text: whole }) => characters(whole).length],
];

describe('functions on texts', () => {
  for (const [source, expected] of functions)
    it(`${source} has the result of its definition`, () => {
      const program = compile(source, environment);
      fc.assert(
        fc.property(self, (values) => {
          const outcome = program.evaluate({ self: values });
          assert.ok(outcome.kind === 'value', outcome.kind);
          assert.deepEqual(plainOf(outcome.value), expected(values));
        }),
      );
    });
});
