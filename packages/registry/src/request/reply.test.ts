import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FailedWithHeaders } from '@orch/request';
import { boundedWarnings, withWarnings } from './reply.ts';

const header = (text: string): string => Buffer.from(`299 - ${JSON.stringify(text)}`).toString('latin1');

describe('warnings in the headers of a reply', () => {
  it('warnings in the headers of a reply are complete while all of them have at most 4096 characters', () => {
    const texts = ['a', 'b'.repeat(2095), 'c'.repeat(2000)];
    assert.deepEqual(boundedWarnings(texts), texts.map(header));
  });

  it('warnings in the headers of a reply have at most 256 characters each when they are longer together', () => {
    const texts = ['short', 'b'.repeat(3000), '\u{1f600}'.repeat(3000)];
    assert.deepEqual(boundedWarnings(texts), ['short', 'b'.repeat(256), '\u{1f600}'.repeat(256)].map(header));
  });

  it('a character of two code units counts once for the limits of warnings', () => {
    const texts = ['\u{1f600}'.repeat(4096)];
    assert.deepEqual(boundedWarnings(texts), texts.map(header));
  });

  it('warnings in the headers of a reply are left out after 4096 characters', () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(500)}`);
    assert.deepEqual(
      boundedWarnings(texts),
      texts.slice(0, 16).map((text) => header(text.slice(0, 256))),
    );
  });

  it('the bytes of a warning in a header are UTF-8', () => {
    const [found = ''] = boundedWarnings(['unknown field "daté", "日本"']);
    assert.equal(
      Buffer.from(found, 'latin1').toString(),
      String.raw`299 - "unknown field \"daté\", \"日本\""`,
    );
  });

  it('warnings contain no control characters', () => {
    assert.deepEqual(boundedWarnings(['a\r\nSet-Cookie: b\u0000c']), [header('a Set-Cookie: b c')]);
  });
});

describe('warnings around a request', () => {
  const fail = (): never => {
    throw new Error('refused');
  };
  const within = (): never => withWarnings(fail, () => ['inner']) as never;

  it('a request that fails has the warnings of every level, the outer ones first', () => {
    assert.throws(
      () => withWarnings(within, () => ['outer']),
      (error: unknown) => {
        assert.ok(error instanceof FailedWithHeaders);
        assert.deepEqual(error.headers['Warning'], ['outer', 'inner']);
        return (error.cause as Error).message === 'refused';
      },
    );
  });

  it('a request that fails later has the warnings of every level', async () => {
    const later = (): Promise<never> => Promise.reject(new Error('refused'));
    await assert.rejects(
      async () =>
        await withWarnings(
          () => withWarnings(later, () => ['inner']),
          () => ['outer'],
        ),
      (error: unknown) =>
        error instanceof FailedWithHeaders &&
        assert.deepEqual(error.headers['Warning'], ['outer', 'inner']) === undefined,
    );
  });
});
