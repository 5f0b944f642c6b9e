import { hostname } from 'node:os';
import type { Peers } from '@orch/explanations';
import { type Env, errors, isJsonObject, sleep } from '@orch/machinery';
import type { ReplicaRecord, RequestRecord, RequestRecords } from '@orch/pipeline';
import { ReplicaChannel, type ReplicaChannelOptions } from './replica-channel.ts';

export interface ReplicaQuestionsOptions extends Pick<ReplicaChannelOptions, 'store' | 'prefix'> {
  /** Other replicas may use the store now: without them none is asked. */
  readonly isShared: () => boolean;
  readonly env: Env;
  readonly records: Pick<RequestRecords, 'withId'>;
}

/** Replicas that answer later are missing in the answer. */
const WINDOW_MS = 500;
/** Maximum number of questions of this replica at a time: each costs a write for every replica. */
const MAX_OPEN = 4;
/** Maximum number of records in an answer. */
const MAX_RECORDS = 20;

/**
 * Questions to the other replicas about the requests that they remember. The replica that is asked by a client checks what the
 * client may see.
 */
export class ReplicaQuestions implements Peers {
  readonly #own: string;
  readonly #isShared: () => boolean;
  readonly #env: Env;
  readonly #channel: ReplicaChannel;

  constructor({ store, prefix, isShared, env, records }: ReplicaQuestionsOptions) {
    this.#env = env;
    this.#isShared = isShared;
    this.#own = `${hostname()}-${env.random.uuid().slice(0, 8)}`;
    this.#channel = new ReplicaChannel({
      store,
      prefix,
      own: this.#own,
      env,
      answer: async ({ id }) =>
        typeof id === 'string' ? { records: records.withId(id).slice(0, MAX_RECORDS) } : undefined,
    });
  }

  get own(): string {
    return this.#isShared() ? this.#own : hostname();
  }

  async ask(id: string, signal: AbortSignal): ReturnType<Peers['ask']> {
    if (!this.#isShared()) return { replicas: [], records: [] };
    if (this.#channel.open >= MAX_OPEN)
      throw errors.tooManyRequests('too many questions to other replicas; please try again', 1);
    const replicas = new Set<string>();
    const found: ReplicaRecord[] = [];
    const onAnswer = (replica: string, { records }: Readonly<Record<string, unknown>>): void => {
      if (!Array.isArray(records)) return;
      replicas.add(replica);
      // Only replicas write here: the records have the form of this release, or that of another one during an update.
      for (const record of records.filter(isRecord)) found.push({ replica, record });
    };
    const wait = (): Promise<void> => sleep(this.#env.clock, WINDOW_MS, signal);
    await this.#channel.ask({ id }, { onAnswer, wait }, signal);
    return { replicas: [...replicas], records: found };
  }

  /** Answers the questions of other replicas until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#channel.run(signal);
  }
}

/** Whether a record has what explanations read. */
const isRecord = (value: unknown): value is RequestRecord =>
  isJsonObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['receivedAt'] === 'number' &&
  typeof value['durationMs'] === 'number' &&
  typeof value['target'] === 'string' &&
  isJsonObject(value['info']) &&
  isJsonObject(value['user']) &&
  isJsonObject(value['timing']) &&
  Array.isArray(value['steps']);
