import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { FakeClock, testEnv } from '@orch/machinery/testing';
import { isOutdated, ModelStore, prefixRange, type SideWrites, type Store, type Write } from '@orch/storage';
import { describeStore } from '@orch/storage/conformance';
import { ConfiguredEncryption } from './configured-encryption.ts';
import { EncryptedStore } from './encrypted-store.ts';

const names = namesFor('kubernetes');
const never = new AbortController().signal;
const secretOf = (fill: string): string => Buffer.alloc(32, fill).toString('base64');

type Provider = readonly ['aescbc' | 'aesgcm' | 'secretbox', ...keys: string[]] | readonly ['identity'];

const entry = (resources: readonly string[], providers: readonly Provider[]): object => ({
  resources,
  providers: providers.map(([type, ...keys]) => ({
    [type]: type === 'identity' ? {} : { keys: keys.map((name) => ({ name, secret: secretOf(name) })) },
  })),
});

const configuration = (...resources: readonly object[]): string =>
  JSON.stringify({
    apiVersion: names.apiVersion('apiserverconfig', 'v1'),
    kind: 'EncryptionConfiguration',
    resources,
  });

const secrets = (...providers: readonly Provider[]): string => configuration(entry(['secrets'], providers));

const encryptionOf = (text: string, storePrefix = '/registry/'): ConfiguredEncryption =>
  new ConfiguredEncryption(text, { names, storePrefix, env: testEnv(), file: 'encryption.yaml' });

const everything = encryptionOf(configuration(entry(['*.*'], [['aesgcm', 'a']])), '/');

describeStore('encrypted model', async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const store = new EncryptedStore(new ModelStore({ clock }), everything);
  return {
    store,
    signal: abort.signal,
    advance: (ms: number) => clock.advance(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await store.close();
    },
  };
});

const one = '/registry/secrets/default/one';

async function put(store: Store, key: string, text: string): Promise<number> {
  const { kv } = await store.get(key, never);
  const value = Buffer.from(text);
  const write =
    kv === undefined
      ? ({ op: 'create', key, value } as const)
      : ({ op: 'update', key, value, expected: kv.modRevision } as const);
  const committed = await store.commit(write, never);
  assert.equal(committed.ok, true);
  return committed.rev;
}

/** The prefix of the stored bytes; all of them when they are not encrypted. */
async function storedAs(store: Store, key: string): Promise<string> {
  const { kv } = await store.get(key, never);
  const text = kv?.value?.toString('latin1') ?? '';
  return /^k8s:enc:(?:[^:]+:){3}/.exec(text)?.[0] ?? text;
}

/** The result of reading the key: its text, whether it is stale, or why it cannot be read. */
async function reading(store: Store, key = one): Promise<readonly [string, 'stale' | 'current'] | string> {
  const { kv } = await store.get(key, never);
  assert.ok(kv !== undefined);
  if (kv.unreadable === undefined) return [kv.value.toString(), isOutdated(kv) ? 'stale' : 'current'];
  assert.equal(kv.value, undefined);
  return kv.unreadable;
}

const moved = 'the value was changed, moved, or encrypted with another key';

/** Stored forms of `plain text`, in base64. */
const writtenEarlier = [
  ['aescbc', 'azhzOmVuYzphZXNjYmM6djE6YTqgAIf790ecuG3+dH0jZz8n8PoAO6As421TZHX9kimUcg=='],
  ['aesgcm', 'azhzOmVuYzphZXNnY206djE6YTqgAIf790ecuG3+dH1FWOAHu+V+NdifGP1A7yWIsjYivTLlrbrWrw=='],
  [
    'secretbox',
    'azhzOmVuYzpzZWNyZXRib3g6djE6YTqgAIf790ecuG3+dH0jZz8nfRFlxEkwCm3Q/rrhcRpgt684TwWDKDwlNIvqXUaWhow9cg==',
  ],
] as const;

describe('a store with encrypted values', () => {
  const writers = [
    ['aescbc', 'a'],
    ['aesgcm', 'a'],
    ['secretbox', 'a'],
  ] as const;
  for (const [type, name] of writers) {
    it(`the store behind has no plain text of a resource that ${type} encrypts, and other resources as they are`, async () => {
      const inner = new ModelStore({ clock: new FakeClock() });
      const store = new EncryptedStore(inner, encryptionOf(secrets([type, name], ['identity'])));
      await put(store, one, 'plain text');
      await put(store, '/registry/configmaps/default/one', 'plain text');
      await put(store, '/registry/~internal/one', 'plain text');
      assert.equal(await storedAs(inner, one), `k8s:enc:${type}:v1:a:`);
      assert.equal(await storedAs(inner, '/registry/configmaps/default/one'), 'plain text');
      assert.equal(await storedAs(inner, '/registry/~internal/one'), 'plain text');
      assert.deepEqual(await reading(store), ['plain text', 'current']);
    });
  }

  for (const [type, stored] of writtenEarlier)
    it(`a value that ${type} encrypted at commit e6a56bf6 is read`, async () => {
      const inner = new ModelStore({ clock: new FakeClock() });
      const create = { op: 'create', key: one, value: Buffer.from(stored, 'base64') } as const;
      assert.ok((await inner.commit(create, never)).ok);
      const store = new EncryptedStore(inner, encryptionOf(secrets([type, 'a'])));
      assert.deepEqual(
        await reading(store),
        ['plain text', 'current'],
        'stores contain such values: a new format needs another prefix, and the old one must still be read',
      );
    });

  it('history beside a write is encrypted as the objects of its resource are', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const store = new EncryptedStore(inner, encryptionOf(secrets(['aesgcm', 'a'], ['identity'])));
    const key = '/registry~history/secrets/default/one/1';
    const plain = '/registry~history/configmaps/default/one/1';
    const value = Buffer.from('plain text');
    const also = [{ key, value }, { key: plain, value }, { key: '/registry~history/secrets/default/absent' }];
    const write: Write & SideWrites = { op: 'create', key: one, value, also };
    assert.ok((await store.commit(write, never)).ok);
    assert.equal(await storedAs(inner, key), 'k8s:enc:aesgcm:v1:a:');
    assert.equal(await storedAs(inner, plain), 'plain text');
    assert.deepEqual(await reading(store, key), ['plain text', 'current']);
  });

  const before = {
    identity: ['identity'],
    cbcA: ['aescbc', 'a'],
    gcmA: ['aesgcm', 'a'],
    gcmB: ['aesgcm', 'b'],
  } as const;
  const { identity, cbcA, gcmA, gcmB } = before;
  const decisions: readonly (readonly [string, readonly Provider[], readonly Provider[], unknown])[] = [
    ['with the key that writes', [gcmA], [gcmA], ['text', 'current']],
    ['with the second key of a provider', [gcmA], [['aesgcm', 'b', 'a']], ['text', 'stale']],
    ['with a key of the second provider', [gcmA], [gcmB, gcmA], ['text', 'stale']],
    ['with another provider', [cbcA], [gcmA, cbcA], ['text', 'stale']],
    ['before encryption was configured', [identity], [gcmA, identity], ['text', 'stale']],
    ['after encryption was given up', [gcmA], [identity, gcmA], ['text', 'stale']],
    [
      'with a key that was removed',
      [gcmA],
      [gcmB, identity],
      'no configured provider decrypts values with the prefix "k8s:enc:aesgcm:v1:a:"',
    ],
    [
      'with a key, of which only identity is left',
      [gcmA],
      [identity],
      'no configured provider decrypts values with the prefix "k8s:enc:aesgcm:v1:a:"',
    ],
    [
      'without encryption, while identity is not configured',
      [identity],
      [gcmA],
      'the value is not encrypted, and no identity provider is configured',
    ],
  ];
  for (const [title, written, configured, expected] of decisions) {
    const what = typeof expected === 'string' ? 'cannot be read' : `is ${(expected as string[])[1]}`;
    it(`a value that was written ${title} ${what}`, async () => {
      const inner = new ModelStore({ clock: new FakeClock() });
      await put(new EncryptedStore(inner, encryptionOf(secrets(...written))), one, 'text');
      assert.deepEqual(
        await reading(new EncryptedStore(inner, encryptionOf(secrets(...configured)))),
        expected,
      );
    });
  }

  it('a value that was copied to the key of another object cannot be read, and the others are', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const store = new EncryptedStore(inner, encryptionOf(secrets(gcmA)));
    const two = '/registry/secrets/default/two';
    await put(store, one, 'text');
    const stolen = (await inner.get(one, never)).kv?.value ?? Buffer.alloc(0);
    await inner.commit({ op: 'create', key: two, value: stolen }, never);
    assert.equal(await reading(store, two), moved);
    const { items } = await store.list(prefixRange('/registry/secrets/'), {}, never);
    assert.deepEqual(
      items.map(({ key, value, unreadable }) => [key, value?.toString(), unreadable]),
      [
        [one, 'text', undefined],
        [two, undefined, moved],
      ],
    );
  });

  it('a watch reports values that cannot be decrypted as unreadable, and goes on', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const store = new EncryptedStore(inner, encryptionOf(secrets(gcmA)));
    const start = await inner.currentRevision(never);
    await put(new EncryptedStore(inner, encryptionOf(secrets(gcmB))), one, 'text');
    const last = await put(store, '/registry/secrets/default/two', 'text');
    const seen: unknown[] = [];
    for await (const { rev, events } of store.watch(prefixRange('/registry/'), start, never)) {
      for (const event of events)
        if (event.type === 'put') seen.push(event.kv.unreadable ?? event.kv.value.toString());
      if (rev >= last) break;
    }
    assert.deepEqual(seen, [
      'no configured provider decrypts values with the prefix "k8s:enc:aesgcm:v1:b:"',
      'text',
    ]);
  });

  it('a scan of keys alone decrypts nothing', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    await put(new EncryptedStore(inner, encryptionOf(secrets(gcmB))), one, 'text');
    const store = new EncryptedStore(inner, encryptionOf(secrets(gcmA)));
    const all = prefixRange('/registry/');
    for await (const { items } of store.scan(all, { keysOnly: true }, never))
      assert.deepEqual(
        items.map(({ key, unreadable }) => [key, unreadable]),
        [[one, undefined]],
      );
    const { items } = await store.list(all, { keysOnly: true }, never);
    assert.deepEqual(
      items.map(({ unreadable }) => unreadable),
      [undefined],
    );
  });

  it('a conflict reports the decrypted current value', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const store = new EncryptedStore(inner, encryptionOf(secrets(gcmA)));
    await put(store, one, 'text');
    const refused = await store.commit({ op: 'create', key: one, value: Buffer.from('other') }, never);
    assert.equal(refused.ok ? undefined : refused.current?.value?.toString(), 'text');
  });

  it('another configuration takes effect for the next write, and an invalid one has none', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const encryption = encryptionOf(secrets(gcmA));
    const store = new EncryptedStore(inner, encryption);
    await put(store, one, 'text');
    encryption.replace(secrets(gcmB, gcmA));
    assert.deepEqual(await reading(store), ['text', 'stale']);
    assert.throws(() => encryption.replace(secrets()));
    await put(store, one, 'text');
    assert.equal(await storedAs(inner, one), 'k8s:enc:aesgcm:v1:b:');
    assert.deepEqual(await reading(store), ['text', 'current']);
  });
});

describe('resources of an encryption configuration', () => {
  const rows: readonly (readonly [string, string, readonly (readonly [string, string | undefined])[]])[] = [
    [
      'a resource of the core group',
      'secrets',
      [
        ['secrets', 'x'],
        ['configmaps', undefined],
        ['secrets.example.com', undefined],
      ],
    ],
    [
      'a resource of a built-in group',
      'leases.coordination.k8s.io',
      [
        ['leases.coordination', 'x'],
        ['leases', undefined],
      ],
    ],
    [
      'a custom resource',
      'widgets.example.com',
      [
        ['widgets.example.com', 'x'],
        ['gadgets.example.com', undefined],
      ],
    ],
    [
      'the core group',
      '*.',
      [
        ['secrets', 'x'],
        ['pods', 'x'],
        ['deployments.apps', undefined],
      ],
    ],
    [
      'a group of custom resources',
      '*.example.com',
      [
        ['widgets.example.com', 'x'],
        ['widgets.www.example.com', undefined],
        ['secrets', undefined],
      ],
    ],
    [
      'all groups',
      '*.*',
      [
        ['secrets', 'x'],
        ['leases.coordination', 'x'],
        ['widgets.example.com', 'x'],
        ['~internal', undefined],
      ],
    ],
  ];
  for (const [title, pattern, expected] of rows) {
    it(`the pattern ${pattern} selects ${title} and nothing else`, () => {
      const encryption = encryptionOf(configuration(entry([pattern], [['aesgcm', 'x']])));
      for (const [name, key] of expected)
        assert.equal(
          encryption.chainOf(`/registry/${name}/default/one`) !== undefined,
          key !== undefined,
          name,
        );
    });
  }

  it('an earlier entry excludes its resource from the wildcard of a later one', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const text = configuration(
      entry(['configmaps'], [['identity']]),
      entry(['*.'], [['aesgcm', 'core']]),
      entry(['*.*'], [['aesgcm', 'rest']]),
    );
    const store = new EncryptedStore(inner, encryptionOf(text));
    const found: string[] = [];
    for (const name of ['configmaps', 'secrets', 'deployments.apps']) {
      await put(store, `/registry/${name}/default/one`, 'text');
      found.push(await storedAs(inner, `/registry/${name}/default/one`));
    }
    assert.deepEqual(found, ['text', 'k8s:enc:aesgcm:v1:core:', 'k8s:enc:aesgcm:v1:rest:']);
  });

  it('keys that other programs have stored below the prefix have the provider of all resources', () => {
    const encryption = encryptionOf(configuration(entry(['*.*'], [['aesgcm', 'x']])));
    for (const name of ['unknown.key', 'apiregistration.k8s.io', '.x', 'x.'])
      assert.notEqual(encryption.chainOf(`/registry/${name}/one`), undefined, name);
  });

  it('keys outside of the prefix of the store are not encrypted', () => {
    const encryption = encryptionOf(configuration(entry(['*.*'], [['aesgcm', 'x']])));
    for (const key of ['/registry~compaction', '/other/secrets/default/one', '/registry/secrets'])
      assert.equal(encryption.chainOf(key), undefined, key);
  });
});

describe('metrics of encryption', () => {
  it('encryptions and decryptions are counted by prefix and status', async () => {
    const env = testEnv();
    const inner = new ModelStore({ clock: env.clock });
    const options = { names, storePrefix: '/registry/', env, file: '' };
    const store = new EncryptedStore(inner, new ConfiguredEncryption(secrets(['aesgcm', 'a']), options));
    await put(store, one, 'text');
    await reading(store);
    await put(inner, one, 'k8s:enc:aesgcm:v1:a:too short');
    await reading(store);
    await put(inner, one, 'k8s:enc:aesgcm:v1:b:other');
    await reading(store);
    const lines = env.metrics
      .text()
      .split('\n')
      .filter(
        (line) =>
          line.startsWith('apiserver_storage_transformation_operations_total{') && !line.endsWith(' 0'),
      );
    assert.deepEqual(lines.map((line) => line.replace(/^[^{]+/, '')).sort(), [
      '{status="Internal",transformation_type="from_storage",transformer_prefix="k8s:enc:aesgcm:v1:a:"} 1',
      '{status="Internal",transformation_type="from_storage",transformer_prefix="unknown"} 1',
      '{status="OK",transformation_type="from_storage",transformer_prefix="k8s:enc:aesgcm:v1:a:"} 1',
      '{status="OK",transformation_type="to_storage",transformer_prefix="k8s:enc:aesgcm:v1:a:"} 1',
    ]);
  });
});
