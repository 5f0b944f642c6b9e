import { hostname } from 'node:os';
import { internalKey } from '@orch/registry';
import { advertisedAddress } from '../advertise-address.ts';
import { RECORD_TTL_SECONDS, ReplicaAgreement, type UsedStore } from '../replicas/replica-agreement.ts';
import { ReplicaRecords } from '../replicas/replica-records.ts';
import { replicaSettings } from '../replicas/replica-settings.ts';
import { MigrationReadiness } from '../storage/migration-readiness.ts';
import { neededMigrationTarget } from '../storage/migration-target.ts';
import { openBackendOf } from '../storage/open-store.ts';
import type { Opened } from './open.ts';
import type { StartContext } from './start-context.ts';

/** The parts by which this server and the others communicate. */
export interface ReplicaParts {
  /** Compares this server with the other replicas. Both also for an embedded store: its content may be moved to a shared one. */
  readonly agreement: ReplicaAgreement;
  readonly readiness: MigrationReadiness;
  /** Reports whether other replicas run. */
  readonly hasOthers: (signal: AbortSignal) => Promise<boolean>;
}

export function replicaParts(context: StartContext, opened: Opened): ReplicaParts {
  const { settings, host, threads } = context;
  const { env, workerUrl, furtherThread } = host;
  const { storePrefix } = settings;
  const own = {
    id: (furtherThread ?? threads).replica,
    address: `${advertisedAddress(settings) ?? hostname()}:${settings.bind.port}`,
  };
  const records = new ReplicaRecords({
    store: opened.store,
    prefix: internalKey(storePrefix, 'replicas/'),
    id: own.id,
    ttlSeconds: RECORD_TTL_SECONDS,
  });
  const readiness = new MigrationReadiness({
    store: opened.store,
    prefix: internalKey(storePrefix, 'migration-questions/'),
    own,
    answers: furtherThread === undefined,
    env,
    storePrefix,
    replicas: (signal) => records.read(signal),
    openTarget: (signal) => openBackendOf(neededMigrationTarget(settings), { env, workerUrl, signal }),
  });
  const hasOthers = async (signal: AbortSignal): Promise<boolean> =>
    usedStore(opened).isShared && (await records.read(signal)).some(({ id }) => id !== own.id);
  const agreement = new ReplicaAgreement({
    used: () => usedStore(opened),
    records,
    ...own,
    settings: () => replicaSettings(settings, opened),
    permitsSeparate: settings.flags.separateCredentials,
    env,
  });
  return { agreement, readiness, hasOthers };
}

/** The store that the server uses now. */
const usedStore = ({ movable: { place } }: Pick<Opened, 'movable'>): UsedStore => ({
  isShared: place.backend.isShared,
  left: place.left,
});
