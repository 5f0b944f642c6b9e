import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenFulfilled, whenRejected, whenSettled } from './when.ts';

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

describe('continuation of an outcome', () => {
  it('the continuation of an outcome passes a value and the context on synchronously', () => {
    const unexpected = (): never => assert.fail('called');
    assert.equal(whenSettled('a', joined, unexpected, 1), 'a 1');
  });

  it('the continuation of an outcome passes the value of a promise on, or the error of a rejection', async () => {
    assert.equal(await whenSettled(later('a'), joined, message, 1), 'a 1');
    assert.equal(await whenSettled(failing(), joined, message, 1), 'failed 1');
  });

  it('the continuation of an error does not receive the error of the continuation of a value', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    assert.throws(() => whenSettled('a', broken, message, 1), { message: 'broken' });
    await assert.rejects(async () => whenSettled(later('a'), broken, message, 1), { message: 'broken' });
  });
});
