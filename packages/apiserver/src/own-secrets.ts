import type { KeyPair } from '@orch/pki/x509';
import type { Certificates } from './certificates/serving.ts';
import type { OwnTokenKeys } from './tokens/token-keys.ts';

/** What a server has for the whole cluster, for controllers of the same process. PEM throughout. */
export interface OwnSecrets {
  /** The authority whose client certificates the server accepts. */
  readonly clientAuthority: KeyPair;
  /** What clients verify the serving certificate with. */
  readonly servingCa: string;
  /** The key that tokens of service accounts are signed with; undefined where the server only checks them. */
  readonly tokenKey: string | undefined;
}

export const ownSecrets = (
  { clientAuthority, servingCa }: Certificates,
  { signing }: OwnTokenKeys,
): OwnSecrets => ({
  clientAuthority,
  servingCa,
  tokenKey: signing?.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
