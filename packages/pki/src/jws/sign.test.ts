import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { signDetached, signToken } from './sign.ts';
import { signingKey } from './signing-key.ts';
import { isSignedWith } from './verify.ts';

const read = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
const changed = (token: string): string =>
  token.replace(/.(?=.{8}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));

const keys = [
  ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['ES512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
] as const;

describe('signed tokens', () => {
  for (const [algorithm, make] of keys) {
    it(`a token signed with ${algorithm} has its key and claims and is verified by another implementation`, async () => {
      const key = signingKey(make().privateKey);
      const [head, body, signature = '', ...rest] = (await signToken({ sub: 'ü' }, key)).split('.');
      assert.deepEqual([read(head), read(body), rest], [{ alg: algorithm, kid: key.id }, { sub: 'ü' }, []]);
      const bytes = Buffer.from(signature, 'base64url');
      const hash = `sha${algorithm.slice(2)}`;
      const options = { key: key.publicKey, dsaEncoding: 'ieee-p1363' } as const;
      assert.ok(verify(hash, Buffer.from(`${head}.${body}`), options, bytes));
    });

    it(`a token signed with ${algorithm} is accepted with its key and refused with another one or changed`, async () => {
      const key = signingKey(make().privateKey);
      const token = await signToken({ sub: 'a' }, key);
      assert.equal(await isSignedWith(token, key), true);
      assert.equal(await isSignedWith(token, signingKey(make().privateKey)), false);
      assert.equal(await isSignedWith(changed(token), key), false);
      assert.equal(await isSignedWith(token, { ...key, algorithms: [] }), false);
    });
  }
});

describe('detached signatures', () => {
  it('a detached signature omits the payload and covers it', async () => {
    for (const text of ['', 'a', 'Größe\n', 'x'.repeat(100_000)]) {
      const [head, middle, signature] = (await signDetached(text, { id: 'k', secret: 's' })).split('.');
      assert.deepEqual([read(head), middle], [{ alg: 'HS256', kid: 'k' }, '']);
      const payload = Buffer.from(text).toString('base64url');
      const expected = createHmac('sha256', 's').update(`${head}.${payload}`).digest('base64url');
      assert.equal(signature, expected);
    }
  });
});
