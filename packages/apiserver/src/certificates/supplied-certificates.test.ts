import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settle, testEnv } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { SuppliedCertificates } from './supplied-certificates.ts';

const DAY_MS = 24 * 3_600_000;

function fixture() {
  const env = testEnv();
  const folder = mkdtempSync(join(tmpdir(), 'orch-supplied-'));
  const cert = { flag: 'tls-cert-file', path: join(folder, 'tls.crt') };
  const key = { flag: 'tls-private-key-file', path: join(folder, 'tls.key') };
  const issue = (notBefore: number, notAfter: number) => {
    const now = env.clock.now();
    const validity = { notBefore: now + notBefore * DAY_MS, notAfter: now + notAfter * DAY_MS };
    return issueCertificate({ commonName: 'api', use: 'server', ...validity }, env.random);
  };
  const write = (pair: { readonly cert: string; readonly key: string }): void => {
    writeFileSync(cert.path, pair.cert);
    writeFileSync(key.path, pair.key);
  };
  return {
    env,
    files: [{ cert, key }],
    issue,
    write,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

const reasonOf = async (supplied: SuppliedCertificates): Promise<string> => {
  const [check] = supplied.checks;
  assert.equal(check?.name, 'certificate/tls-cert-file');
  assert.equal(check.isNotice, true);
  const result = await check.run(new AbortController().signal);
  return result.ok ? 'ok' : result.reason;
};

describe('certificates that flags name', () => {
  for (const [title, from, to, reason] of [
    ['valid one has no problem', -1, 1, /^ok$/],
    ['expired one is named with its flag', -2, -1, /^--tls-cert-file .*tls\.crt: .* CN=api has expired at /],
    [
      'one of the future is named with its flag',
      1,
      2,
      /^--tls-cert-file .*tls\.crt: .* CN=api is not valid before /,
    ],
  ] as const)
    it(`a certificate of a flag: a ${title}`, async () => {
      using test = fixture();
      test.write(test.issue(from, to));
      assert.match(await reasonOf(new SuppliedCertificates(test.files, test.env)), reason);
    });

  it('a key of another certificate is named with its flag', async () => {
    using test = fixture();
    test.write({ cert: test.issue(-1, 1).cert, key: test.issue(-1, 1).key });
    const supplied = new SuppliedCertificates(test.files, test.env);
    assert.match(await reasonOf(supplied), /^--tls-private-key-file is not the key of --tls-cert-file/);
  });

  it('a certificate that expires while the server runs is reported, until its file is replaced', async () => {
    using test = fixture();
    const { clock } = test.env;
    test.write(test.issue(-1, 1));
    const supplied = new SuppliedCertificates(test.files, test.env);
    const stop = new AbortController();
    const running = supplied.run(stop.signal);
    await settle();
    await clock.advanceAsync(DAY_MS + 60_000);
    assert.match(await reasonOf(supplied), /has expired/);
    test.write(test.issue(-1, 1));
    await clock.advanceAsync(60_000);
    assert.equal(await reasonOf(supplied), 'ok');
    stop.abort();
    await running;
  });
});
