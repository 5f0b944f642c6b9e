import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { privateKeyPem } from './private-key-pem.ts';

const keys: readonly (readonly [title: string, label: string, key: KeyObject])[] = [
  ['An EC key', 'EC PRIVATE KEY', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['An RSA key', 'RSA PRIVATE KEY', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['An Ed25519 key', 'PRIVATE KEY', generateKeyPairSync('ed25519').privateKey],
];

const publicPem = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

describe('PEM text of private keys', () => {
  for (const [title, label, key] of keys)
    it(`${title} is written as "${label}", from a key and from PKCS#8 text`, () => {
      for (const given of [key, key.export({ type: 'pkcs8', format: 'pem' }).toString()]) {
        const pem = privateKeyPem(given);
        assert.ok(pem.startsWith(`-----BEGIN ${label}-----\n`), pem.slice(0, 30));
        assert.equal(publicPem(createPrivateKey(pem)), publicPem(key));
      }
    });
});
