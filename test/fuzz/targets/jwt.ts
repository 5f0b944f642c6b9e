import assert from 'node:assert/strict';
import { readCompactToken } from '@orch/auth/testing';
import { jsonEquals, parseJson } from '@orch/machinery/json';
import type { FuzzTarget } from '../target.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token that is read has one spelling: its parts in base64url are the token. */
export const target: FuzzTarget = {
  seeds: [
    `${part({ alg: 'ES256', kid: 'k' })}.${part({ iss: 'i', sub: 's', aud: ['a'], exp: 4_000_000_000 })}.AAAA`,
    `${part({ alg: 'none' })}.${part({})}.`,
    `${part({ a: { b: [[[[]]]] } })}.${part({ 'a\u0000': 1 })}.${part('x')}`,
  ],
  words: ['eyJ', '.', '=', 'e30'],
  check(data) {
    const text = data.toString('latin1');
    const token = readCompactToken(text);
    if (token === undefined) return;
    const parts = text.split('.');
    assert.equal(parts.map((one) => Buffer.from(one, 'base64url').toString('base64url')).join('.'), text);
    for (const [i, value] of [token.header, token.claims].entries())
      assert.ok(jsonEquals(parseJson(Buffer.from(parts[i] ?? '', 'base64url')), value));
  },
};
