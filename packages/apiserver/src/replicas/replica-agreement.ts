import { type Env, messageOf } from '@orch/machinery';
import { anySignal, sleep, withDeadline } from '@orch/machinery/concurrency';
import { StartError } from '@orch/program';
import { isWriteRefused } from '../storage/refused-writes.ts';
import type { ReplicaRecord, ReplicaRecords } from './replica-records.ts';
import { isGenerated, type ReplicaSettings } from './replica-settings.ts';

/** The store that a server uses, which a migration may replace by another one. */
export interface UsedStore {
  /** Other servers may use it, too. */
  readonly isShared: boolean;
  /** Aborts when the server continues in another store. */
  readonly left: AbortSignal;
}

export interface ReplicaAgreementOptions {
  /** The store that this replica uses now. */
  readonly used: () => UsedStore;
  readonly records: ReplicaRecords;
  readonly id: string;
  /** Host and port of this replica, for messages. */
  readonly address: string;
  /** The current settings of this replica. */
  readonly settings: () => ReplicaSettings;
  /** Replicas may each generate certificates that the others do not trust. */
  readonly permitsSeparate: boolean;
  readonly env: Pick<Env, 'clock' | 'log' | 'metrics'>;
}

/** Interval at which a replica renews its record, and the ttl of the record. */
const INTERVAL_MS = 10_000;
export const RECORD_TTL_SECONDS = 25;
const DEADLINE_MS = 10_000;
const LEAVE_MS = 2_000;

/**
 * Compares the settings that the replicas of a cluster must share, by records in the store, if the store is shared. A
 * replica that would generate credentials that others already have does not start; other differences are reported while
 * they last, since changes of shared files reach one replica after the other.
 */
export class ReplicaAgreement {
  readonly #options: ReplicaAgreementOptions;
  readonly #differences;
  /** The reported differences, by setting. */
  #reported: ReadonlyMap<string, string> = new Map();
  #hasLeft = false;

  constructor(options: ReplicaAgreementOptions) {
    this.#options = options;
    this.#differences = options.env.metrics.gauge({
      name: 'apiserver_replica_setting_differences',
      help: 'Number of other replicas that have another value of a setting that must be the same for all, by flag.',
      isSameInThreads: true,
      labels: ['flag'],
      stability: 'ALPHA',
    });
  }

  /**
   * Records this replica, or only reads the records of others while the store does not accept writes. Rejects with a
   * `StartError` when it would generate what another replica has already.
   */
  async join(signal: AbortSignal): Promise<void> {
    if (!this.#options.used().isShared) return;
    const { others, since } = await this.#exchange(signal).catch((error: unknown) =>
      this.#readOnly(error, signal),
    );
    const { permitsSeparate, settings } = this.#options;
    const own = settings();
    // If replicas start at the same time, the first one continues.
    const earlier = others.filter((other) => other.since < since);
    for (const [flag, value] of permitsSeparate ? [] : Object.entries(own)) {
      const other = earlier.find((record) => (record.settings[flag] ?? value) !== value);
      if (isGenerated(value) && other !== undefined) throw new StartError(generatedMessage(flag, other));
    }
    this.#report(others, own);
  }

  /** Renews the record and compares, until the signal aborts; at once after a migration to another store. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.env;
    for (;;) {
      await this.#interval(signal);
      if (this.#hasLeft) return;
      using deadline = withDeadline(signal, clock, DEADLINE_MS);
      try {
        const { used, settings } = this.#options;
        const others = used().isShared ? (await this.#exchange(deadline.signal)).others : [];
        this.#report(others, settings());
      } catch (error) {
        signal.throwIfAborted();
        log.warn('the settings of other replicas cannot be read', { error: messageOf(error) });
      }
    }
  }

  async #interval(signal: AbortSignal): Promise<void> {
    const { used, env } = this.#options;
    using either = anySignal([signal, used().left]);
    await sleep(env.clock, INTERVAL_MS, either.signal).catch(() => signal.throwIfAborted());
  }

  /** Removes the record. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    using limit = withDeadline(new AbortController().signal, this.#options.env.clock, LEAVE_MS);
    await this.#options.records.remove(limit.signal).catch(() => undefined);
  }

  /** Writes the record of this replica; returns when it was created, and the records of the other replicas. */
  async #exchange(
    signal: AbortSignal,
  ): Promise<{ readonly since: number; readonly others: readonly ReplicaRecord[] }> {
    const { records, id, address, settings } = this.#options;
    await records.renew(address, settings(), signal);
    const all = await records.read(signal);
    const own = all.find((record) => record.id === id);
    return { since: own?.since ?? 0, others: all.filter((record) => record.id !== id) };
  }

  /** The records of others, after the store has refused that of this replica: they started before it. */
  async #readOnly(
    error: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly since: number; readonly others: readonly ReplicaRecord[] }> {
    if (signal.aborted || !isWriteRefused(error)) throw error;
    const { records, id, env } = this.#options;
    const others = (await records.read(signal)).filter((record) => record.id !== id);
    env.log.warn('other replicas cannot see the settings of this one yet: the store does not accept writes', {
      error: messageOf(error),
    });
    return { since: Number.POSITIVE_INFINITY, others };
  }

  #report(others: readonly ReplicaRecord[], own: ReplicaSettings): void {
    const reported = new Map<string, string>();
    this.#differences.clear();
    for (const [flag, value] of Object.entries(own)) {
      // A release without a setting does not differ in it.
      const different = others.filter(({ settings }) => (settings[flag] ?? value) !== value);
      this.#differences.series(flag).set(different.length);
      if (different.length > 0) reported.set(flag, different.map(({ address }) => address).join(', '));
    }
    for (const [flag, replicas] of reported)
      if (this.#reported.get(flag) !== replicas)
        this.#options.env.log.warn('other replicas have another setting, which must be the same for all', {
          flag,
          replicas,
        });
    for (const flag of this.#reported.keys())
      if (!reported.has(flag))
        this.#options.env.log.info('all replicas have the same setting again', { flag });
    this.#reported = reported;
  }
}

const purposes: Readonly<Record<string, readonly [what: string, flags: string]>> = {
  'client-ca-file': ['authority for client certificates', '--client-ca-file'],
  'tls-cert-file': ['authority for its serving certificate', '--tls-cert-file and --tls-private-key-file'],
};

function generatedMessage(flag: string, { address }: ReplicaRecord): string {
  const [what = flag, flags = flag] = purposes[flag] ?? [];
  return (
    `this replica has generated an ${what}, and the replica at ${address} uses another one: clients of one would not be ` +
    `accepted by, or would not trust, the other. Run \`orch init\` once and give all replicas its files (${flags}), give them the ` +
    `same --cert-dir, or set --separate-credentials. A replica that was killed is remembered for ${RECORD_TTL_SECONDS} seconds.`
  );
}
