import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldError } from './field-error.ts';

describe('errors about values', () => {
  it('an error about a value shows the beginning of it', () => {
    const { message, withoutValue } = fieldError.invalid('spec', ['x'.repeat(1_000)], 'must be short');
    assert.match(message, /^Invalid value: \["x{254}…: must be short$/);
    assert.equal(withoutValue, 'Invalid value: <withheld>: must be short');
  });

  for (const [title, value, shown] of [
    ['a text in quotes', 'a "b"\n', '"a \\"b\\"\\n"'],
    ['the beginning of a long text', 'x'.repeat(300), `"${'x'.repeat(255)}…`],
    ['a text of as many characters as are shown', 'x'.repeat(254), `"${'x'.repeat(254)}"`],
    ['a number', 7, '7'],
    ['null for an absent value', undefined, 'null'],
    ['null', null, 'null'],
    ['the beginning of a list', ['x'.repeat(300), 'y'], `["${'x'.repeat(254)}…`],
  ] as const)
    it(`an error shows ${title}`, () => {
      const { message, withoutValue } = fieldError.invalid('spec', value, 'wrong');
      assert.equal(message, `Invalid value: ${shown}: wrong`);
      assert.equal(withoutValue, 'Invalid value: <withheld>: wrong');
    });

  it('an error about a value reads it once, when its message is needed', () => {
    let read = 0;
    const items = new Proxy(['a'], {
      get(target, name) {
        if (name === '0') read++;
        return Reflect.get(target, name);
      },
    });
    const error = fieldError.invalid('spec', items, 'must be short');
    assert.equal(read, 0);
    assert.equal(error.message, 'Invalid value: ["a"]: must be short');
    assert.equal(error.message, 'Invalid value: ["a"]: must be short');
    assert.equal(read, 1);
  });
});
