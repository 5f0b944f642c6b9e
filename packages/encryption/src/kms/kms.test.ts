import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { FakeClock, type TestEnv, testEnv } from '@orch/machinery/testing';
import { isOutdated, ModelStore, prefixRange, type Store } from '@orch/storage';
import { type TempDir, tempDir } from '@orch/storage/testing';
import { ConfiguredEncryption } from '../configured-encryption.ts';
import { EncryptedStore } from '../encrypted-store.ts';
import { FakeKeyService } from '../testing/index.ts';

const names = namesFor('kubernetes');
const never = new AbortController().signal;
const one = '/registry/secrets/default/one';
const TIMEOUT_MS = 3_000;

const configuration = (version: 'v1' | 'v2', socketPath: string, rest: object = {}): string =>
  JSON.stringify({
    apiVersion: names.apiVersion('apiserverconfig', 'v1'),
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { kms: { apiVersion: version, name: 'p', endpoint: `unix://${socketPath}`, ...rest } },
          { identity: {} },
        ],
      },
    ],
  });

/** A store whose secrets one key service encrypts. Its clock stands still unless a test advances it. */
class Setup implements AsyncDisposable {
  readonly env: TestEnv = testEnv();
  readonly inner = new ModelStore({ clock: new FakeClock() });
  readonly service: FakeKeyService;
  readonly version: 'v1' | 'v2';
  /** How often values may have become readable. */
  readable = 0;
  encryption: ConfiguredEncryption;
  readonly #dir: TempDir;
  readonly #rest: object;

  private constructor(dir: TempDir, service: FakeKeyService, { version, ...rest }: SetupOptions) {
    this.#dir = dir;
    this.#rest = rest;
    this.service = service;
    this.version = version;
    this.encryption = this.#open();
  }

  static async open(options: SetupOptions): Promise<Setup> {
    const dir = await tempDir('orch-kms-');
    return new Setup(dir, await FakeKeyService.start(join(dir.path, 'kms.sock')), options);
  }

  get store(): Store {
    return new EncryptedStore(this.inner, this.encryption);
  }

  /** Forgets all keys in memory, as a restart of the server does. */
  restart(): void {
    this.encryption.close();
    this.encryption = this.#open();
  }

  async put(text: string, key = one): Promise<void> {
    const { kv } = await this.store.get(key, never);
    const value = Buffer.from(text);
    const committed = await this.store.commit(
      kv === undefined
        ? { op: 'create', key, value }
        : { op: 'update', key, value, expected: kv.modRevision },
      never,
    );
    assert.equal(committed.ok, true);
  }

  /** The text of a value, and whether it is stale; the reason why it cannot be read. */
  async read(key = one): Promise<unknown> {
    const { items } = await this.store.list({ start: key, end: `${key}\0` }, {}, never);
    const [kv] = items;
    if (kv?.unreadable !== undefined) return kv.unreadable;
    return [kv?.value.toString(), kv !== undefined && isOutdated(kv) ? 'stale' : 'current'];
  }

  /** The clock advances until the promise has settled: calls that are not answered end. */
  async late<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    promise.finally(() => (isDone = true)).catch(() => undefined);
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      this.env.clock.advance(10);
    }
    return promise;
  }

  get failure(): string | undefined {
    return this.encryption.services[0]?.failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.encryption.close();
    await this.service[Symbol.asyncDispose]();
    await this.#dir[Symbol.asyncDispose]();
  }

  #open(): ConfiguredEncryption {
    const { service, env } = this;
    return new ConfiguredEncryption(configuration(this.version, service.socketPath, this.#rest), {
      names,
      storePrefix: '/registry/',
      env,
      file: 'encryption.yaml',
      readable: () => {
        this.readable += 1;
      },
    });
  }
}

interface SetupOptions {
  readonly version: 'v1' | 'v2';
  readonly cachesize?: number;
}

const versions = ['v1', 'v2'] as const;

describe('values whose keys a key service encrypts', () => {
  for (const version of versions) {
    it(`values of version ${version} are read again, also after a restart, and only with the service`, async () => {
      await using setup = await Setup.open({ version });
      await setup.put('text');
      const { kv } = await setup.inner.get(one, never);
      assert.equal(kv?.value?.toString('latin1', 0, 17), `k8s:enc:kms:${version}:p:`);
      assert.equal(kv?.value.includes('text'), false);
      assert.deepEqual(await setup.read(), ['text', 'current']);
      assert.equal(setup.service.count('Decrypt'), 0);
      setup.restart();
      assert.deepEqual(await setup.read(), ['text', 'current']);
      assert.deepEqual(await setup.read(), ['text', 'current']);
      assert.equal(setup.service.count('Decrypt'), 1);
      setup.restart();
      setup.service.lost.add('key-1');
      assert.equal(await setup.read(), 'the KMS provider "p" returned code 13: no such key');
    });

    it(`a value of version ${version} that was copied to another key, changed or truncated cannot be read`, async () => {
      await using setup = await Setup.open({ version });
      await setup.put('a string that is long enough');
      const stored = (await setup.inner.get(one, never)).kv?.value ?? Buffer.alloc(0);
      const key = '/registry/secrets/default/two';
      let expected = 0;
      const replace = async (value: Buffer): Promise<void> => {
        const write = { key, value } as const;
        const done = await setup.inner.commit(
          expected === 0 ? { op: 'create', ...write } : { op: 'update', ...write, expected },
          never,
        );
        expected = done.rev;
      };
      await replace(stored);
      assert.equal(typeof (await setup.read(key)), 'string');
      for (let at = 17; at < stored.length; at++) {
        const changed = Buffer.from(stored);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await replace(changed);
        assert.equal(typeof (await setup.read(key)), 'string', `byte ${at}`);
        await replace(stored.subarray(0, at));
        assert.equal(typeof (await setup.read(key)), 'string', `${at} bytes`);
      }
      assert.deepEqual(await setup.read(), ['a string that is long enough', 'current']);
    });

    it(`with version ${version}, a service that does not answer fails writes and single reads with its name, and lists have the value as unreadable`, async () => {
      await using setup = await Setup.open({ version });
      await setup.put('text');
      setup.restart();
      for (const stop of [
        () => setup.service.kill(),
        async () => {
          await setup.service.restart();
          setup.service.behaviour = 'silent';
        },
      ]) {
        await stop();
        const write = setup.store.commit({ op: 'create', key: `${one}-2`, value: Buffer.from('x') }, never);
        const unavailable = { code: 'unavailable', message: /^the KMS provider "p" is not responding: / };
        await assert.rejects(setup.late(write), unavailable);
        await assert.rejects(setup.late(setup.store.get(one, never)), unavailable);
        assert.match(String(await setup.late(setup.read())), unavailable.message);
        const { kv } = await setup.store.get('/registry/configmaps/default/one', never);
        assert.equal(kv, undefined);
      }
      setup.service.behaviour = 'working';
      setup.env.clock.advance(TIMEOUT_MS);
      assert.deepEqual(await setup.read(), ['text', 'current']);
      await setup.put('other');
      assert.deepEqual(await setup.read(), ['other', 'current']);
    });

    for (const [behaviour, reason] of [
      ['wrongKey', /^the value was changed, moved, or encrypted with another key$/],
      ['short', /^the KMS provider "p" returns a key of 3 bytes$/],
      ['huge', /^the KMS provider "p" is not responding: .*2097\d+ bytes exceeds/],
      ['refusing', /^the KMS provider "p" returned code 13: the module is locked$/],
    ] as const) {
      it(`with version ${version}, a service that is ${behaviour} makes values unreadable until it works again`, async () => {
        await using setup = await Setup.open({ version });
        await setup.put('text');
        setup.restart();
        setup.service.behaviour = behaviour;
        assert.match(String(await setup.read()), reason);
        setup.service.behaviour = 'working';
        setup.env.clock.advance(TIMEOUT_MS);
        assert.deepEqual(await setup.read(), ['text', 'current']);
      });
    }

    it(`with version ${version}, many reads at the same time share one decryption of their key, and all are settled when it fails`, async () => {
      await using setup = await Setup.open({ version });
      await setup.put('text');
      const stored = (await setup.inner.get(one, never)).kv?.value ?? Buffer.alloc(0);
      for (let i = 0; i < 200; i++)
        await setup.inner.commit({ op: 'create', key: `${one}-${i}`, value: stored }, never);
      setup.restart();
      const range = prefixRange('/registry/secrets/');
      const { items } = await setup.store.list(range, {}, never);
      assert.deepEqual(
        [items.length, items.filter(({ unreadable }) => unreadable === undefined).length],
        [201, 1],
      );
      setup.restart();
      await setup.service.kill();
      const failed = await setup.late(setup.store.list(range, {}, never));
      assert.equal(failed.items.filter(({ unreadable }) => unreadable !== undefined).length, 201);
    });

    it(`with version ${version}, a failed read is announced as readable when the service is healthy again`, async () => {
      await using setup = await Setup.open({ version });
      await setup.put('text');
      setup.restart();
      const stop = new AbortController();
      const running = setup.encryption.run(stop.signal);
      await setup.late(until(() => setup.failure === undefined));
      assert.equal(setup.readable, 0);
      await setup.service.kill();
      assert.match(String(await setup.late(setup.read())), /is not responding/);
      await setup.late(until(() => setup.failure !== undefined));
      assert.match(setup.failure ?? '', /^the KMS provider "p" is not responding/);
      await setup.service.restart();
      await setup.late(until(() => setup.readable > 0));
      assert.equal(setup.failure, undefined);
      assert.deepEqual(await setup.read(), ['text', 'current']);
      stop.abort();
      await running;
    });
  }

  it('version 1 keeps at most as many keys as its cache has, the last used ones', async () => {
    await using setup = await Setup.open({ version: 'v1', cachesize: 2 });
    for (const name of ['a', 'b', 'c']) await setup.put(name, `/registry/secrets/default/${name}`);
    assert.equal(setup.service.count('Encrypt'), 3);
    await setup.read('/registry/secrets/default/b');
    await setup.read('/registry/secrets/default/c');
    assert.equal(setup.service.count('Decrypt'), 0);
    await setup.read('/registry/secrets/default/a');
    assert.equal(setup.service.count('Decrypt'), 1);
    await setup.read('/registry/secrets/default/c');
    assert.equal(setup.service.count('Decrypt'), 1);
    await setup.read('/registry/secrets/default/b');
    assert.equal(setup.service.count('Decrypt'), 2);
    assert.match(
      setup.env.metrics.text(),
      /^apiserver_storage_envelope_transformation_cache_misses_total 2$/m,
    );
    assert.match(setup.env.metrics.text(), /^apiserver_envelope_encryption_dek_cache_fill_percent 100$/m);
    assert.match(
      setup.env.metrics.text(),
      /^apiserver_storage_data_key_generation_duration_seconds_count 3$/m,
    );
  });
});

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe('the seed of a key service of version 2', () => {
  it('one seed encrypts all values, without a call for each', async () => {
    await using setup = await Setup.open({ version: 'v2' });
    for (let i = 0; i < 20; i++) await setup.put('text', `${one}-${i}`);
    assert.deepEqual(setup.service.calls, ['Status', 'Encrypt']);
    const values = new Set<string>();
    for (let i = 0; i < 20; i++)
      values.add((await setup.inner.get(`${one}-${i}`, never)).kv?.value?.toString('hex') ?? '');
    assert.equal(values.size, 20);
  });

  it('another key of the service is used without a restart, and makes earlier values stale', async () => {
    await using setup = await Setup.open({ version: 'v2' });
    const stop = new AbortController();
    const running = setup.encryption.run(stop.signal);
    await setup.put('text');
    setup.service.keyId = 'key-2';
    assert.deepEqual(await setup.read(), ['text', 'current']);
    const probes = setup.service.count('Status');
    await setup.late(until(() => setup.service.count('Status') > probes));
    await setup.late(until(() => setup.service.count('Encrypt') === 2));
    await setup.late(until(() => setup.failure === undefined));
    await setup.late(eventuallyStale(setup));
    await setup.put('text');
    assert.deepEqual(await setup.read(), ['text', 'current']);
    assert.equal((await setup.inner.get(one, never)).kv?.value?.includes('key-2'), true);
    stop.abort();
    await running;
  });

  it('values are written for three minutes after the service has last answered, and not longer', async () => {
    await using setup = await Setup.open({ version: 'v2' });
    await setup.put('text');
    await setup.service.kill();
    setup.env.clock.advance(175_000);
    await setup.put('later');
    setup.env.clock.advance(10_000);
    await assert.rejects(setup.late(setup.put('too late')), {
      code: 'unavailable',
      message: /^the KMS provider "p" is not responding/,
    });
    assert.deepEqual(await setup.read(), ['later', 'current']);
    await setup.service.restart();
    setup.env.clock.advance(TIMEOUT_MS);
    await setup.put('again');
    assert.deepEqual(await setup.read(), ['again', 'current']);
  });

  it('a service that reports a problem is not healthy, and still encrypts', async () => {
    await using setup = await Setup.open({ version: 'v2' });
    setup.service.healthz = 'the module is hot';
    await setup.put('text');
    assert.equal(setup.failure, 'the KMS provider "p" reports "the module is hot"');
    assert.deepEqual(await setup.read(), ['text', 'current']);
  });

  for (const [title, keyId, reason] of [
    ['an empty key id', '', /reports an empty key id/],
    ['a long key id', 'x'.repeat(1025), /reports a key id of more than 1024 bytes/],
  ] as const) {
    it(`a service with ${title} is refused`, async () => {
      await using setup = await Setup.open({ version: 'v2' });
      setup.service.keyId = keyId;
      await assert.rejects(setup.put('text'), { code: 'unavailable', message: reason });
      assert.match(setup.failure ?? '', reason);
      assert.match(
        setup.env.metrics.text(),
        /invalid_key_id_from_status_total\{provider_name="p",error="\w+"\} 1/,
      );
    });
  }
});

async function eventuallyStale(setup: Setup): Promise<void> {
  for (;;) {
    if (JSON.stringify(await setup.read()) === '["text","stale"]') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Made once with `k8s.io/apiserver`, with a key service that decrypts `kek:` and masked bytes. */
const ofKubernetes: readonly (readonly [string, 'v1' | 'v2', 'current' | 'stale', string])[] = [
  [
    'AES-GCM',
    'v1',
    'current',
    'azhzOmVuYzprbXM6djE6cDoAJGtlazpcbyEVQML2N+WM/R6ERyqh5dafdlsMGrgiat5gYxCMfWGJRzHuwv25xEqjZ9r6pye2ymClhYhuOuLUoVtAK6zM',
  ],
  [
    'AES-CBC, as old releases write them,',
    'v1',
    'stale',
    'azhzOmVuYzprbXM6djE6cDoAJGtlazqKw3VFX32Sv6NFuE4PYhqLf+4JE2mFeFUyWEN9usi6BRBuU+ktMg6Gh0w6B2fMKM07e2P8e8fEQfC+ZOgkJoOC',
  ],
  [
    'a seed',
    'v2',
    'current',
    'azhzOmVuYzprbXM6djI6cDoKQNYwaJWMPmlPcRz575D+3tCG2Jj58zsin1An4Bc5sYwHM6aWuLuc5OCGVl83cepWYadI5/3SbM/llrp8Ui8HwRcSBWtleS0xGiRrZWs6LHxH+GkYk44n7g5WLC7bSNz4UX/62T/kEzDuDXsBk98iFgoRbG9jYWwuZXhhbXBsZS5jb20SAXgoAQ==',
  ],
  [
    'a data key',
    'v2',
    'current',
    'azhzOmVuYzprbXM6djI6cDoKIC7lD2kBypo7AAAAAL9VxJcy8ngueM/uBYM5kEEQJli1EgVrZXktMRoka2VrOiX77iLU2gaQjfE5rdT6C9C2EWrprkv0Rb+K1mOyb6YlIhYKEWxvY2FsLmV4YW1wbGUuY29tEgF4',
  ],
];

describe('values that Kubernetes has written with a key service', () => {
  for (const [title, version, state, stored] of ofKubernetes) {
    it(`values of version ${version} with ${title} are read`, async () => {
      await using setup = await Setup.open({ version });
      await setup.inner.commit({ op: 'create', key: one, value: Buffer.from(stored, 'base64') }, never);
      assert.deepEqual(await setup.read(), ['text', state]);
    });
  }
});
