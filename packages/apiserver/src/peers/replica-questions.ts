import { hostname } from 'node:os';
import type { Peers } from '@orch/explanations';
import { type Env, errors, isJsonObject, messageOf, parseJson, sleep } from '@orch/machinery';
import type { ReplicaRecord, RequestRecord, RequestRecords } from '@orch/pipeline';
import { type KvEvent, prefixRange, type Store } from '@orch/storage';

export interface ReplicaQuestionsOptions {
  readonly store: Pick<Store, 'commit' | 'watch' | 'currentRevision'>;
  /** Prefix of the keys of questions and answers; ends with a slash, and belongs to no resource. */
  readonly prefix: string;
  readonly env: Env;
  readonly records: Pick<RequestRecords, 'withId'>;
}

/** Replicas that answer later are missing in the answer. */
const WINDOW_MS = 500;
/** Time after which the store removes questions and answers. */
const TTL_SECONDS = 10;
/** Maximum number of questions of this replica at a time: each costs a write for every replica. */
const MAX_OPEN = 4;
/** Maximum number of records in an answer. */
const MAX_RECORDS = 20;
const RETRY_MS = 1000;

interface OpenQuestion {
  readonly replicas: Set<string>;
  readonly records: ReplicaRecord[];
}

/**
 * Questions to the other replicas about the requests that they remember. They are asked through keys of the store, which all
 * replicas reach and trust, so that replicas need no addresses of each other: `q/NONCE` asks, `a/NONCE/REPLICA` answers. The
 * replica that is asked by a client checks what the client may see.
 */
export class ReplicaQuestions implements Peers {
  readonly own: string;
  readonly #options: ReplicaQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: ReplicaQuestionsOptions) {
    this.#options = options;
    this.own = `${hostname()}-${options.env.random.uuid().slice(0, 8)}`;
  }

  async ask(id: string, signal: AbortSignal): ReturnType<Peers['ask']> {
    const { env } = this.#options;
    if (this.#open.size >= MAX_OPEN)
      throw errors.tooManyRequests('too many questions to other replicas; please try again', 1);
    const nonce = env.random.uuid();
    const question: OpenQuestion = { replicas: new Set(), records: [] };
    this.#open.set(nonce, question);
    try {
      await this.#put(`q/${nonce}`, { id, from: this.own }, signal);
      await sleep(env.clock, WINDOW_MS, signal);
    } finally {
      this.#open.delete(nonce);
    }
    return { replicas: [...question.replicas], records: question.records };
  }

  /** Answers the questions of other replicas until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, prefix, env } = this.#options;
    while (!signal.aborted) {
      try {
        const start = await store.currentRevision(signal);
        for await (const { events } of store.watch(prefixRange(prefix), start, signal))
          for (const event of events) await this.#handle(event, signal);
      } catch (error) {
        if (signal.aborted) return;
        env.log.warn('questions of other replicas cannot be read', { error: messageOf(error) });
        await sleep(env.clock, RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #handle(event: KvEvent, signal: AbortSignal): Promise<void> {
    if (event.type !== 'put') return;
    const [kind, nonce = '', replica = ''] = event.kv.key.slice(this.#options.prefix.length).split('/');
    const content = contentOf(event.kv.value);
    if (kind === 'q' && content['from'] !== this.own) await this.#answer(nonce, content['id'], signal);
    if (kind === 'a') this.#collect(nonce, replica, content['records']);
  }

  async #answer(nonce: string, id: unknown, signal: AbortSignal): Promise<void> {
    if (typeof id !== 'string') return;
    const records = this.#options.records.withId(id).slice(0, MAX_RECORDS);
    try {
      await this.#put(`a/${nonce}/${this.own}`, { records }, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.env.log.warn('a question of another replica cannot be answered', {
        error: messageOf(error),
      });
    }
  }

  #collect(nonce: string, replica: string, records: unknown): void {
    const question = this.#open.get(nonce);
    if (question === undefined || !Array.isArray(records)) return;
    question.replicas.add(replica);
    // Only replicas write here: the records have the form of this release, or that of another one during an update.
    for (const record of records.filter(isRecord)) question.records.push({ replica, record });
  }

  async #put(name: string, content: object, signal: AbortSignal): Promise<void> {
    const { store, prefix } = this.#options;
    const value = Buffer.from(JSON.stringify(content));
    await store.commit({ op: 'create', key: prefix + name, value, ttlSeconds: TTL_SECONDS }, signal);
  }
}

function contentOf(value: Buffer): Readonly<Record<string, unknown>> {
  try {
    const content = parseJson(value);
    return isJsonObject(content) ? content : {};
  } catch {
    return {};
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

/** The only replica of a store that cannot be shared. */
export const onlyReplica: Peers = {
  own: hostname(),
  ask: async () => ({ replicas: [], records: [] }),
};
