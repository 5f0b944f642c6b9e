import { hostname } from 'node:os';
import { internalKey } from '@orch/registry';
import { advertisedAddress } from '../advertise-address.ts';
import { RECORD_TTL_SECONDS, ReplicaAgreement } from '../replicas/replica-agreement.ts';
import { ReplicaRecords } from '../replicas/replica-records.ts';
import { replicaSettings } from '../replicas/replica-settings.ts';
import type { Opened } from './open.ts';
import type { StartContext } from './start-context.ts';

/** Compares this server with the other replicas; undefined for the only server of an embedded store. */
export function agreementOf(
  { settings, host: { env } }: StartContext,
  opened: Opened,
): ReplicaAgreement | undefined {
  if (settings.storage !== 'etcd') return undefined;
  const id = env.random.uuid();
  return new ReplicaAgreement({
    records: new ReplicaRecords({
      store: opened.store,
      prefix: internalKey(settings.storePrefix, 'replicas/'),
      id,
      ttlSeconds: RECORD_TTL_SECONDS,
    }),
    id,
    address: `${advertisedAddress(settings) ?? hostname()}:${settings.bind.port}`,
    settings: () => replicaSettings(settings, opened),
    permitsSeparate: settings.flags.separateCredentials,
    env,
  });
}
