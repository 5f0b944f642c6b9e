import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { testCertificate } from '@orch/pki/x509/testing';
import { builtPrograms } from './programs.ts';
import { ask, authority, base64, type Settings, serveTls, trusting } from './tls-server.ts';

const HOUR_MS = 3_600_000;
const other = testCertificate({ commonName: 'other', use: 'authority' });
const good = testCertificate({ commonName: 'api', use: 'server' }, authority);
const named = testCertificate({ commonName: 'api', use: 'server', hosts: ['api.test'] }, authority);
const expired = { notBefore: Date.now() - 2 * HOUR_MS, notAfter: Date.now() - HOUR_MS };
const early = { notBefore: Date.now() + HOUR_MS, notAfter: Date.now() + 2 * HOUR_MS };
const ofLeaf = testCertificate({ commonName: 'api', use: 'server' }, good);
const user = testCertificate({ commonName: 'ann', use: 'client' }, authority);

/**
 * The trust of the client, the certificate of the server, and the reason of the refusal; undefined when it is trusted.
 */
const servers: readonly (readonly [string, TlsOptions, Settings, RegExp | undefined])[] = [
  ['of the authority in the configuration', good, trusting, undefined],
  [
    'of another authority',
    testCertificate({ commonName: 'api', use: 'server' }, other),
    trusting,
    /certificate/,
  ],
  ['signed by itself', testCertificate({ commonName: 'api', use: 'server' }), trusting, /certificate/],
  ['checked against the authorities of the system', good, {}, /certificate/],
  ['for another host', named, trusting, /does not match|altnames/],
  ['for the configured name', named, { ...trusting, 'tls-server-name': 'api.test' }, undefined],
  ['for another than the configured name', named, { ...trusting, 'tls-server-name': 'b.test' }, /b\.test/],
  [
    'without a name of the host',
    testCertificate({ commonName: '127.0.0.1', use: 'server', hosts: [] }, authority),
    trusting,
    /127\.0\.0\.1/,
  ],
  [
    'that has expired',
    testCertificate({ commonName: 'api', use: 'server', ...expired }, authority),
    trusting,
    /certificate has expired/,
  ],
  [
    'that is not valid yet',
    testCertificate({ commonName: 'api', use: 'server', ...early }, authority),
    trusting,
    /not yet valid/,
  ],
  ['of a client', testCertificate({ commonName: 'api', use: 'client' }, authority), trusting, /purpose/],
  [
    'that a certificate of a server has signed',
    { cert: ofLeaf.cert + good.cert, key: ofLeaf.key },
    trusting,
    /certificate/,
  ],
  ['over an old version of TLS', { ...good, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, trusting, /./],
  ['that is not checked on request', named, { 'insecure-skip-tls-verify': true }, undefined],
];

for (const program of builtPrograms)
  describe(`certificates and ${program.name}`, { skip: program.skip }, () => {
    for (const [title, pair, settings, problem] of servers)
      it(`${program.name} ${problem === undefined ? 'accepts' : 'refuses'} a server certificate ${title}`, async () => {
        await using server = await serveTls(pair);
        const result = await ask(program, { cluster: { server: server.url, ...settings } });
        if (problem === undefined)
          assert.deepEqual(result, { code: 0, stdout: 'answer for none\n', stderr: '' });
        else {
          assert.deepEqual([result.code, result.stdout], [1, ''], result.stderr);
          assert.match(result.stderr, problem);
        }
      });

    it(`${program.name} sends the client certificate of the configuration`, async () => {
      await using server = await serveTls({ ...good, ca: authority.cert, requestCert: true });
      const credentials = {
        'client-certificate-data': base64(user.cert),
        'client-key-data': base64(user.key),
      };
      const { stdout, stderr } = await ask(program, {
        cluster: { server: server.url, ...trusting },
        user: credentials,
      });
      assert.equal(stdout, 'answer for ann\n', stderr);
    });

    it(`no variable of the environment turns checks of ${program.name} off`, async () => {
      await using server = await serveTls(testCertificate({ commonName: 'api', use: 'server' }, other));
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', BUN_CONFIG_NO_VERIFY: '1', NODE_DEBUG: 'tls' };
      const result = await ask(program, { cluster: { server: server.url, ...trusting }, env });
      assert.deepEqual([result.code, result.stdout], [1, '']);
      assert.match(result.stderr, /certificate/);
    });
  });
