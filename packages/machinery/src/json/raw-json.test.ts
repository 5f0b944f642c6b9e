import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawJson, rawJsonSubstitute } from './raw-json.ts';

describe('numbers as text', () => {
  const substitute = rawJsonSubstitute();

  test('the substitute writes the same text as the runtime', () => {
    const object = (raw: typeof rawJson): object => ({
      a: [raw.rawJSON('12345678901234567890'), raw.rawJSON('-1.50e400'), '"', { b: raw.rawJSON('0.10') }],
      c: null,
    });
    assert.equal(substitute.stringify(object(substitute)), rawJson.stringify(object(rawJson)));
    assert.equal(
      substitute.stringify(object(substitute), undefined, 2),
      rawJson.stringify(object(rawJson), undefined, 2),
    );
  });

  test('the substitute knows its numbers and no object that looks like one', () => {
    const number = substitute.rawJSON('1e999');
    assert.equal(substitute.isRawJSON(number), true);
    assert.equal(number.rawJSON, '1e999');
    assert.equal(Object.isFrozen(number), true);
    for (const other of [{ ...number }, { rawJSON: '1' }, 1, '1', null, undefined])
      assert.equal(substitute.isRawJSON(other), false);
  });

  test('the substitute refuses a text that is not a number', () => {
    for (const text of ['', 'x', '"1"', '{}', '[1]', '1,2', '1 ', ' 1', '01', 'NaN'])
      assert.throws(() => substitute.rawJSON(text), SyntaxError, text);
  });
});
