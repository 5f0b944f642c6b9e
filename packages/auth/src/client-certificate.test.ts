import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { certificateOfSubject, testCertificate } from '@orch/pki/x509/testing';
import { clientCertificateAuthenticator } from './client-certificate.ts';
import { credentials } from './testing/token-fixture.ts';
import { TrustPool } from './x509/trust-pool.ts';

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

describe('a client certificate that several connections present', () => {
  const authority = testCertificate({ commonName: 'ca', use: 'authority' });
  const other = testCertificate({ commonName: 'other ca', use: 'authority' });
  const der = new X509Certificate(certificateOfSubject([['2.5.4.3', 'jane']], authority).cert).raw;
  /** Presents the certificate over a connection, to a server whose authorities for clients can be replaced. */
  function presented() {
    const pool = new TrustPool();
    pool.replace([authority.cert], { isOnly: false });
    const observed: number[] = [];
    const authenticator = clientCertificateAuthenticator({
      now: () => Date.now(),
      implicitGroup: 'everybody',
      pool,
      observeRemaining: (seconds) => observed.push(seconds),
    });
    const answerTo = async (connection: object, clientCertificate = der) => {
      const answer = await authenticator.authenticate(
        credentials(undefined, { clientCertificate, connection }),
      );
      return answer.kind === 'user' ? answer.user : answer.kind;
    };
    return { pool, observed, answerTo };
  }

  it('a client certificate is read once for all connections that present it', async () => {
    const { answerTo, observed } = presented();
    const first = await answerTo({});
    assert.equal(await answerTo({}, Buffer.from(der)), first);
    assert.equal(observed.length, 2, 'its remaining time is observed for each connection');
  });

  it('a client certificate is read again once the authorities for clients have changed', async () => {
    const { pool, answerTo } = presented();
    const old = {};
    await answerTo(old);
    pool.replace([other.cert], { isOnly: false });
    assert.equal(await answerTo({}), 'rejected');
    assert.equal(await answerTo(old), 'rejected');
    pool.replace([other.cert, authority.cert], { isOnly: false });
    assert.notEqual(await answerTo({}), 'rejected');
  });

  it('an older connection gains nothing from a newer one with the same client certificate', async () => {
    const { pool, answerTo } = presented();
    const old = {};
    await answerTo(old);
    // TLS verified the certificate of the new connection by an intermediate authority that only it knows.
    pool.replace([other.cert], { isOnly: true });
    assert.notEqual(await answerTo({}), 'rejected');
    assert.equal(await answerTo(old), 'rejected');
  });
});

describe('the uid in a client certificate', () => {
  const authority = testCertificate({ commonName: 'ca', use: 'authority' });
  const commonName = ['2.5.4.3', 'jane'] as const;
  const uid = (value: string) => ['1.3.6.1.4.1.57683.2', value] as const;
  const outcomeOf = async (attributes: readonly (readonly [string, string])[], readsUids?: boolean) => {
    const authenticator = clientCertificateAuthenticator({
      now: () => Date.now(),
      implicitGroup: 'everybody',
      readsUids,
    });
    const clientCertificate = new X509Certificate(certificateOfSubject(attributes, authority).cert).raw;
    const answer = await authenticator.authenticate(credentials(undefined, { clientCertificate }));
    return answer.kind === 'user' ? answer.user.uid : answer;
  };

  it('the uid of a user is that in the subject of the client certificate', async () => {
    assert.equal(await outcomeOf([commonName, uid('u-7')], true), 'u-7');
    assert.equal(await outcomeOf([uid('ü=7,CN=root'), commonName], true), 'ü=7,CN=root');
  });

  it('a user whose certificate has no uid has none', async () => {
    assert.equal(await outcomeOf([commonName], true), '');
  });

  it('a uid in a client certificate is ignored by servers that do not read it', async () => {
    assert.equal(await outcomeOf([commonName, uid('u-7')]), '');
    assert.equal(await outcomeOf([commonName, uid(''), uid('')], false), '');
  });

  for (const [what, uids, reason] of [
    ['an empty uid', [''], 'the uid in the client certificate is empty'],
    ['two uids', ['a', 'b'], 'the client certificate has several uids'],
    ['the same uid twice', ['a', 'a'], 'the client certificate has several uids'],
  ] as const)
    it(`a client certificate with ${what} is refused`, async () => {
      assert.deepEqual(await outcomeOf([commonName, ...uids.map(uid)], true), { kind: 'rejected', reason });
    });
});
