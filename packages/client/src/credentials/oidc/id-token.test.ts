import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { idTokenExpiry } from './id-token.ts';

const part = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');
const token = (claims: string | Uint8Array): string => `${part('{"alg":"RS256"}')}.${part(claims)}.sig-_`;

describe('expiration of id tokens', () => {
  for (const [title, text, expiry] of [
    ['is the claim exp', token('{"exp":1700000000,"sub":"ü"}'), 1_700_000_000_000],
    ['can have a fraction of a second', token('{"exp":1.5}'), 1500],
    ['does not require a valid signature', `${part('{}')}.${part('{"exp":1}')}.`, 1000],
    ['is unknown without the claim', token('{}'), undefined],
    ['is not read from the prototype', token('{"__proto__":{"exp":1}}'), undefined],
    ['is unknown for a string as the claim', token('{"exp":"1700000000"}'), undefined],
    ['is unknown for an infinite number', token('{"exp":1e999}'), undefined],
    ['is unknown when the claims are a list', token('[1]'), undefined],
    ['is unknown when the claims are not JSON', token('exp: 1'), undefined],
    ['is unknown when the claims are not UTF-8', token(Uint8Array.of(0xff)), undefined],
    ['is unknown for a token of two parts', `${part('{}')}.${part('{"exp":1}')}`, undefined],
    ['is unknown for a token of four parts', `${token('{"exp":1}')}.x`, undefined],
    ['is unknown for a token with a line break', `${token('{"exp":1}')}\n`, undefined],
    ['is unknown for an empty token', '', undefined],
  ] as const)
    it(`the expiration of an id token ${title}`, () => assert.equal(idTokenExpiry(text), expiry));
});
