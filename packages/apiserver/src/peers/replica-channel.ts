import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { type KvEvent, prefixRange, readable, type Store } from '@orch/storage';

export interface ReplicaChannelOptions {
  readonly store: Pick<Store, 'commit' | 'watch' | 'currentRevision'>;
  /** Prefix of the keys of questions and answers; ends with a slash, and belongs to no resource. */
  readonly prefix: string;
  /** Name of this replica, without a slash. */
  readonly own: string;
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** The answer of this replica to a question of another one; undefined for a question that it does not understand. */
  readonly answer: (question: JsonObject, signal: AbortSignal) => Promise<object | undefined>;
}

export type OnAnswer = (replica: string, answer: JsonObject) => void;

/** Time after which the store removes questions and answers. */
const TTL_SECONDS = 10;
const RETRY_MS = 1000;

/**
 * Requests to the other replicas. They are exchanged through keys of the store, which all replicas can access and
 * trust, so that replicas do not need each other's addresses: `q/NONCE` is a request, `a/NONCE/REPLICA` a response.
 */
export class ReplicaChannel {
  readonly #options: ReplicaChannelOptions;
  readonly #open = new Map<string, OnAnswer>();

  constructor(options: ReplicaChannelOptions) {
    this.#options = options;
  }

  /** Sends a request, and collects the responses until `wait` has ended. */
  async ask(
    question: object,
    { onAnswer, wait }: { readonly onAnswer: OnAnswer; readonly wait: () => Promise<void> },
    signal: AbortSignal,
  ): Promise<void> {
    const nonce = this.#options.env.random.uuid();
    this.#open.set(nonce, onAnswer);
    try {
      await this.#put(`q/${nonce}`, { ...question, from: this.#options.own }, signal);
      await wait();
    } finally {
      this.#open.delete(nonce);
    }
  }

  /** Answers the questions of other replicas until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, prefix, env } = this.#options;
    const range = { ...prefixRange(prefix), eventsOnly: true };
    while (!signal.aborted) {
      try {
        const start = await store.currentRevision(signal);
        for await (const { events } of store.watch(range, start, signal))
          for (const event of events) await this.#handle(event, signal);
      } catch (error) {
        if (signal.aborted) return;
        env.log.warn('requests of other replicas cannot be read', { error: messageOf(error) });
        await sleep(env.clock, RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #handle(event: KvEvent, signal: AbortSignal): Promise<void> {
    if (event.type !== 'put') return;
    const { prefix, own } = this.#options;
    const [kind, nonce = '', replica = ''] = event.kv.key.slice(prefix.length).split('/');
    const content = contentOf(readable(event.kv).value);
    if (kind === 'q' && content['from'] !== own) await this.#answer(nonce, content, signal);
    if (kind === 'a') this.#open.get(nonce)?.(replica, content);
  }

  async #answer(nonce: string, question: JsonObject, signal: AbortSignal): Promise<void> {
    const { own, env, answer } = this.#options;
    try {
      const content = await answer(question, signal);
      if (content !== undefined) await this.#put(`a/${nonce}/${own}`, content, signal);
    } catch (error) {
      if (signal.aborted) return;
      env.log.warn('a request of another replica cannot be answered', { error: messageOf(error) });
    }
  }

  async #put(name: string, content: object, signal: AbortSignal): Promise<void> {
    const { store, prefix } = this.#options;
    const value = Buffer.from(JSON.stringify(content));
    await store.commit({ op: 'create', key: prefix + name, value, ttlSeconds: TTL_SECONDS }, signal);
  }
}

function contentOf(value: Buffer): JsonObject {
  try {
    const content = parseJson(value);
    return isJsonObject(content) ? content : {};
  } catch {
    return {};
  }
}
