import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldError } from './field-error.ts';

describe('errors about values', () => {
  it('an error about a value shows the beginning of it', () => {
    const { message, withoutValue } = fieldError.invalid('spec', ['x'.repeat(1_000)], 'must be short');
    assert.match(message, /^Invalid value: \["x{254}…: must be short$/);
    assert.equal(withoutValue, 'Invalid value: <withheld>: must be short');
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
