import { BackupError } from '@orch/backup';
import { type Env, messageOf } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { type Backend, type Migration, readStoreRecord, storeRecordKey } from '@orch/storage';
import { ReplicaChannel, type ReplicaChannelOptions } from '../peers/replica-channel.ts';

/** A replica, with host and port for messages. */
export interface KnownReplica {
  readonly id: string;
  readonly address: string;
}

export interface MigrationReadinessOptions extends Pick<ReplicaChannelOptions, 'store' | 'prefix'> {
  readonly own: KnownReplica;
  /** Whether this thread answers other replicas: one of the process does. True when absent. */
  readonly answers?: boolean;
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** Prefix of the keys that are migrated. */
  readonly storePrefix: string;
  /** The replicas that have recorded themselves, this one possibly included. */
  readonly replicas: (signal: AbortSignal) => Promise<readonly KnownReplica[]>;
  /** Opens the store to which a migration would move the content. Throws when this replica cannot. */
  readonly openTarget: (signal: AbortSignal) => Promise<Backend>;
}

/** Replicas that have not recorded themselves can answer in this time. */
const WINDOW_MS = 500;
/** Replicas that have recorded themselves can answer in this time; those that were killed are forgotten in it. */
const LIMIT_MS = 30_000;
const OPEN_MS = 5_000;

/** An answer: `problem` is empty when the replica can continue in the target. */
interface Answer {
  readonly address: string;
  readonly problem: string;
}

/** Checks before a migration whether the other replicas could continue in the store to which it moves the content. */
export class MigrationReadiness {
  readonly #options: MigrationReadinessOptions;
  readonly #channel: ReplicaChannel;

  constructor(options: MigrationReadinessOptions) {
    this.#options = options;
    const { store, prefix, own, env } = options;
    const answer = async (question: JsonObject, signal: AbortSignal) =>
      options.answers === false ? undefined : this.#answer(question, signal);
    this.#channel = new ReplicaChannel({ store, prefix, own: own.id, env, answer });
  }

  /** Answers other replicas until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#channel.run(signal);
  }

  /** Throws `refused` unless all other replicas can use the target, whose record has the migration. */
  async check(migration: Migration, { isShared }: Backend, signal: AbortSignal): Promise<void> {
    const answers = new Map<string, Answer>();
    let missing: readonly KnownReplica[] = [];
    const onAnswer = (replica: string, { address, problem }: JsonObject): void => {
      answers.set(replica, { address: String(address), problem: String(problem) });
    };
    const wait = async (): Promise<void> => {
      missing = await this.#missing(answers, isShared ? LIMIT_MS : WINDOW_MS, signal);
    };
    await this.#channel.ask({ migration: migration.id, isShared }, { onAnswer, wait }, signal);
    if (isShared) refuseUnready([...answers.values()], missing, migration);
    else refuseOthers(answers.size + missing.length);
  }

  /** The replicas without an answer, once the time has passed or there are none. */
  async #missing(
    answers: ReadonlyMap<string, Answer>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<readonly KnownReplica[]> {
    const { own, env, replicas } = this.#options;
    const end = env.clock.monotonic() + limitMs;
    for (;;) {
      await sleep(env.clock, WINDOW_MS, signal);
      const known = await replicas(signal);
      const missing = known.filter(({ id }) => id !== own.id && !answers.has(id));
      const isRefused = [...answers.values()].some(({ problem }) => problem !== '');
      if (missing.length === 0 || isRefused || env.clock.monotonic() >= end) return missing;
    }
  }

  async #answer({ migration, isShared }: JsonObject, signal: AbortSignal): Promise<Answer | undefined> {
    if (typeof migration !== 'string') return undefined;
    const { address } = this.#options.own;
    // An embedded store is used by one server: it is not opened, since it is open there.
    return { address, problem: isShared === true ? await this.#problemWith(migration, signal) : '' };
  }

  async #problemWith(id: string, signal: AbortSignal): Promise<string> {
    const { env, openTarget, storePrefix } = this.#options;
    using limit = withDeadline(signal, env.clock, OPEN_MS);
    try {
      const target = await openTarget(limit.signal);
      try {
        const key = storeRecordKey(storePrefix);
        const { record } = await readStoreRecord(target.store, key, limit.signal);
        if (record.migration?.id === id) return '';
        return `--migration-target-file names another store there: ${target.name}`;
      } finally {
        await target.store.close();
      }
    } catch (error) {
      const isLate = limit.signal.aborted && !signal.aborted;
      return isLate ? `it could not be opened in ${OPEN_MS / 1000} seconds` : messageOf(error);
    }
  }
}

function refuseUnready(
  answers: readonly Answer[],
  missing: readonly KnownReplica[],
  { to }: Migration,
): void {
  const problems = answers
    .filter(({ problem }) => problem !== '')
    .map(({ address, problem }) => `the server at ${address} cannot use it: ${problem}`);
  const silent = missing.map(
    ({ address }) => `the server at ${address} has not answered: it may be of an earlier version`,
  );
  const [first, ...more] = problems.length > 0 ? problems : silent;
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` (and ${more.length} other servers)`;
  throw new BackupError('refused', `${to} is not ready for all servers: ${first}${others}`);
}

function refuseOthers(count: number): void {
  if (count === 0) return;
  throw new BackupError(
    'refused',
    `${count + 1} servers use the store, and an embedded store has one: stop the others first; servers that were killed are forgotten after some seconds`,
  );
}
