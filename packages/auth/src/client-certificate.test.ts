import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { clientCertificateAuthenticator } from './client-certificate.ts';
import { credentials } from './testing/token-fixture.ts';

const key = 'authentication.orch.io/credential-id';
const derOf = (commonName: string): Buffer =>
  new X509Certificate(testCertificate({ commonName, use: 'client' }).cert).raw;
const digestOf = (der: Buffer): string => `X509SHA256=${createHash('sha256').update(der).digest('hex')}`;

/** The user of a certificate on a connection. */
function usersOf(credentialIdKey: string | undefined) {
  const authenticator = clientCertificateAuthenticator({
    now: () => Date.now(),
    implicitGroup: 'everybody',
    credentialIdKey,
  });
  return async (clientCertificate: Buffer, connection = {}) => {
    const answer = await authenticator.authenticate(
      credentials(undefined, { clientCertificate, connection }),
    );
    assert.equal(answer.kind, 'user');
    return answer.kind === 'user' ? answer.user : undefined;
  };
}

describe('the credential id of a client certificate', () => {
  it('the credential id of a client certificate is the digest of its encoding', async () => {
    const userOf = usersOf(key);
    const [first, second] = [derOf('jane'), derOf('jane')];
    for (const der of [first, second])
      assert.deepEqual((await userOf(der))?.extra, { [key]: [digestOf(der)] });
    assert.notEqual(digestOf(first), digestOf(second));
  });

  it('the credential id of a client certificate is computed once for a connection', async () => {
    const userOf = usersOf(key);
    const connection = {};
    const der = derOf('jane');
    assert.equal(await userOf(der, connection), await userOf(der, connection));
  });

  it('the credential id of a client certificate is absent without a key', async () => {
    assert.deepEqual((await usersOf(undefined)(derOf('jane')))?.extra, {});
  });
});
