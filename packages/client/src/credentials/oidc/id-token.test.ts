import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { idTokenExpiry } from './id-token.ts';

const part = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');
const token = (claims: string | Uint8Array): string => `${part('{"alg":"RS256"}')}.${part(claims)}.sig-_`;

describe('the expiry of an id token', () => {
  for (const [title, text, expiry] of [
    ['is its claim exp', token('{"exp":1700000000,"sub":"ü"}'), 1_700_000_000_000],
    ['may be a fraction of a second', token('{"exp":1.5}'), 1500],
    ['is read without a signature', `${part('{}')}.${part('{"exp":1}')}.`, 1000],
    ['is unknown without the claim', token('{}'), undefined],
    ['is not inherited', token('{"__proto__":{"exp":1}}'), undefined],
    ['is no text', token('{"exp":"1700000000"}'), undefined],
    ['is no number beyond all bounds', token('{"exp":1e999}'), undefined],
    ['is unknown when the claims are a list', token('[1]'), undefined],
    ['is unknown when the claims are no JSON', token('exp: 1'), undefined],
    ['is unknown when the claims are no UTF-8', token(Uint8Array.of(0xff)), undefined],
    ['is unknown for what has two parts', `${part('{}')}.${part('{"exp":1}')}`, undefined],
    ['is unknown for what has four parts', `${token('{"exp":1}')}.x`, undefined],
    ['is unknown for what cannot stand in a header', `${token('{"exp":1}')}\n`, undefined],
    ['is unknown for nothing', '', undefined],
  ] as const)
    it(title, () => assert.equal(idTokenExpiry(text), expiry));
});
