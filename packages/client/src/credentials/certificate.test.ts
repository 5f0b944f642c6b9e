import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { type Files, files } from '../config/testing/files.ts';
import { clients } from '../transport/testing/certificates.ts';
import { certificateCredentials } from './certificate.ts';
import type { Credentials } from './types.ts';

const { signal } = new AbortController();
const { one, two } = clients;

interface Case extends Disposable {
  readonly clock: FakeClock;
  readonly held: Files;
  readonly credentials: Credentials;
  /** How often listeners were notified of a change. */
  changes(): number;
}

function certificateFiles(pair: { readonly cert: string; readonly key: string }): Case {
  const clock = new FakeClock();
  const held = files({ cert: pair.cert, key: pair.key });
  const credentials = certificateCredentials({
    cert: { path: held.path('cert') },
    key: { path: held.path('key') },
    env: { clock },
  });
  let changes = 0;
  credentials.onTlsChange(() => changes++);
  return { clock, held, credentials, changes: () => changes, [Symbol.dispose]: () => held[Symbol.dispose]() };
}

const tlsOf = async (credentials: Credentials) => (await credentials.current(signal)).tls;

function renew({ held }: Case): void {
  held.write('cert', two.cert);
  held.write('key', two.key);
}

describe('client certificates in files', () => {
  it('a client certificate is sent with its key, and the first one causes no notification', async () => {
    using test = certificateFiles(one);
    assert.deepEqual(await tlsOf(test.credentials), one);
    assert.equal(test.changes(), 0);
  });

  it('certificate files are read again after ten seconds, and a change is notified once', async () => {
    using test = certificateFiles(one);
    await tlsOf(test.credentials);
    renew(test);
    test.clock.advance(9_999);
    assert.deepEqual(await tlsOf(test.credentials), one);
    test.clock.advance(1);
    assert.deepEqual(await tlsOf(test.credentials), two);
    test.clock.advance(10_000);
    assert.deepEqual(await tlsOf(test.credentials), two);
    assert.equal(test.changes(), 1);
  });

  it('unchanged certificate files stay the same identity', async () => {
    using test = certificateFiles(one);
    const before = await test.credentials.current(signal);
    test.held.write('cert', one.cert);
    test.clock.advance(10_000);
    assert.equal(await test.credentials.current(signal), before);
    assert.equal(test.changes(), 0);
  });

  it('certificate files are read again after a rejection by the server', async () => {
    using test = certificateFiles(one);
    const identity = await test.credentials.current(signal);
    assert.equal(test.credentials.rejected(identity), false);
    renew(test);
    assert.equal(test.credentials.rejected(identity), true);
    assert.deepEqual(await tlsOf(test.credentials), two);
    assert.equal(test.changes(), 1);
    assert.equal(test.credentials.rejected(identity), true);
  });

  for (const [what, breakIt] of [
    ['one of its files belongs to another pair', ({ held }: Case) => held.write('cert', two.cert)],
    ['a file is incomplete', ({ held }: Case) => held.write('cert', two.cert.slice(0, 100))],
    ['a file is missing', ({ held }: Case) => held.remove('key')],
  ] as const) {
    it(`a client certificate stays in use while ${what}, and the files are read again after a second`, async () => {
      using test = certificateFiles(one);
      await tlsOf(test.credentials);
      breakIt(test);
      test.clock.advance(10_000);
      assert.deepEqual(await tlsOf(test.credentials), one);
      renew(test);
      assert.deepEqual(await tlsOf(test.credentials), one);
      test.clock.advance(1_000);
      assert.deepEqual(await tlsOf(test.credentials), two);
      assert.equal(test.changes(), 1);
    });
  }

  for (const [what, pair, problem] of [
    [
      'the key belongs to another certificate',
      { cert: one.cert, key: two.key },
      /^the client key in .*: it does not belong/,
    ],
    [
      'the certificate is invalid',
      { cert: 'secret', key: one.key },
      /^the client certificate in .* no certificate/,
    ],
    [
      'the key is invalid',
      { cert: one.cert, key: 'secret' },
      /^the client key in .*: it holds no private key/,
    ],
  ] as const) {
    it(`credentials are a CredentialError without content when ${what}`, async () => {
      using test = certificateFiles(pair);
      await assert.rejects(test.credentials.current(signal), (error: Error) => {
        assert.equal(error.name, 'CredentialError');
        assert.match(error.message, problem);
        assert.doesNotMatch(error.message, /secret|BEGIN/);
        return true;
      });
    });
  }

  it('a removed listener is not notified', async () => {
    using test = certificateFiles(one);
    let notified = 0;
    const end = test.credentials.onTlsChange(() => notified++);
    await tlsOf(test.credentials);
    end();
    renew(test);
    test.clock.advance(10_000);
    await tlsOf(test.credentials);
    assert.deepEqual([notified, test.changes()], [0, 1]);
  });
});
