import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { apiServerProgram } from '@orch/apiserver';
import { poll } from '@orch/machinery/testing';
import { capturedRun } from '@orch/program/testing';
import { createTestAuthority } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess, temporaryFolder } from '@orch/testkit';

const folder = temporaryFolder();
const authority = createTestAuthority();

const file = (name: string, text: string): string => {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
};

const pairOf = (name: string): string => {
  const { cert, key } = authority.issue(name);
  return `${file(`${name}.crt`, cert)},${file(`${name}.key`, key)}`;
};

describe('flags about TLS and browsers', { timeout: 120_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({
      args: [
        '--tls-min-version=VersionTLS12',
        '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
        `--tls-sni-cert-key=${pairOf('one')}:one.example.com,*.wild.example.com`,
        '--cors-allowed-origins=^https://console\\.example\\.com$,^http://localhost(:\\d+)?$',
        '--strict-transport-security-directives=max-age=31536000,includeSubDomains',
        '--external-hostname=api.example.com',
        '--watch-cache-sizes=pods#100',
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const handshake = (options: object): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ...options });
      socket.once('secureConnect', () => resolve(socket)).once('error', reject);
    });

  it('TLS 1.2 is served with the suites of the flag only', async () => {
    const only = { maxVersion: 'TLSv1.2' } as const;
    const socket = await handshake({ ...only, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' });
    assert.equal(socket.getCipher().name, 'ECDHE-ECDSA-AES256-GCM-SHA384');
    socket.destroy();
    await assert.rejects(handshake({ ...only, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }));
  });

  it('the lowest version of TLS is that of the flag', async () => {
    await using strict = await launchServer({ args: ['--tls-min-version=VersionTLS13'] });
    await assert.rejects(handshake({ port: strict.port, maxVersion: 'TLSv1.2' }));
    const socket = await handshake({ port: strict.port });
    assert.equal(socket.getProtocol(), 'TLSv1.3');
    socket.destroy();
  });

  for (const [servername, common] of [
    ['one.example.com', 'one'],
    ['ONE.example.com', 'one'],
    ['any.wild.example.com', 'one'],
    ['a.b.wild.example.com', 'orch-apiserver'],
    ['other.example.com', 'orch-apiserver'],
  ] as const)
    it(`a client that asks for ${servername} gets the certificate of ${common}`, async () => {
      const socket = await handshake({ servername });
      assert.equal(socket.getPeerCertificate().subject.CN, common);
      socket.destroy();
    });

  it('a pod of the cluster authenticates over a certificate with a name, as over the default one', async () => {
    const { cert, key } = server.config;
    const status = await new Promise((resolve, reject) => {
      const options = { cert, key, servername: 'one.example.com', rejectUnauthorized: false };
      request(`${server.url}/api/v1/namespaces`, options, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    assert.equal(status, 200);
  });

  const ask = (method: 'GET' | 'OPTIONS', origin: string) =>
    server.client.send(method, '/api/v1/namespaces', { headers: { origin } });

  it('a browser question of an allowed origin is answered, and replies name that origin', async () => {
    for (const origin of ['https://console.example.com', 'http://localhost:3000']) {
      const question = await ask('OPTIONS', origin);
      assert.deepEqual([question.status, question.text], [204, '']);
      assert.match(String(question.headers['access-control-allow-methods']), /PATCH/);
      const { status, headers } = await ask('GET', origin);
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.equal(headers['access-control-allow-credentials'], 'true');
      assert.match(String(headers['vary']), /Origin/);
    }
  });

  it('another origin, however long, gets no header for browsers', async () => {
    for (const origin of ['https://console.example.com.evil.org', 'null', `https://${'a'.repeat(8000)}`]) {
      const { status, headers } = await ask('GET', origin);
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.notEqual((await ask('OPTIONS', origin)).status, 204);
    }
  });

  it('replies tell browsers to use TLS only', async () => {
    for (const path of ['/api/v1/namespaces', '/livez', '/nowhere'])
      assert.equal(
        (await server.client.get(path)).headers['strict-transport-security'],
        'max-age=31536000; includeSubDomains',
      );
  });

  it('discovery and the generated certificate have the external host name', async () => {
    const { json } = await server.client.get('/api');
    const { serverAddressByClientCIDRs: addresses } = json as {
      serverAddressByClientCIDRs: readonly object[];
    };
    assert.deepEqual(addresses, [{ clientCIDR: '0.0.0.0/0', serverAddress: 'api.example.com:0' }]);
    const socket = await handshake({});
    assert.match(socket.getPeerCertificate().subjectaltname ?? '', /DNS:api\.example\.com/);
    socket.destroy();
  });

  it('a flag without effect is named in the log', () => {
    assert.match(server.output(), /--watch-cache-sizes has no effect/);
  });

  it('certificates of names are reloaded one by one when their files change, and invalid ones are named', async () => {
    const pairs = ['first', 'second'].map(pairOf);
    await using reloading = await launchServer({
      args: pairs.map((pair, at) => `--tls-sni-cert-key=${pair}:host-${at}`),
    });
    const nameFor = async (servername: string): Promise<string> => {
      const socket = await handshake({ port: reloading.port, servername });
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      return String(CN);
    };
    assert.deepEqual([await nameFor('host-0'), await nameFor('host-1')], ['first', 'second']);
    const [first, second] = ['renewed-first', 'renewed-second'].map((name) => authority.issue(name));
    assert.ok(first !== undefined && second !== undefined);
    // Without its new key the first certificate has no effect; it does not keep the second one from being replaced.
    file('first.crt', first.cert);
    file('second.crt', second.cert);
    file('second.key', second.key);
    await poll(
      'the second certificate is reloaded',
      30_000,
      async () => (await nameFor('host-1')) === 'renewed-second',
    );
    assert.equal(await nameFor('host-0'), 'first');
    file('first.key', first.key);
    await poll(
      'the first certificate is reloaded',
      30_000,
      async () => (await nameFor('host-0')) === 'renewed-first',
    );
    const { text } = await reloading.client.get('/readyz?verbose');
    assert.match(text, /certificate\/tls-sni-cert-key ok/);
  });

  it('two servers with --permit-port-sharing listen on one port', async () => {
    await using first = await launchServer({ args: ['--permit-port-sharing'] });
    await using second = await launchServerProcess({ port: first.port, args: ['--permit-port-sharing'] });
    assert.equal(second.port, first.port);
  });

  for (const [flag, problem] of [
    ['--tls-min-version=VersionTLS10', /must be one of VersionTLS12, VersionTLS13/],
    ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA', /is not a supported cipher suite/],
    ['--tls-sni-cert-key=only-one', /must be CERT,KEY or CERT,KEY:NAME,NAME/],
    ['--proxy-protocol-from=10.1.0.0/33', /must be addresses or ranges such as/],
    ['--cors-allowed-origins=(', /--cors-allowed-origins: /],
    ['--strict-transport-security-directives=preload', /must contain max-age=SECONDS/],
    ['--external-hostname=https://a', /must be a host name/],
    ['--delete-collection-workers=0', /must be between 1 and 1000/],
  ] as const)
    it(`the bad value in ${flag} is one line, and exit status 2`, async () => {
      const program = apiServerProgram(() => assert.fail('the server started'));
      const { code, err } = await capturedRun(program, [flag]);
      assert.equal(code, 2, err);
      assert.match(err, problem);
      assert.doesNotMatch(err, /\n.+\n/);
    });
});
