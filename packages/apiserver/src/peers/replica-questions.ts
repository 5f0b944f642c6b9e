import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { PeerAnswer, PeerQuestion, Peers, RememberedRequests, ReplicaName } from '@orch/explanations';
import { type Env, errors } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { RequestRecord } from '@orch/pipeline';
import { isRequestId, type UserInfo } from '@orch/request';
import { type CountQuestions, QuestionLimits } from './question-limits.ts';
import { ReplicaChannel, type ReplicaChannelOptions } from './replica-channel.ts';
import { AnswerKey, sealedAnswer } from './sealed-answer.ts';

export interface ReplicaQuestionsOptions extends Pick<ReplicaChannelOptions, 'store' | 'prefix'> {
  readonly env: Env;
  /** Random name of this replica; a new one when absent. */
  readonly id?: string;
  /** Whether this thread answers other replicas: one of the process does. True when absent. */
  readonly answers?: boolean;
  /** Replaces the limits of this thread by those of its process. */
  readonly limits?: (own: CountQuestions) => CountQuestions;
  readonly records: Pick<RememberedRequests, 'withId'>;
  /** Reports whether there are other replicas, which could answer. */
  readonly hasOthers: (signal: AbortSignal) => Promise<boolean>;
}

/** Replicas that answer later are missing in the answer. */
const WINDOW_MS = 500;
/** Maximum number of records in an answer, and of their characters as JSON. */
const MAX_RECORDS = 20;
const MAX_CHARACTERS = 16_384;
const ID_LENGTH = 8;

/**
 * Requests to the other replicas for the requests that they remember. A request contains the user whose records the
 * client may see, and replicas return no others.
 */
export class ReplicaQuestions implements Peers {
  readonly own: ReplicaName;
  readonly #options: ReplicaQuestionsOptions;
  readonly #channel: ReplicaChannel;
  readonly #limits: CountQuestions;

  constructor(options: ReplicaQuestionsOptions) {
    const { store, prefix, env } = options;
    this.#options = options;
    this.own = { id: (options.id ?? env.random.uuid()).slice(0, ID_LENGTH), host: hostname() };
    const own = new QuestionLimits(env.clock);
    this.#limits = options.limits?.(own) ?? own;
    const answer = async (question: JsonObject): Promise<object | undefined> =>
      options.answers === false ? undefined : await this.#answer(question);
    this.#channel = new ReplicaChannel({ store, prefix, own: this.own.id, env, answer });
  }

  async ask(question: PeerQuestion, signal: AbortSignal): Promise<readonly PeerAnswer[]> {
    if (!(await this.#options.hasOthers(signal))) return [];
    const asker = digestOf(question.user);
    const refused = await this.#limits.begin(asker);
    if (refused !== undefined) throw errors.tooManyRequests(refused.problem, refused.retryAfterSeconds);
    try {
      return await this.#answersTo(question, signal);
    } finally {
      await this.#limits.end(asker);
    }
  }

  async #answersTo({ id, owner }: PeerQuestion, signal: AbortSignal): Promise<readonly PeerAnswer[]> {
    const answers: PeerAnswer[] = [];
    const key = new AnswerKey();
    const onAnswer = (replica: string, sealed: JsonObject): void => {
      const answer = key.open(sealed);
      if (answer !== undefined) answers.push(answerOf(replica, answer));
    };
    const wait = (): Promise<void> => sleep(this.#options.env.clock, WINDOW_MS, signal);
    const question = { id, of: owner === 'everyone' ? owner : digestOf(owner), key: key.publicKey };
    await this.#channel.ask(question, { onAnswer, wait }, signal);
    return answers;
  }

  /** Answers the questions of other replicas until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#channel.run(signal);
  }

  /** Undefined for a value that is not a request of this release. */
  async #answer({ id, of, key }: JsonObject): Promise<object | undefined> {
    if (typeof id !== 'string' || !isRequestId(id) || typeof of !== 'string' || typeof key !== 'string')
      return undefined;
    const all = await this.#options.records.withId(id, 'everyone');
    if (of === 'everyone') return sealedAnswer(key, { host: this.own.host, records: limited(all) });
    return sealedAnswer(key, { records: limited(all.filter(({ user }) => digestOf(user) === of)) });
  }
}

/** Identifies a user in a request: it has a fixed length, and the store does not contain the names of users. */
const digestOf = ({ name, uid }: Pick<UserInfo, 'name' | 'uid'>): string =>
  createHash('sha256')
    .update(JSON.stringify([name, uid]))
    .digest('base64');

function limited(records: readonly RequestRecord[]): readonly RequestRecord[] {
  let characters = 0;
  return records.slice(0, MAX_RECORDS).filter((record) => {
    characters += JSON.stringify(record).length;
    return characters <= MAX_CHARACTERS;
  });
}

/** Only replicas write answers: records have the form of this release, or that of another one during an update. */
const answerOf = (id: string, { host, records }: JsonObject): PeerAnswer => ({
  replica: { id, host: asText(host) },
  records: Array.isArray(records) ? records.filter(isRecord) : [],
});

/** Reports whether a record has what explanations read. */
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
