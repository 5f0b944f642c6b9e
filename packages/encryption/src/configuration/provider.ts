import type { ConfigValue } from '@orch/machinery/yaml';
import { type KmsConfiguration, type KmsNames, readKms } from './kms-provider.ts';
import { nameOf } from './provider-name.ts';

/** A key of a provider, by the name in the prefix of stored values. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

export type KeyedProviderType = 'aescbc' | 'aesgcm' | 'secretbox';

export type ProviderConfiguration =
  | { readonly type: 'identity' }
  | { readonly type: KeyedProviderType; readonly keys: readonly NamedKey[] }
  | KmsConfiguration;

/** The prefix of values that a key has encrypted, without the marker. */
export const prefixOf = (type: KeyedProviderType, name: string): string => `${type}:v1:${name}:`;

/** The prefix of values whose keys a key service has encrypted, without the marker. */
export const kmsPrefixOf = ({ version, name }: Pick<KmsConfiguration, 'version' | 'name'>): string =>
  `kms:${version}:${name}:`;

/** The names in the prefixes of values: provider, version, and the key or the key service. */
export function prefixesOf(provider: ProviderConfiguration): readonly string[] {
  switch (provider.type) {
    case 'identity':
      return [];
    case 'kms':
      return [kmsPrefixOf(provider)];
    default:
      return provider.keys.map(({ name }) => prefixOf(provider.type, name));
  }
}

const providerTypes = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'] as const;

const keyBytes: Readonly<Record<KeyedProviderType, readonly number[]>> = {
  aescbc: [16, 24, 32],
  aesgcm: [16, 24, 32],
  secretbox: [32],
};

export function readProvider(entry: ConfigValue, kmsNames: KmsNames): ProviderConfiguration {
  const field = entry.object(providerTypes);
  const [type, ...others] = providerTypes.filter((one) => !field(one).isAbsent);
  if (type === undefined) entry.fail(`one of ${providerTypes.join(', ')} is required`);
  if (others.length > 0) {
    entry.fail(`has the providers ${[type, ...others].join(' and ')}; each needs a separate entry`);
  }
  switch (type) {
    case 'identity':
      field(type).object([]);
      return { type };
    case 'kms':
      return readKms(field(type), kmsNames);
    default:
      return { type, keys: readKeys(field(type).object(['keys'])('keys'), keyBytes[type]) };
  }
}

function readKeys(list: ConfigValue, lengths: readonly number[]): readonly NamedKey[] {
  const keys: NamedKey[] = [];
  for (const entry of list.list()) {
    const field = entry.object(['name', 'secret']);
    const name = nameOf(field('name'));
    if (keys.some((key) => key.name === name))
      field('name').fail(`the key ${JSON.stringify(name)} is repeated`);
    keys.push({ name, secret: readSecret(field('secret'), lengths) });
  }
  if (keys.length === 0) list.fail('at least one key is required');
  return keys;
}

/** Messages do not contain the value. */
function readSecret(value: ConfigValue, lengths: readonly number[]): Buffer {
  const text = value.text().replace(/[\r\n]/g, '');
  if (text === '') value.fail('a secret is required');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    value.fail('must be encoded in base64');
  const secret = Buffer.from(text, 'base64');
  if (!lengths.includes(secret.length))
    value.fail(`must have ${lengths.join(', ').replace(/, (\d+)$/, ' or $1')} bytes, not ${secret.length}`);
  return secret;
}
