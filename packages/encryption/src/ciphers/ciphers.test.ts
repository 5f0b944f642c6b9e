import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import type { KeyedProviderType, NamedKey } from '../configuration/provider.ts';
import { DecryptionError, type ValueCipher } from '../value-cipher.ts';
import { ciphersOf } from './ciphers-of.ts';

const random = seededRandom(1);
const kubernetes = namesFor('kubernetes').storedPrefixes.encrypted;
const place = '/registry/secrets/default/one';
const text = '{"kind":"Secret"}';

/** Bytes 0, 1, 2, … */
const counting = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, at) => at));

function cipherOf(type: KeyedProviderType, key: NamedKey): ValueCipher {
  const [cipher] = ciphersOf({ type, keys: [key] }, kubernetes, random);
  assert.ok(cipher !== undefined);
  return cipher;
}

const keyed = (type: KeyedProviderType, bytes = 32): ValueCipher =>
  cipherOf(type, { name: 'key1', secret: counting(bytes) });

const sealedBy = (cipher: ValueCipher, value: string, key = place): Buffer => {
  const stored = cipher.encrypt(Buffer.from(value), key);
  assert.ok(Buffer.isBuffer(stored));
  return stored.subarray(cipher.prefix.length);
};

function opened(cipher: ValueCipher, sealed: Buffer, key = place): string {
  const read = cipher.decrypt(sealed, key);
  assert.ok(!(read instanceof Promise));
  return read.value.toString();
}

const isInvalid = (error: unknown): boolean => error instanceof DecryptionError && error.code === 'invalid';

/** Written by `k8s.io/apiserver` v0.35.10 with the key 0, 1, 2, … named `key1`, for the key `place`. */
const ofKubernetes: readonly (readonly [KeyedProviderType, number, string])[] = [
  [
    'aescbc',
    32,
    'azhzOmVuYzphZXNjYmM6djE6a2V5MTrjU6y8ubIaK/l5c8NEafs1/IYKjRceNkn5Nai7Dl+jY+6hI8ySyYu1b5Ha5U7rfbc=',
  ],
  [
    'aescbc',
    16,
    'azhzOmVuYzphZXNjYmM6djE6a2V5MTp0EWg+utYyynL3KFDLIDcTuqMYq3/sAXCA3+ZrLgZAdt/rDxbU6RNNyvPD9B1N1Po=',
  ],
  [
    'aesgcm',
    32,
    'azhzOmVuYzphZXNnY206djE6a2V5MTrdQQ434n2tA8Djln1IrxyqLQYi1RTLvsTasFGx7Tu8xHNjY4MRm4HAt5I+aHc=',
  ],
  [
    'aesgcm',
    16,
    'azhzOmVuYzphZXNnY206djE6a2V5MTr/LomOFDOwZRxm4rOBe+VCJ9d+KxMOxY+1lmJvuagI2KxSaWNuQmAsJdHH3XA=',
  ],
  [
    'secretbox',
    32,
    'azhzOmVuYzpzZWNyZXRib3g6djE6a2V5MTo2VJj0C2QfkhXYpSX1HDw9l8i+wUwsQSlwSjuUtTpj277nBHh4oT8aHasTfXP/cub8/xoeAXgEONE=',
  ],
];

/** Each provider with each length of its keys, and the bytes that it adds to a value of 17 bytes. */
const providers: readonly (readonly [KeyedProviderType, number, number])[] = [
  ['aescbc', 16, 16 + 15],
  ['aescbc', 24, 16 + 15],
  ['aescbc', 32, 16 + 15],
  ['aesgcm', 16, 12 + 16],
  ['aesgcm', 24, 12 + 16],
  ['aesgcm', 32, 12 + 16],
  ['secretbox', 32, 24 + 16],
];

describe('ciphers of stored values', () => {
  for (const [type, bytes, stored] of ofKubernetes) {
    it(`${type} with a key of ${bytes} bytes reads the values that Kubernetes has written`, () => {
      const cipher = keyed(type, bytes);
      const value = Buffer.from(stored, 'base64');
      assert.equal(value.toString('latin1', 0, cipher.prefix.length), cipher.prefix);
      assert.equal(opened(cipher, value.subarray(cipher.prefix.length)), text);
    });
  }

  for (const [type, bytes, added] of providers) {
    describe(`${type} with a key of ${bytes} bytes`, () => {
      const cipher = keyed(type, bytes);

      it(`${type} returns what it has encrypted, of any length`, () => {
        for (const value of ['', 'a', text, 'x'.repeat(16), 'y'.repeat(100_000)])
          assert.equal(opened(cipher, sealedBy(cipher, value)), value);
      });

      it(`${type} adds a known number of bytes, and encrypts the same value differently each time`, () => {
        const [one, two] = [sealedBy(cipher, text), sealedBy(cipher, text)];
        assert.equal(one.length, text.length + added);
        assert.notDeepEqual(one, two);
        assert.equal(one.includes('Secret'), false);
      });

      it(`${type} does not read values of another key of the same name`, () => {
        const other = cipherOf(type, { name: 'key1', secret: counting(bytes).reverse() });
        for (let round = 0; round < 20; round++) {
          let read: string | undefined;
          try {
            read = opened(other, sealedBy(cipher, text));
          } catch (error) {
            assert.ok(isInvalid(error), String(error));
          }
          // Without authentication, one of 256 wrong keys gives a valid padding.
          if (read !== undefined) assert.equal(type, 'aescbc');
          assert.notEqual(read, text);
        }
      });

      it(`${type} refuses every truncated value`, () => {
        const sealed = sealedBy(cipher, text);
        for (let length = 0; length < sealed.length; length++) {
          const start = (): string => opened(cipher, sealed.subarray(0, length));
          // The end of a value is not a part of the block before it, whose padding is valid at random only.
          if (type === 'aescbc' && length === 32) assert.notEqual(attempt(start), text);
          else assert.throws(start, isInvalid, `${length} bytes`);
        }
      });
    });
  }

  for (const type of ['aesgcm', 'secretbox'] as const) {
    it(`${type} refuses a value of which any bit was changed`, () => {
      const cipher = keyed(type);
      const sealed = sealedBy(cipher, text);
      for (let bit = 0; bit < sealed.length * 8; bit++) {
        const changed = Buffer.from(sealed);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.throws(() => opened(cipher, changed), isInvalid, `bit ${bit}`);
      }
    });
  }

  it('aesgcm refuses a value that was moved to another key of the store', () => {
    const cipher = keyed('aesgcm');
    const sealed = sealedBy(cipher, text, '/registry/secrets/other/one');
    assert.throws(() => opened(cipher, sealed), isInvalid);
  });

  for (const type of ['aescbc', 'secretbox'] as const) {
    it(`${type} does not bind a value to its key in the store, as Kubernetes does not`, () => {
      const cipher = keyed(type);
      assert.equal(opened(cipher, sealedBy(cipher, text, '/registry/secrets/other/one')), text);
    });
  }

  it('failures are the same for every reason', () => {
    const messages = new Set<string>();
    for (const [type, bytes] of providers) {
      for (const sealed of [Buffer.alloc(0), Buffer.alloc(64), Buffer.alloc(64, 1)]) {
        try {
          opened(keyed(type, bytes), sealed);
        } catch (error) {
          messages.add(String(error));
        }
      }
    }
    assert.equal(messages.size, 1, [...messages].join('\n'));
  });

  it('the prefix of stored values has the marker of the naming, the provider, its version and the name of the key', () => {
    const prefixes = namings.map((naming) => {
      const { encrypted } = namesFor(naming).storedPrefixes;
      return ciphersOf({ type: 'aesgcm', keys: [{ name: 'k', secret: counting(16) }] }, encrypted, random)[0]
        ?.prefix;
    });
    assert.deepEqual(prefixes, ['orch:enc:aesgcm:v1:k:', 'k8s:enc:aesgcm:v1:k:']);
  });
});

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
