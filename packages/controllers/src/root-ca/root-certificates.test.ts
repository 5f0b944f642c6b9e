import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorities } from '@orch/pki/x509/testing';
import { joined } from './root-certificates.ts';

const [one, two] = authorities;

describe('the authorities to publish', () => {
  for (const [title, given, published, expected] of [
    ['are those of the flag where servers have published none', one, '', one],
    ['are those of the flag where servers have published the same', one, one, one],
    ['are those of the flag and of servers', one, one + two, one + two],
    ['are each published once', one + two, two + one, one + two],
    ['are those of the flag where something else was published', one, 'rubbish', one],
    ['are those of the flag where half of a certificate was published', one, two.slice(0, 100), one],
    ['are those of the flag alone where it names another authority than servers have', one, two, one],
    [
      'are separated where the text of the flag does not end with a line',
      one.trimEnd(),
      one + two,
      one + two,
    ],
  ] as const)
    it(title, () => assert.equal(joined(given, published), expected));
});
