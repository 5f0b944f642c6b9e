import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedWarnings } from './reply.ts';

const header = (text: string): string => `299 - ${JSON.stringify(text)}`;

describe('warnings in the headers of a reply', () => {
  it('warnings in the headers of a reply are complete while all of them have at most 4096 characters', () => {
    const texts = ['a', 'b'.repeat(2000), 'c'.repeat(2000)];
    assert.deepEqual(boundedWarnings(texts), texts.map(header));
  });

  it('warnings in the headers of a reply have at most 256 characters each when they are longer together', () => {
    const texts = ['short', 'b'.repeat(3000), 'c'.repeat(3000)];
    assert.deepEqual(
      boundedWarnings(texts),
      ['short', `${'b'.repeat(256)}...`, `${'c'.repeat(256)}...`].map(header),
    );
  });

  it('warnings in the headers of a reply are left out beyond 4096 characters', () => {
    const found = boundedWarnings(Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(500)}`));
    assert.ok(found.length > 10 && found.join('').length <= 4096, String(found.length));
  });

  it('warnings contain no control characters', () => {
    assert.deepEqual(boundedWarnings(['a\r\nSet-Cookie: b\u0000c']), [header('a Set-Cookie: b c')]);
  });
});
