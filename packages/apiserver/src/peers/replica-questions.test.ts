import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { describe, it } from 'node:test';
import type { PeerAnswer } from '@orch/explanations';
import { ApiError, errors, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { RequestRecords } from '@orch/pipeline';
import { localRequest, parseRequestInfo } from '@orch/request';
import { type KeyValue, ModelStore, prefixRange } from '@orch/storage';
import { type CountQuestions, QuestionLimits } from './question-limits.ts';
import { ReplicaQuestions } from './replica-questions.ts';

const prefix = '/registry/~internal/request-questions/';
const userOf = (name: string) => ({ name, uid: '' });
const ann = userOf('ann');
const WINDOW_MS = 500;

interface Handled {
  readonly user: string;
  readonly id?: string;
  readonly path?: string;
  readonly error?: unknown;
}

/** Replicas over one store. */
class Cluster implements AsyncDisposable {
  readonly env = testEnv();
  readonly store = new ModelStore({ clock: this.env.clock });
  readonly stop = new AbortController();
  readonly #running: Promise<void>[] = [];

  async replica(limits?: CountQuestions) {
    const { env, store } = this;
    const records = new RequestRecords(env.clock, namesFor('orch'));
    const hasOthers = async (): Promise<boolean> => this.#running.length > 1;
    const shared = limits === undefined ? {} : { limits: () => limits };
    const questions = new ReplicaQuestions({ store, prefix, env, records, hasOthers, ...shared });
    this.#running.push(questions.run(this.stop.signal));
    await settle();
    const handled = ({ user, id = 'r1', path = '/api/v1/nodes', error }: Handled): void => {
      const line = { method: 'POST', rawPath: path, rawQuery: '', contentType: undefined };
      const trace = { user, identity: { ...userOf(user), groups: [], extra: {} } };
      const request = localRequest({ method: 'POST', target: path, id });
      const code = error === undefined ? 201 : 400;
      records.ended({ request, info: parseRequestInfo(line), trace }, { code, durationMs: 1, error });
    };
    return { questions, handled };
  }

  /** The answers to a question, once the window for them has passed. */
  async ask(
    questions: ReplicaQuestions,
    { user = ann, seesAll = false, id = 'r1' } = {},
  ): Promise<readonly PeerAnswer[]> {
    const owner = seesAll ? ('everyone' as const) : user;
    const asking = questions.ask({ id, owner, user }, this.stop.signal);
    const [result] = await Promise.all([asking, this.pass(WINDOW_MS)]);
    return result;
  }

  async pass(ms: number): Promise<void> {
    await settle();
    await this.env.clock.advance(ms);
    await settle();
  }

  async stored(): Promise<readonly KeyValue[]> {
    return (await this.store.list(prefixRange(prefix), {}, this.stop.signal)).items;
  }

  async write(name: string, content: object): Promise<void> {
    const value = Buffer.from(JSON.stringify(content));
    await this.store.commit({ op: 'create', key: prefix + name, value }, this.stop.signal);
    await settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await Promise.all(this.#running);
  }
}

const targetsOf = (answers: readonly PeerAnswer[]): readonly string[] =>
  answers.flatMap(({ records }) => records.map(({ target }) => target));

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status.code === 429;

describe('questions to other replicas', () => {
  it('a replica answers with the records of the user for whom it is asked, and with all for who may see all', async () => {
    await using cluster = new Cluster();
    const [here, there] = [await cluster.replica(), await cluster.replica()];
    there.handled({ user: 'ann', path: '/api/v1/nodes/a' });
    there.handled({ user: 'bob', path: '/api/v1/nodes/b' });
    there.handled({ user: 'ann', path: '/api/v1/nodes/c', id: 'r2' });
    assert.deepEqual(targetsOf(await cluster.ask(here.questions)), ['/api/v1/nodes/a']);
    assert.deepEqual(targetsOf(await cluster.ask(here.questions, { user: userOf('eve') })), []);
    const all = await cluster.ask(here.questions, { user: userOf('root'), seesAll: true });
    assert.deepEqual(targetsOf(all).toSorted(), ['/api/v1/nodes/a', '/api/v1/nodes/b']);
  });

  it('a replica names its host only to who may see all requests', async () => {
    await using cluster = new Cluster();
    const [here, there] = [await cluster.replica(), await cluster.replica()];
    assert.match(there.questions.own.id, /^[0-9a-f]{8}$/);
    const { id } = there.questions.own;
    const replicas = async (seesAll: boolean) =>
      (await cluster.ask(here.questions, { seesAll })).map(({ replica }) => replica);
    assert.deepEqual(await replicas(false), [{ id, host: '' }]);
    assert.deepEqual(await replicas(true), [{ id, host: hostname() }]);
  });

  it('a replica that is alone writes nothing to the store', async () => {
    await using cluster = new Cluster();
    const { questions } = await cluster.replica();
    const before = await cluster.store.currentRevision(cluster.stop.signal);
    for (let question = 0; question < 100; question++)
      assert.deepEqual(await questions.ask({ id: 'r1', owner: ann, user: ann }, cluster.stop.signal), []);
    assert.equal(await cluster.store.currentRevision(cluster.stop.signal), before);
  });

  it('the store does not show who asks, nor requests, users or hosts of answers', async () => {
    await using cluster = new Cluster();
    const [here, there] = [await cluster.replica(), await cluster.replica()];
    there.handled({ user: 'ann', path: '/api/v1/namespaces/a/pods/p/exec' });
    const asking = here.questions.ask({ id: 'r1', owner: 'everyone', user: ann }, cluster.stop.signal);
    await settle();
    const stored = (await cluster.stored()).map(({ key, value }) => `${key} ${value?.toString()}`).join('\n');
    assert.equal((await cluster.stored()).length, 2);
    for (const text of ['exec', '"ann', `"${hostname()}`, `/${hostname()}`])
      assert.equal(stored.includes(text), false, text);
    await cluster.pass(WINDOW_MS);
    assert.deepEqual(targetsOf(await asking), ['/api/v1/namespaces/a/pods/p/exec']);
  });

  it('an answer has a bounded size, however many and long the records are', async () => {
    await using cluster = new Cluster();
    const [here, there] = [await cluster.replica(), await cluster.replica()];
    const path = `/api/v1/namespaces/a/pods/${'p'.repeat(4000)}`;
    for (let request = 0; request < 64; request++)
      there.handled({ user: 'ann', path, error: errors.badRequest('m'.repeat(10_000)) });
    const answers = await cluster.ask(here.questions);
    const count = targetsOf(answers).length;
    assert.ok(count > 0 && count <= 20, String(count));
    for (const { value } of await cluster.stored())
      assert.ok(value !== undefined && value.length < 24_000, String(value?.length));
  });
});

describe('limits of questions to other replicas', () => {
  it('a user may have one question open, and others may ask meanwhile', async () => {
    await using cluster = new Cluster();
    const [here] = [await cluster.replica(), await cluster.replica()];
    const ask = (user: string) =>
      here.questions.ask({ id: 'r1', owner: userOf(user), user: userOf(user) }, cluster.stop.signal);
    const first = ask('ann');
    await settle();
    await assert.rejects(ask('ann'), isRefusal);
    const other = ask('bob');
    await cluster.pass(WINDOW_MS);
    assert.equal((await first).length, 1);
    assert.equal((await other).length, 1);
    assert.equal((await cluster.ask(here.questions)).length, 1);
  });

  it('a user who asks without pause is refused after a number of questions, and others are not', async () => {
    await using cluster = new Cluster();
    const [here] = [await cluster.replica(), await cluster.replica()];
    let answered = 0;
    let refused = 0;
    for (let question = 0; question < 60; question++)
      await cluster.ask(here.questions).then(
        () => answered++,
        () => refused++,
      );
    // 60 questions in 30 seconds: 20, and one in five seconds.
    assert.ok(answered >= 20 && answered <= 27, String(answered));
    assert.equal(answered + refused, 60);
    assert.equal((await cluster.ask(here.questions, { user: userOf('bob') })).length, 1);
    await cluster.pass(5_000);
    assert.equal((await cluster.ask(here.questions)).length, 1);
  });

  it('a user may ask through all threads of a replica as often as through one', async () => {
    await using cluster = new Cluster();
    const limits = new QuestionLimits(cluster.env.clock);
    const threads = [await cluster.replica(limits), await cluster.replica(limits)];
    const ask = (at: number) => {
      const { questions } = threads[at % 2] ?? assert.fail();
      return questions.ask({ id: 'r1', owner: ann, user: ann }, cluster.stop.signal);
    };
    const open = ask(0);
    await settle();
    await assert.rejects(ask(1), isRefusal);
    await cluster.pass(WINDOW_MS);
    await open;
    let answered = 1;
    for (let at = 0; at < 30; at++) {
      const asking = ask(at).then(
        () => answered++,
        (error) => assert.ok(isRefusal(error)),
      );
      await cluster.pass(WINDOW_MS);
      await asking;
    }
    // 31 questions in 16 seconds: 20, and one in five seconds.
    assert.ok(answered >= 20 && answered <= 24, String(answered));
  });

  it('all users together may have a limited number of questions open', async () => {
    await using cluster = new Cluster();
    const [here] = [await cluster.replica(), await cluster.replica()];
    const asking = Array.from({ length: 40 }, (_, index) => {
      const user = userOf(`u${index}`);
      return here.questions.ask({ id: 'r1', owner: user, user }, cluster.stop.signal).then(
        () => 'answered',
        (error: unknown) => (isRefusal(error) ? 'refused' : String(error)),
      );
    });
    await cluster.pass(WINDOW_MS);
    const results = await Promise.all(asking);
    assert.equal(results.filter((result) => result === 'answered').length, 16);
    assert.equal(results.filter((result) => result === 'refused').length, 24);
  });

  it('what is not a question of this release has no answer', async () => {
    await using cluster = new Cluster();
    const { handled } = await cluster.replica();
    handled({ user: 'ann' });
    const key = 'MCowBQYDK2VuAyEAAAAA';
    for (const [index, question] of [
      { id: 'r1' },
      { id: 'r1', of: 'everyone' },
      { id: 'r1', of: 'everyone', key },
      { id: 'r1', of: 'everyone', key: 7 },
      { id: 'x'.repeat(50_000), of: 'everyone', key },
    ].entries())
      await cluster.write(`q/n${index}`, question);
    assert.deepEqual(
      (await cluster.stored()).filter((kv) => kv.key.startsWith(`${prefix}a/`)),
      [],
    );
  });

  it('an answer that was not made for the question is ignored', async () => {
    await using cluster = new Cluster();
    const [here, there] = [await cluster.replica(), await cluster.replica()];
    const asking = here.questions.ask({ id: 'r1', owner: 'everyone', user: ann }, cluster.stop.signal);
    await settle();
    const [question] = (await cluster.stored()).filter(({ key }) => key.startsWith(`${prefix}q/`));
    const nonce = question?.key.slice(`${prefix}q/`.length) ?? '';
    await cluster.write(`a/${nonce}/forged`, { host: 'forged', records: [] });
    await cluster.write(`a/${nonce}/sealed`, { key: 'MCowBQYDK2VuAyEAAAAA', sealed: 'AAAA' });
    await cluster.pass(WINDOW_MS);
    assert.deepEqual(
      (await asking).map(({ replica }) => replica.id),
      [there.questions.own.id],
    );
  });
});
