import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCompactToken } from '@orch/auth';
import { testEnv, until } from '@orch/machinery/testing';
import { isSignedWith } from '@orch/pki/jws';
import { ExternalSigner } from './external-signer.ts';
import { type FakeKey, FakeSigner, fakeKey } from './testing/fake-signer.ts';

const claims = { sub: 'system:serviceaccount:apps:robot' };

/** A signer that a test has prepared, and the server's side of it, which is not started. */
async function pairOf(prepare: (fake: FakeSigner) => void = () => {}, env = testEnv()) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-signer-'));
  const socketPath = join(folder, 'signer.sock');
  const fake = await FakeSigner.start(socketPath);
  prepare(fake);
  const signer = new ExternalSigner({ socketPath, version: 'v1', env });
  const stop = new AbortController();
  return {
    fake,
    signer,
    stop,
    async [Symbol.asyncDispose]() {
      stop.abort();
      signer.close();
      await fake[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startedPair(prepare?: (fake: FakeSigner) => void) {
  const pair = await pairOf(prepare);
  await pair.signer.start(pair.stop.signal);
  return pair;
}

describe('an external signer of service account tokens', () => {
  it('an external signer signs tokens that its keys verify', async () => {
    await using pair = await startedPair();
    const token = await pair.signer.sign(claims);
    const parsed = readCompactToken(token);
    assert.deepEqual(parsed?.claims, claims);
    const key = pair.signer.withId('first');
    assert.ok(key);
    assert.equal(await isSignedWith(token, key), true);
    assert.deepEqual(pair.fake.calls, [
      '/v1.ExternalJWTSigner/FetchKeys',
      '/v1.ExternalJWTSigner/Metadata',
      '/v1.ExternalJWTSigner/Sign',
    ]);
  });

  it('an external signer limits the lifetime of tokens', async () => {
    await using pair = await startedPair();
    assert.equal(pair.signer.maxSeconds, 7200);
  });

  it('a key that an external signer does not publish verifies tokens, and is not in the documents', async () => {
    await using pair = await startedPair((fake) => {
      fake.keys = [fakeKey('new'), fakeKey('old', { isUnpublished: true })];
    });
    assert.deepEqual(
      pair.signer.all().map(({ id }) => id),
      ['new'],
    );
    assert.equal(pair.signer.withId('old')?.id, 'old');
  });

  it('an external signer is asked for its keys when a token names an unknown one', async () => {
    await using pair = await startedPair();
    pair.fake.keys = [...pair.fake.keys, fakeKey('second')];
    assert.equal(pair.signer.withId('second'), undefined);
    await Promise.all([1, 2, 3].map(() => pair.signer.refresh(pair.stop.signal)));
    assert.equal(pair.signer.withId('second')?.id, 'second');
    assert.equal(pair.fake.count('FetchKeys'), 2);
  });

  it('a token with an unknown key is neither accepted nor refused (503) while the external signer fails', async () => {
    await using pair = await startedPair();
    pair.fake.isFailing = true;
    await assert.rejects(pair.signer.refresh(pair.stop.signal), { code: 503 });
  });

  it('the keys of an external signer are fetched again when it says so, and kept while it fails', async () => {
    const env = testEnv();
    await using pair = await pairOf(undefined, env);
    const { fake, signer, stop } = pair;
    await signer.start(stop.signal);
    const run = signer.run(stop.signal).catch(() => {});
    assert.equal(signer.maxAgeSeconds, 60);
    env.clock.advance(20_000);
    assert.equal(signer.maxAgeSeconds, 40);
    fake.isFailing = true;
    env.clock.advance(40_000);
    const failures = () => env.entries.filter(({ error }) => String(error).includes('the module is locked'));
    await until(() => failures().length > 0, 'the failure is logged');
    assert.equal(signer.withId('first')?.id, 'first');
    fake.isFailing = false;
    fake.keys = [fakeKey('second')];
    env.clock.advance(10_000);
    await until(() => signer.withId('second') !== undefined, 'the new key is known');
    assert.equal(signer.withId('first'), undefined);
    assert.equal(fake.count('FetchKeys'), 3);
    stop.abort();
    await run;
  });

  const unpublished = fakeKey('old', { isUnpublished: true });
  for (const [title, prepare] of [
    ['fails', (fake: FakeSigner) => Object.assign(fake, { isFailing: true })],
    ['returns no signature', (fake: FakeSigner) => Object.assign(fake, { signature: '' })],
    [
      'returns a signature that is not base64url',
      (fake: FakeSigner) => Object.assign(fake, { signature: 'a.b' }),
    ],
    ['names no key', (fake: FakeSigner) => Object.assign(fake, { header: { kid: undefined } })],
    [
      'names a key by a long id',
      (fake: FakeSigner) => Object.assign(fake, { header: { kid: 'k'.repeat(1025) } }),
    ],
    ['names another type', (fake: FakeSigner) => Object.assign(fake, { header: { typ: 'at+jwt' } })],
    ['uses a symmetric algorithm', (fake: FakeSigner) => Object.assign(fake, { header: { alg: 'HS256' } })],
    ['uses no algorithm', (fake: FakeSigner) => Object.assign(fake, { header: { alg: 'none' } })],
    ['adds a header', (fake: FakeSigner) => Object.assign(fake, { header: { jku: 'https://x' } })],
    [
      'uses a key that it does not have',
      (fake: FakeSigner) => Object.assign(fake, { signing: fakeKey('x') }),
    ],
    [
      'uses a key that it does not publish',
      (fake: FakeSigner) =>
        Object.assign(fake, { keys: [fakeKey('new'), unpublished], signing: unpublished }),
    ],
  ] as const)
    it(`a token cannot be issued (503) when the external signer ${title}`, async () => {
      await using pair = await startedPair();
      prepare(pair.fake);
      await assert.rejects(pair.signer.sign(claims), { code: 503 });
    });

  const keys = (...all: FakeKey[]) => ({ keys: all });
  for (const [title, state, reason] of [
    ['has no keys', keys(), /there are no keys/],
    ['has a key without an id', keys(fakeKey('')), /the id of a key/],
    ['has two keys of one id', keys(fakeKey('a'), fakeKey('a')), /two keys have the id "a"/],
    [
      'has an empty key',
      keys({ ...fakeKey('a'), publicKey: Buffer.alloc(0) }),
      /the key "a": it is not a readable key/,
    ],
    ['names no time for the next fetch', { refreshSeconds: 0 }, /not positive/],
    ['permits only short tokens', { maxSeconds: 599 }, /must be at least 600 s/],
    ['fails', { isFailing: true }, /the module is locked/],
  ] as const)
    it(`a server does not start with an external signer that ${title}`, async () => {
      await using pair = await pairOf((fake) => Object.assign(fake, state));
      await assert.rejects(pair.signer.start(pair.stop.signal), { message: reason });
    });
});
