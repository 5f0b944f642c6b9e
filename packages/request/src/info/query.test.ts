import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { booleanParameter, integerParameter, parseQuery, queryValue } from './query.ts';

describe('query parameters of requests', () => {
  it('names and values are decoded, repeated ones too', () => {
    const query = parseQuery('a=1&b=%20x+y&a=2&&c&%64=e%3Df');
    assert.deepEqual(
      [query.get('a'), query.all('a'), query.get('b'), query.get('c'), query.get('d')],
      ['1', ['1', '2'], ' x y', '', 'e=f'],
    );
    assert.equal(query.has('z'), false);
    assert.throws(
      () => parseQuery('a=%zz'),
      (error) => error instanceof ApiError && error.status.code === 400,
    );
  });

  it('a value that is read without the other parameters is the same', () => {
    for (const raw of ['watch=1', '?watch=1', '&?watch', 'a=b&w%61tch=x+y', 'watch&watch=2', ''])
      assert.equal(queryValue(raw, 'watch'), parseQuery(raw).get('watch'), raw);
  });

  it('flags and whole numbers are read from query parameters', () => {
    const query = parseQuery('on&yes=1&no=false&zero=0&n=-5&bad=1.5&big=99999999999999999999&empty=');
    assert.deepEqual(
      ['on', 'yes', 'no', 'zero', 'absent'].map((name) => booleanParameter(query, name)),
      [true, true, false, false, false],
    );
    assert.deepEqual(
      ['n', 'empty', 'absent'].map((name) => integerParameter(query, name)),
      [-5, undefined, undefined],
    );
    const limits = parseQuery(
      'max=9223372036854775807&min=-9223372036854775808&over=9223372036854775808&under=-9223372036854775809',
    );
    assert.deepEqual(
      ['max', 'min'].map((name) => integerParameter(limits, name)),
      [2 ** 63, -(2 ** 63)],
    );
    for (const name of ['over', 'under']) assert.throws(() => integerParameter(limits, name), ApiError);
    for (const name of ['bad', 'big']) assert.throws(() => integerParameter(query, name), ApiError);
  });
});
