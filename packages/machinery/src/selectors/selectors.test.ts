import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-parser.ts';
import {
  formatLabelSelector,
  type LabelSelectorObject,
  labelSelectorFromMap,
  labelSelectorFromObject,
} from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

describe('label selectors as text', () => {
  for (const [text, canonical] of [
    ['', ''],
    ['  ', ''],
    ['a', 'a'],
    ['!a', '!a'],
    ['! a', '!a'],
    ['a=b', 'a=b'],
    ['a==b', 'a=b'],
    [' a = b ', 'a=b'],
    ['a=', 'a='],
    ['a=,b', 'a=,b'],
    ['a!=b', 'a!=b'],
    ['b=1,a=2', 'a=2,b=1'],
    ['a in (y,x)', 'a in (x,y)'],
    ['a in(x)', 'a=x'],
    ['a notin (x, y)', 'a notin (x,y)'],
    ['a notin (x)', 'a!=x'],
    ['a in (x,)', 'a in (,x)'],
    ['a in ()', 'a='],
    ['a in (x,x)', 'a=x'],
    ['in in (in)', 'in=in'],
    ['notin', 'notin'],
    ['example.com/a=b', 'example.com/a=b'],
    ['a>1,b<2', 'a>1,b<2'],
    ['a=1,a!=2', 'a=1,a!=2'],
    ['toString=x', 'toString=x'],
  ] as const) {
    it(`the label selector ${JSON.stringify(text)} is read as ${JSON.stringify(canonical)}`, () => {
      assert.equal(formatLabelSelector(parseLabelSelector(text)), canonical);
    });
  }

  for (const [text, message] of [
    [',', /found "," at position 0, expected: a label key or '!'/],
    ['a,', /found end of text at position 2, expected: a label key/],
    ['a b', /found "b" at position 2, expected: '=', '=='/],
    ['a=b c', /found "c" at position 4, expected: ',' or end of text/],
    ['a in x', /found "x" at position 5, expected: '\('/],
    ['a in (x', /found end of text at position 7, expected: ',' or '\)'/],
    ['a in (x y)', /found "y" at position 8, expected: ',' or '\)'/],
    ['!a=b', /found "=" at position 2, expected: ',' or end of text/],
    ['!', /expected: a label key$/],
    ['a=(b)', /found "\(" at position 2, expected: a label value/],
    ['a=!b', /found "!" at position 2/],
    ['a===b', /found "=" at position 3/],
    ['-a=b', /key: Invalid value: "-a": name part must consist/],
    ['a/b/c=d', /key: Invalid value: "a\/b\/c": a qualified name/],
    ['A_B.com/c=d', /key: Invalid value: "A_B.com\/c": prefix part/],
    ['a=b$', /values\[0\]\[a\]: Invalid value: "b\$": a valid label must be/],
    [`a=${'x'.repeat(64)}`, /must be no more than 63 characters/],
    ['a>x', /the value must be an integer/],
    ['x'.repeat(100_000), /the label selector is 100000 characters long/],
    [Array.from({ length: 2000 }, (_, i) => `a${i}`).join(','), /more than 1024 requirements/],
  ] as const) {
    it(`the label selector parser refuses ${JSON.stringify(text.slice(0, 30))} and says why`, () => {
      assert.throws(
        () => parseLabelSelector(text),
        (error) => error instanceof SelectorError && message.test(error.message),
      );
    });
  }

  for (const [text, labels, expected] of [
    ['', undefined, true],
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=b', undefined, false],
    ['a=', {}, false],
    ['a=', { a: '' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a!=b', { a: 'c' }, true],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in (b,c)', { a: 'd' }, false],
    ['a notin (b,c)', { a: 'd' }, true],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '' }, false],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a<5', { a: '-7' }, true],
    ['a<5', { a: 'x' }, false],
    ['a<5', {}, false],
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['toString', {}, false],
    ['!constructor', {}, true],
    ['a=1,b=2', { a: '1', b: '2' }, true],
    ['a=1,b=2', { a: '1' }, false],
  ] as const) {
    it(`the selector ${JSON.stringify(text)} ${expected ? 'matches' : 'does not match'} the labels ${JSON.stringify(labels)}`, () => {
      assert.equal(parseLabelSelector(text).matches(labels), expected);
    });
  }

  it('a label selector knows the labels that every match must have', () => {
    assert.deepEqual(parseLabelSelector('b=1,a in (x),c in (p,q),d!=2,e').equalities, [
      { key: 'a', value: 'x' },
      { key: 'b', value: '1' },
    ]);
    assert.equal(parseLabelSelector('').everything, true);
    assert.equal(parseLabelSelector('a').everything, false);
  });

  it('a formatted label selector reads back as the same selector', () => {
    const key = fc.constantFrom('a', 'b', 'x.io/c', 'in', 'notin', 'A-1');
    const value = fc.constantFrom('', 'v', 'in', '1', 'X_y.z');
    const term = fc.oneof(
      fc.tuple(key, fc.constantFrom('=', '!=', '=='), value).map((parts) => parts.join('')),
      fc
        .tuple(key, fc.constantFrom(' in ', ' notin '), fc.array(value, { minLength: 1, maxLength: 3 }))
        .map(([k, op, vs]) => `${k}${op}(${vs})`),
      key,
      key.map((k) => `!${k}`),
    );
    const labels = fc.dictionary(key, value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, some) => {
        const selector = parseLabelSelector(terms.join(','));
        const again = parseLabelSelector(formatLabelSelector(selector));
        assert.deepEqual(again.requirements, selector.requirements);
        assert.equal(again.matches(some), selector.matches(some));
        // Every selected object fulfils all equalities.
        if (selector.matches(some)) for (const e of selector.equalities) assert.equal(some[e.key], e.value);
      }),
    );
  });

  it('the parser of label selectors never fails otherwise than with a SelectorError', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '=',
      '!',
      ',',
      '(',
      ')',
      'in',
      'notin',
      '<',
      '>',
      '/',
      'é',
      '\n',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          parseLabelSelector(pieces.join(''));
        } catch (error) {
          assert.ok(error instanceof SelectorError);
        }
      }),
    );
  });
});

describe('label selectors as objects', () => {
  it('a label selector selects nothing when absent and everything when empty', () => {
    for (const absent of [null, undefined]) {
      const selector = labelSelectorFromObject(absent);
      assert.equal(selector.matches({}), false);
      assert.equal(selector.nothing, true);
      assert.equal(selector.everything, false);
      assert.equal(formatLabelSelector(selector), '<none>');
    }
    assert.equal(labelSelectorFromObject({}).everything, true);
    assert.equal(
      labelSelectorFromObject({ matchLabels: null, matchExpressions: null }).matches(undefined),
      true,
    );
  });

  it('a label selector joins labels and expressions', () => {
    const object: LabelSelectorObject = {
      matchLabels: { b: '1' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['y', 'x'] },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'd', operator: 'NotIn', values: ['z'] },
        { key: 'e', operator: 'Exists', values: null },
      ],
    };
    assert.equal(formatLabelSelector(labelSelectorFromObject(object)), 'a in (x,y),b=1,!c,d!=z,e');
  });

  for (const [title, expression, message] of [
    [
      'an unknown operator',
      { key: 'a', operator: 'Gt', values: ['1'] },
      /"Gt" is not a valid label selector operator/,
    ],
    ['In without values', { key: 'a', operator: 'In' }, /values set can't be empty/],
    ['Exists with values', { key: 'a', operator: 'Exists', values: ['x'] }, /values set must be empty/],
    ['a malformed key', { key: 'a b', operator: 'Exists' }, /key: Invalid value/],
  ] as const) {
    it(`a selector with ${title} is refused`, () => {
      assert.throws(() => labelSelectorFromObject({ matchExpressions: [expression] }), message);
    });
  }

  it('a plain map of labels is read as a label selector', () => {
    assert.equal(formatLabelSelector(labelSelectorFromMap({ b: '2', a: '1' })), 'a=1,b=2');
  });
});

describe('field selectors as text', () => {
  for (const [text, requirements] of [
    ['', []],
    [',', []],
    ['a=b', [['a', '=', 'b']]],
    ['a==b', [['a', '=', 'b']]],
    ['a!=b', [['a', '!=', 'b']]],
    ['a=', [['a', '=', '']]],
    [
      'a.b=c,d!=e',
      [
        ['a.b', '=', 'c'],
        ['d', '!=', 'e'],
      ],
    ],
    ['a=b\\,c', [['a', '=', 'b,c']]],
    ['a=b\\=c\\\\', [['a', '=', 'b=c\\']]],
    ['a= b ', [['a', '=', ' b ']]],
    [
      'spec.nodeName=,b=1',
      [
        ['spec.nodeName', '=', ''],
        ['b', '=', '1'],
      ],
    ],
  ] as [string, [string, string, string][]][]) {
    it(`${JSON.stringify(text)} is a field selector`, () => {
      assert.deepEqual(
        parseFieldSelector(text).requirements.map((r) => [r.field, r.op, r.value]),
        requirements,
      );
    });
  }

  for (const [text, message] of [
    ['a', /expected field=value/],
    ['a=b,c', /"c": expected field=value/],
    ['a=b=c', /unescaped '=' in a value/],
    ['a=b\\', /a backslash may only stand before/],
    ['a=b\\c', /a backslash may only stand before/],
    ['x'.repeat(100_000), /100000 characters long/],
    [Array.from({ length: 300 }, () => 'a=b').join(','), /300 terms, more than 256/],
  ] as const) {
    it(`the field selector parser refuses ${JSON.stringify(text.slice(0, 30))} and says why`, () => {
      assert.throws(
        () => parseFieldSelector(text),
        (error) => error instanceof SelectorError && message.test(error.message),
      );
    });
  }

  it('a field selector matches by the values of fields', () => {
    const selector = parseFieldSelector('a=1,b!=2');
    const of = (values: Record<string, string>) => (field: string) => values[field] ?? '';
    assert.equal(selector.matches(of({ a: '1' })), true);
    assert.equal(selector.matches(of({ a: '1', b: '2' })), false);
    assert.equal(selector.matches(of({ b: '3' })), false);
    assert.deepEqual(selector.equalities, [{ field: 'a', op: '=', value: '1' }]);
    assert.equal(parseFieldSelector('').everything, true);
  });

  it('a field selector keeps every value whose backslashes, commas and equals signs are escaped', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=', '!='), (value, op) => {
        const escaped = value.replace(/[\\,=]/g, '\\$&');
        const { requirements } = parseFieldSelector(`a.b${op}${escaped}`);
        assert.deepEqual(requirements, [{ field: 'a.b', op, value }]);
      }),
    );
  });
});
