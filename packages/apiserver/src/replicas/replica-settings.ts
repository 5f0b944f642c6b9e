import { createHash } from 'node:crypto';
import type { ClientTrust } from '../authentication/client-trust.ts';
import type { Certificates } from '../certificates/serving.ts';
import type { ServerEncryption } from '../encryption/server-encryption.ts';
import type { Settings } from '../settings/settings.ts';
import type { OwnTokenKeys } from '../tokens/token-keys.ts';

/** The settings of a replica, by the flag that sets them; secrets only as digests. */
export type ReplicaSettings = Readonly<Record<string, string>>;

/** Prefix of the value of credentials that a replica has generated for itself, and others do not trust. */
const GENERATED = 'generated ';

export const isGenerated = (value: string): boolean => value.startsWith(GENERATED);

interface Parts {
  readonly certificates: Pick<Certificates, 'clientAuthority' | 'isServingCaOwn' | 'servingCa'>;
  readonly trust: Pick<ClientTrust, 'facts'>;
  readonly keys: OwnTokenKeys;
  readonly encryption: Pick<ServerEncryption, 'hash'> | undefined;
}

/** The settings that all replicas of a cluster must have in common. Files that are reloaded change them. */
export function replicaSettings(settings: Settings, parts: Parts): ReplicaSettings {
  const { flags, services, tokens, admission, release, storedAs } = settings;
  return {
    ...credentialsOf(settings, parts),
    'encryption-provider-config': parts.encryption?.hash ?? '',
    'etcd-servers-overrides': settings.overrides.map(({ resources }) => resources.join()).join(';'),
    'service-account-issuer': JSON.stringify([tokens.issuers, tokens.audiences]),
    'service-cluster-ip-range': services.addresses.map(({ text }) => text).join(),
    'service-node-port-range': services.ports.text,
    'authorization-mode': flags.authorizationConfig === '' ? flags.authorizationModes.join() : 'configured',
    'enable-admission-plugins': [...admission.plugins].sort().join(),
    'emulated-version': release,
    'storage-media-type': storedAs,
  };
}

function credentialsOf({ flags }: Settings, { certificates, trust, keys }: Parts): ReplicaSettings {
  const { clientAuthority, isServingCaOwn, servingCa } = certificates;
  const { clients, proxies } = trust.facts;
  return {
    'client-ca-file':
      flags.clientCaFile === ''
        ? GENERATED + digest([clientAuthority.cert])
        : digest(clients.filter((authority) => authority !== clientAuthority.cert)),
    // Replicas may have different certificates of authorities that clients trust.
    'tls-cert-file': isServingCaOwn ? GENERATED + digest([servingCa]) : 'given',
    // Generated keys of tokens and authorities of proxies are published in the store, and all replicas use them.
    'service-account-key-file': keys.isSelfMade
      ? 'published'
      : keys.external !== undefined
        ? 'external'
        : digest(
            flags.serviceAccountKeyFiles.length === 0
              ? [keys.signing?.id ?? '']
              : keys.checking.map(({ id }) => id),
          ),
    'requestheader-client-ca-file':
      proxies === undefined || proxies.isGenerated ? 'published' : digest(proxies.authorities),
  };
}

/** The same for the same strings in another order. */
function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of [...new Set(texts.map((each) => each.trim()))].sort()) hash.update(`${text}\0`);
  return hash.digest('hex');
}
