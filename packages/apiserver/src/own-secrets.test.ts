import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { signingKey } from '@orch/pki/jws';
import { testCertificate } from '@orch/pki/x509/testing';
import { ownSecrets } from './own-secrets.ts';

const newKey = () => signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

describe('secrets of the server for controllers of the same process', () => {
  it('the key of service account tokens is the present one after its file has changed', () => {
    const authority = testCertificate({ commonName: 'clients', use: 'authority' });
    const certificates = {
      serving: authority,
      servingCa: authority.cert,
      isServingCaOwn: true,
      clientAuthority: authority,
      admin: authority,
      proxyClient: undefined,
    };
    const keys = { signing: newKey(), checking: [], isSelfMade: false };
    const own = ownSecrets(certificates, keys);
    const first = own.tokenKey;
    keys.signing = newKey();
    assert.match(own.tokenKey ?? '', /^-----BEGIN EC PRIVATE KEY-----/);
    assert.notEqual(own.tokenKey, first);
  });
});
