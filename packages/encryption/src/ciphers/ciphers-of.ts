import type { Random } from '@orch/machinery';
import { type ProviderConfiguration, prefixOf } from '../configuration/provider.ts';
import type { DecryptedValue, ValueCipher } from '../value-cipher.ts';
import { AesCbcCipher } from './aes-cbc.ts';
import { AesGcmCipher } from './aes-gcm.ts';
import { SecretboxCipher } from './secretbox.ts';

/** Values that are not encrypted. */
const identity: ValueCipher = {
  prefix: '',
  encrypt: (value: Buffer): Buffer => value,
  decrypt: (value: Buffer): DecryptedValue => ({ value, isStale: false }),
};

const cipherTypes = { aescbc: AesCbcCipher, aesgcm: AesGcmCipher, secretbox: SecretboxCipher } as const;

/** The ciphers of a provider, one for each key, in their order. `marker` begins the prefix of all encrypted values. */
export function ciphersOf(
  provider: Exclude<ProviderConfiguration, { readonly type: 'kms' }>,
  marker: string,
  random: Pick<Random, 'bytes'>,
): readonly ValueCipher[] {
  const { type } = provider;
  if (type === 'identity') return [identity];
  const Cipher = cipherTypes[type];
  return provider.keys.map(
    ({ name, secret }) => new Cipher({ prefix: marker + prefixOf(type, name), secret }, random),
  );
}
