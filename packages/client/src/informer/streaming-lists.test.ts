import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { configMap, configMaps, type TestClient, testClient } from '../testing/index.ts';
import { TransportError, type TransportResponse } from '../transport/transport.ts';
import { informerFactory } from './factory.ts';
import type { Informer } from './types.ts';

const INITIAL = 5;

type Body = AsyncIterable<Uint8Array>;

interface Watching extends TestClient {
  readonly informer: Informer;
  readonly streaming: { enabled: boolean };
  /** `watch` and `list` of each request, in order; `initial` for a watch with initial events. */
  steps(): string[];
  /** The informer has the objects of the server, and got each once. */
  isEqual(): void;
}

/** An informer of five objects; `change` replaces the bodies of its watches. */
async function watching(
  change: (body: Body, watch: number) => Body = (body) => body,
  hasStreamingLists = true,
): Promise<Watching> {
  let watches = 0;
  const test = testClient({
    hasStreamingLists,
    async between(request, _, send): Promise<TransportResponse> {
      const answer = await send();
      if (!request.target.includes('watch=')) return answer;
      return { ...answer, body: change(answer.body, watches++) };
    },
  });
  const { api } = test;
  for (let index = 0; index < INITIAL; index++) create(test, `n${index}`);
  const streaming = { enabled: true };
  const informers = informerFactory({ ...test, streaming, freeze: true });
  const informer = informers.informer(configMaps);
  const seen: string[] = [];
  informer.subscribe(({ object }) => void seen.push(object.metadata.name ?? ''));
  void informers.run(test.stop.signal);
  for (let turn = 0; turn < 5; turn++) await settle();
  return {
    ...test,
    informer,
    streaming,
    steps: () =>
      api.requests.map(({ target }) => {
        if (!target.includes('watch=')) return 'list';
        return target.includes('sendInitialEvents') ? 'initial' : 'watch';
      }),
    isEqual() {
      const names = api.objects.list('/configmaps').map(({ object }) => object.metadata.name);
      assert.deepEqual(seen.toSorted(), names.toSorted());
      assert.equal(informer.store.size, names.length);
      assert.equal(informer.resourceVersion, String(api.objects.revision));
    },
  };
}

const create = ({ api }: Pick<TestClient, 'api'>, name: string): unknown =>
  api.objects.create({ collection: '/configmaps', namespace: 'default', name }, configMap(name), '');

/** The first two initial events, and what follows instead of the others. */
async function* midway(body: Body, then: () => AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let events = 0;
  for await (const chunk of body) {
    yield chunk;
    if (++events === 2) break;
  }
  yield* then();
}

const expired = {
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', reason: 'Expired', message: 'too old', code: 410 },
};

const faults: Readonly<Record<string, () => AsyncGenerator<Uint8Array>>> = {
  async *'its connection is cut'() {
    yield* [];
    throw new TransportError('noEffect', 'the connection was cut');
  },
  async *'it ends'() {
    yield* [];
  },
  async *'its version has expired'() {
    yield Buffer.from(`${JSON.stringify(expired)}\n`);
  },
  async *'it sends what is no event'() {
    yield Buffer.from('<html>\n');
  },
};

describe('streaming lists of informers', () => {
  it('an informer reads its state and the changes after it from one watch', async () => {
    const test = await watching();
    test.isEqual();
    create(test, 'late');
    await settle();
    test.isEqual();
    assert.deepEqual(test.steps(), ['initial']);
    test.stop.abort();
  });

  it('an informer resumes a watch that has sent the state from its last event', async () => {
    const test = await watching();
    create(test, 'late');
    await settle();
    for (const watch of [...test.api.watches]) watch.cut();
    create(test, 'later');
    await test.env.clock.advanceAsync(1_000);
    test.isEqual();
    assert.deepEqual(test.steps(), ['initial', 'watch']);
    assert.match(test.api.requests.at(-1)?.target ?? '', new RegExp(`resourceVersion=${INITIAL + 2}&`));
    test.stop.abort();
  });

  it('an informer streams its state again after the expiration of history', async () => {
    const test = await watching();
    for (const watch of [...test.api.watches]) watch.expire();
    create(test, 'late');
    await test.env.clock.advanceAsync(1_000);
    test.isEqual();
    assert.deepEqual(test.steps(), ['initial', 'initial']);
    test.stop.abort();
  });

  for (const [fault, then] of Object.entries(faults)) {
    it(`an informer delivers nothing of a streaming list while ${fault}, and reads a list then`, async () => {
      const test = await watching((body, watch) => (watch === 0 ? midway(body, then) : body));
      assert.equal(test.informer.hasSynced, false);
      assert.equal(test.informer.store.size, 0);
      await test.env.clock.advanceAsync(1_000);
      test.isEqual();
      assert.deepEqual(test.steps(), ['initial', 'list', 'watch']);
      assert.equal(test.streaming.enabled, true);
      test.stop.abort();
    });
  }

  for (const [title, isSilent, waits] of [
    ['that stays silent after initial events without a mark of their end', true, 30_000],
    ['that sends changes for two minutes without a mark of the end of the initial events', false, 120_000],
  ] as const) {
    it(`an informer reads lists from a server ${title}`, async () => {
      const test = await watching((body, watch) => (watch === 0 ? unmarked(body) : body));
      for (let past = 0; past < waits; past += 10_000) {
        assert.equal(test.informer.hasSynced, false);
        if (!isSilent) create(test, `change-${past}`);
        await test.env.clock.advanceAsync(10_000);
      }
      test.isEqual();
      assert.deepEqual(test.steps(), ['initial', 'list', 'watch']);
      assert.equal(test.streaming.enabled, false);
      test.stop.abort();
    });
  }

  it('informers of a factory ask a server that refuses streaming lists once', async () => {
    const test = await watching(undefined, false);
    test.isEqual();
    const { client, env } = test;
    const factory = informerFactory({ client, env, freeze: true });
    const [first, second] = [configMaps, { ...configMaps, resource: 'others' }].map((one) =>
      factory.informer(one),
    );
    assert.ok(first !== undefined && second !== undefined);
    const before = test.steps().length;
    void first.run(test.stop.signal);
    await first.synced(test.stop.signal);
    void second.run(test.stop.signal);
    await second.synced(test.stop.signal);
    assert.equal(
      test
        .steps()
        .slice(before)
        .filter((step) => step === 'initial').length,
      1,
    );
    test.stop.abort();
  });

  it('an informer that ends among initial events leaves no watch and no timer', async () => {
    const test = await watching((body) => unmarked(body));
    test.stop.abort();
    await settle();
    assert.deepEqual([test.informer.hasSynced, test.api.watches.size, test.env.clock.pending], [false, 0, 0]);
  });
});

/** The events of a server that does not mark the end of the initial ones. */
async function* unmarked(body: Body): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (!Buffer.from(chunk).toString('utf8').includes('"BOOKMARK"')) yield chunk;
  }
}
