import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './nearest.ts';

describe('the name nearest to a mistyped one', () => {
  const names = ['naming', 'listen', 'client-ca-file', 'tls-cert-file', 'v'];
  for (const [typed, expected, mistake] of [
    ['nmaing', 'naming', 'neighbours exchanged'],
    ['namin', 'naming', 'a character missing'],
    ['namming', 'naming', 'a character too many'],
    ['lusten', 'listen', 'a wrong character'],
    ['client-ca-fiel', 'client-ca-file', 'neighbours exchanged at the end'],
    ['tls-certs-fil', 'tls-cert-file', 'two mistakes'],
    ['nonsense', undefined, 'another word'],
    ['x', undefined, 'a single letter'],
    ['', undefined, 'nothing'],
  ] as const)
    it(`the name nearest to a mistyped one of ${JSON.stringify(typed)} (${mistake}) is ${expected ?? 'none'}`, () => {
      assert.equal(nearest(typed, names), expected);
    });

  it('the name nearest to a mistyped one is bounded in time for a typed name of 100,000 characters', () => {
    assert.equal(nearest('n'.repeat(100_000), names), undefined);
  });
});
