import { writeFileSync } from 'node:fs';
import { type Naming, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { prefixRange, readable, type Store } from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { openEtcdStore } from '@orch/storage/etcd';
import type { ApiClient } from '@orch/testkit';

const never = new AbortController().signal;

/** A provider with its keys, whose secrets follow from their names. */
export type Provider =
  | readonly ['aescbc' | 'aesgcm' | 'secretbox', ...keys: string[]]
  | readonly ['identity'];

export const secretOf = (name: string): string => Buffer.alloc(32, `secret of ${name}`).toString('base64');

/** Writes a configuration that encrypts resources with providers. */
export function writeConfiguration(
  file: string,
  resources: readonly string[],
  providers: readonly Provider[],
  naming: Naming = 'orch',
): void {
  const keysOf = (keys: readonly string[]): object => ({
    keys: keys.map((name) => ({ name, secret: secretOf(name) })),
  });
  const configuration = {
    apiVersion: namesFor(naming).apiVersion('apiserverconfig', 'v1'),
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources,
        providers: providers.map(([type, ...keys]) => ({ [type]: type === 'identity' ? {} : keysOf(keys) })),
      },
    ],
  };
  writeFileSync(file, JSON.stringify(configuration));
}

export const flagsOf = (file: string): readonly string[] => [
  `--encryption-provider-config=${file}`,
  '--encryption-provider-config-automatic-reload',
];

/** Where a server under test has its data: a folder, or etcd. */
export type DataSource = { readonly dataDir: string } | { readonly etcd: readonly string[] };

const open = (source: DataSource): Promise<Store> =>
  'etcd' in source
    ? openEtcdStore({ endpoints: source.etcd, env: testEnv() }, never)
    : openEmbeddedStore({ dir: source.dataDir, env: testEnv() });

/** The stored bytes of all keys. The embedded store must not be in use. */
export async function storedValues(source: DataSource, prefix = '/'): Promise<ReadonlyMap<string, Buffer>> {
  const store = await open(source);
  try {
    const { items } = await store.list(prefixRange(prefix), {}, never);
    return new Map(items.map((kv) => [kv.key, readable(kv).value]));
  } finally {
    await store.close();
  }
}

/** The form of a stored value: the prefix of an encrypted one, else `plain`. */
export const formOf = (value: Buffer | undefined): string =>
  /^(?:orch|k8s):enc:(?:[^:]+:){3}/.exec(value?.toString('latin1') ?? '')?.[0] ?? 'plain';

export async function formsOf(source: DataSource, prefix: string): Promise<Readonly<Record<string, string>>> {
  const values = await storedValues(source, prefix);
  return Object.fromEntries([...values].map(([key, value]) => [key.slice(prefix.length), formOf(value)]));
}

export const secretPath = (name = '', namespace = 'default'): string =>
  `/api/v1/namespaces/${namespace}/secrets${name === '' ? '' : `/${name}`}`;

export const secretObject = (name: string, text: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData: { text },
});

/** The value of a metric, by the beginning of its line. */
export async function metricOf(client: ApiClient, start: string): Promise<number | undefined> {
  const { text } = await client.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}
