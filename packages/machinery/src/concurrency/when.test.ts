import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenFulfilled, whenRejected } from './when.ts';

const joined = (value: string, ...others: readonly unknown[]): string => [value, ...others].join(' ');
const message = (error: unknown, ...others: readonly unknown[]): string =>
  joined(error instanceof Error ? error.message : '', ...others);
const later = (value: string): string | Promise<string> => Promise.resolve(value);
const failing = (): string | Promise<string> => Promise.reject(new Error('failed'));

describe('continuation of a result', () => {
  it('the continuation of a result passes a value and the further arguments on synchronously', () => {
    assert.equal(
      whenFulfilled<string, string, [number, boolean, null]>('a', joined, 1, true, null),
      'a 1 true ',
    );
    assert.equal(
      whenFulfilled('a', (value) => value.length),
      1,
    );
  });

  it('the continuation of a result passes the value of a promise on after it is fulfilled', async () => {
    const result = whenFulfilled<string, string, [number]>(later('a'), (value, one) => joined(value, one), 1);
    assert.ok(result instanceof Promise);
    assert.equal(await result, 'a 1');
  });

  it('the continuation of a result returns a promise when the continuation of a value does', async () => {
    const result = whenFulfilled('a', later);
    assert.ok(result instanceof Promise);
    assert.equal(await result, 'a');
  });

  it('the continuation of a result keeps the rejection of a promise and does not call the continuation', async () => {
    const unexpected = (): never => assert.fail('called');
    await assert.rejects(async () => whenFulfilled(failing(), unexpected), { message: 'failed' });
  });

  it('the continuation of a result throws what the continuation of a value throws, and rejects with what the one of a promise throws', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    assert.throws(() => whenFulfilled('a', broken), { message: 'broken' });
    const result = whenFulfilled(later('a'), broken);
    await assert.rejects(async () => result, { message: 'broken' });
  });
});

describe('continuation of a rejection', () => {
  it('the continuation of a rejection returns a value and the value of a promise unchanged', async () => {
    assert.equal(whenRejected('a', message), 'a');
    assert.equal(await whenRejected(later('a'), message), 'a');
  });

  it('the continuation receives the error of a rejection and the further arguments', async () => {
    const result = whenRejected<string, [number, boolean]>(
      failing(),
      (error, ...rest) => message(error, ...rest),
      1,
      true,
    );
    assert.equal(await result, 'failed 1 true');
  });

  it('the continuation of a rejection rejects with what the continuation throws', async () => {
    const rethrow = (error: unknown): never => {
      throw new Error('rethrown', { cause: error });
    };
    await assert.rejects(async () => whenRejected(failing(), rethrow), { message: 'rethrown' });
  });
});
