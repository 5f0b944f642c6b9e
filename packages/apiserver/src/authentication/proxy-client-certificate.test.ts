import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { StartError } from '@orch/program';
import { Reloads } from '../reload/reloads.ts';
import { ProxyClientCertificate } from './proxy-client-certificate.ts';

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'orch-proxy-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const pairOf = (commonName: string) => testCertificate({ commonName, use: 'client' });

describe('the client certificate for extension API servers', () => {
  it('the client certificate for extension API servers is absent without the flags, and an error of the start when they are incomplete or do not fit', () => {
    using folder = temporaryFolder();
    const [cert, key] = [join(folder.path, 'a.crt'), join(folder.path, 'a.key')];
    const open = (proxyClientCertFile: string, proxyClientKeyFile: string) =>
      new ProxyClientCertificate(
        { proxyClientCertFile, proxyClientKeyFile },
        { ...testEnv(), reloads: new Reloads() },
      );
    assert.equal(open('', '').current, undefined);
    const isStartError = (pattern: RegExp) => (error: unknown) =>
      error instanceof StartError && pattern.test(error.message);
    for (const [certFile, keyFile] of [
      [cert, ''],
      ['', key],
    ] as const)
      assert.throws(
        () => open(certFile, keyFile),
        isStartError(/^--proxy-client-cert-file and --proxy-client-key-file must be given together$/),
      );
    assert.throws(() => open(cert, key), isStartError(/^--proxy-client-cert-file: .*a\.crt/));
    writeFileSync(cert, pairOf('one').cert);
    writeFileSync(key, pairOf('other').key);
    assert.throws(
      () => open(cert, key),
      isStartError(/^--proxy-client-key-file is not the key of --proxy-client-cert-file /),
    );
  });

  it('the client certificate for extension API servers is reloaded when its files change, and kept while they do not fit', async () => {
    using folder = temporaryFolder();
    const files = {
      proxyClientCertFile: join(folder.path, 'a.crt'),
      proxyClientKeyFile: join(folder.path, 'a.key'),
    };
    const first = pairOf('first');
    writeFileSync(files.proxyClientCertFile, first.cert);
    writeFileSync(files.proxyClientKeyFile, first.key);
    const env = testEnv();
    const reloads = new Reloads();
    const certificate = new ProxyClientCertificate(files, { ...env, reloads });
    const { current } = certificate;
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    await env.clock.advanceAsync(1_000);
    assert.equal(certificate.current, current);
    const second = pairOf('second');
    writeFileSync(files.proxyClientCertFile, second.cert);
    await env.clock.advanceAsync(1_000);
    assert.equal(certificate.current, current);
    writeFileSync(files.proxyClientKeyFile, second.key);
    await env.clock.advanceAsync(1_000);
    assert.deepEqual(certificate.current, { cert: second.cert, key: second.key });
    stop.abort();
    await running;
  });
});
