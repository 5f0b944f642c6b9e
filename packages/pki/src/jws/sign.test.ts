import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { verifyBytes } from './algorithms.ts';
import { signDetached, signToken } from './sign.ts';
import { signingKey } from './signing-key.ts';

const read = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('a signed token', () => {
  for (const [algorithm, make] of [
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ] as const) {
    it(`by ${algorithm} says its key and its claims`, () => {
      const key = signingKey(make().privateKey);
      const [head, body, signature = '', ...rest] = signToken({ sub: 'ü' }, key).split('.');
      assert.deepEqual([read(head), read(body), rest], [{ alg: algorithm, kid: key.id }, { sub: 'ü' }, []]);
      const bytes = Buffer.from(signature, 'base64url');
      assert.ok(verifyBytes(algorithm, key.publicKey, Buffer.from(`${head}.${body}`), bytes));
    });
  }
});

describe('a detached signature', () => {
  it('has no payload between its dots, and is over it all the same', () => {
    for (const text of ['', 'a', 'Größe\n', 'x'.repeat(100_000)]) {
      const [head, middle, signature] = signDetached(text, { id: 'k', secret: 's' }).split('.');
      assert.deepEqual([read(head), middle], [{ alg: 'HS256', kid: 'k' }, '']);
      const payload = Buffer.from(text).toString('base64url');
      const expected = createHmac('sha256', 's').update(`${head}.${payload}`).digest('base64url');
      assert.equal(signature, expected);
    }
  });
});
