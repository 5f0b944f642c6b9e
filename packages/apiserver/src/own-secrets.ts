import { type KeyPair, privateKeyPem } from '@orch/pki/x509';
import type { Certificates } from './certificates/serving.ts';
import type { OwnTokenKeys } from './tokens/token-keys.ts';

/** Keys and certificates of the whole cluster, for controllers of the same process. PEM. */
export interface OwnSecrets {
  /** The authority whose client certificates the server accepts. */
  readonly clientAuthority: KeyPair;
  /** The authority that clients verify the serving certificate with. */
  readonly servingCa: string;
  /** The present signing key of service account tokens, which changes with its file; undefined when the server only verifies them. */
  readonly tokenKey: string | undefined;
}

export const ownSecrets = ({ clientAuthority, servingCa }: Certificates, keys: OwnTokenKeys): OwnSecrets => ({
  clientAuthority,
  servingCa,
  get tokenKey() {
    return keys.signing === undefined ? undefined : privateKeyPem(keys.signing.privateKey);
  },
});
