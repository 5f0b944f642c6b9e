import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import type { OpenApi } from '@orch/schema';
import { wholeBody } from '@orch/schema/testing';
import { customKind } from '../testing/custom-kinds.ts';
import type { DocumentedResource } from './input.ts';
import { PublishedDocuments } from './published-documents.ts';

const GROUPS = 6;
/** How often the background work looks for changes. */
const LOOK_MS = 250;
/** How long a request waits for a small change. */
const PATIENCE_MS = 1000;
/** How old documents may be. */
const MOST_AGE_MS = 2000;
const DEADLINE_MS = 60_000;
/** About documents that are made before a request. */
const MANY_GROUPS = 20;
const groupOf = (index: number): string => `g${index}.example.com`;
const groupsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => groupOf(i));

/** Custom kinds in some groups; schemas can be withheld, which keeps their documents incomplete. */
class CustomKinds implements AsyncDisposable {
  readonly env: TestEnv = testEnv();
  readonly #table: { all: readonly DocumentedResource[]; generation: number } = { all: [], generation: 0 };
  readonly documents: PublishedDocuments;
  /** Groups of the schemas that were read. */
  readonly read: string[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #isHeldBack = false;
  #failure: Error | undefined;

  constructor(count = GROUPS) {
    this.documents = new PublishedDocuments({
      names: namesFor('kubernetes'),
      env: this.env,
      release: '1.27',
      table: this.#table,
      includes: undefined,
      features: { cbor: false, listedValues: true },
    });
    this.#running = this.documents.run(this.#stop.signal).catch(() => undefined);
    for (const group of groupsOf(count)) this.define(group, 'Widget');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    this.#stop.abort();
    await this.#running;
  }

  define(group: string, kind: string): void {
    const kinds = this;
    const added = customKind({
      group,
      kind,
      *document() {
        while (kinds.#isHeldBack) yield;
        if (kinds.#failure !== undefined) throw kinds.#failure;
        kinds.read.push(group);
        return { type: 'object', description: `${kind} of ${group}.` } satisfies JsonObject;
      },
    });
    this.#table.all = [...this.#table.all, added];
    this.#table.generation += 1;
  }

  holdBack(): void {
    this.#isHeldBack = true;
  }

  /** Schemas can no longer be read. */
  failWith(failure: Error | undefined): void {
    this.#failure = failure;
  }

  release(): void {
    this.#isHeldBack = false;
  }

  /** Lets the background work look for changes until the condition holds. */
  async lookUntil(condition: () => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (!condition()) {
      deadline.throwIfAborted();
      await this.env.clock.advanceAsync(LOOK_MS);
    }
  }
}

const wholeOf = async (documents: OpenApi): Promise<{ readonly etag: string; readonly text: string }> => {
  const document = await documents.v2Json();
  return { etag: document.etag, text: String(await wholeBody(document)) };
};

const groups = groupsOf(GROUPS);

describe('published OpenAPI documents', { timeout: 2 * DEADLINE_MS }, () => {
  it('documents of many custom resources are made before a client requests them, of schemas that are read once for all versions', async () => {
    await using kinds = new CustomKinds(MANY_GROUPS);
    const groups = groupsOf(MANY_GROUPS).toSorted();
    await kinds.lookUntil(() => groups.every((group) => kinds.read.includes(group)));
    await kinds.documents.renew();
    assert.deepEqual(kinds.read, groups);
    kinds.read.length = 0;
    assert.match((await wholeOf(await kinds.documents.v2('json'))).text, /Widget of g0/);
    await (await kinds.documents.v3()).v3Index();
    assert.deepEqual(kinds.read, []);
  });

  it('documents of few custom resources are made once a client has requested one, with those that come later', async () => {
    await using kinds = new CustomKinds();
    for (let looks = 0; looks < 20; looks += 1) await kinds.env.clock.advanceAsync(LOOK_MS);
    assert.deepEqual(kinds.read, []);
    await kinds.documents.v2('json');
    await kinds.lookUntil(() => groups.every((group) => kinds.read.includes(group)));
    kinds.define('more.example.com', 'Gadget');
    await kinds.lookUntil(() => kinds.read.includes('more.example.com'));
  });

  it('documents of few custom resources are kept current in each format of version 2 that a client has requested', async () => {
    await using kinds = new CustomKinds();
    const hashes = async () => {
      const [json, protobuf] = await Promise.all([
        kinds.documents.v2('json'),
        kinds.documents.v2('protobuf'),
      ]);
      return [(await json.v2Json()).hash, (await protobuf.v2Protobuf()).hash];
    };
    await wholeOf(await kinds.documents.v2('json'));
    await kinds.documents.renew();
    const before = await hashes();
    kinds.define('more.example.com', 'Gadget');
    const after = await hashes();
    for (const [i, hash] of after.entries()) assert.notEqual(hash, before[i]);
  });

  it('a request while documents are made gets the last complete ones with their ETag', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    const before = await wholeOf(await kinds.documents.v2('json'));
    const index = await (await kinds.documents.v3()).v3Index();
    kinds.holdBack();
    kinds.define('more.example.com', 'Gadget');
    const [v2, v3] = [kinds.documents.v2('json'), kinds.documents.v3()];
    await kinds.env.clock.advanceAsync(PATIENCE_MS);
    assert.deepEqual(await wholeOf(await v2), before);
    const stale = await v3;
    assert.equal((await stale.v3Index()).etag, index.etag);
    assert.equal(stale.v3('apis/more.example.com/v1'), undefined);
    kinds.release();
    await kinds.documents.renew();
    const after = await wholeOf(await kinds.documents.v2('json'));
    assert.notEqual(after.etag, before.etag);
    assert.match(after.text, /Gadget of more/);
  });

  it('a request does not wait for a change of many definitions', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    const before = await wholeOf(await kinds.documents.v2('json'));
    kinds.holdBack();
    for (let index = 0; index < 50; index += 1) kinds.define('more.example.com', `Gadget${index}`);
    assert.deepEqual(await wholeOf(await kinds.documents.v2('json')), before);
    assert.equal((await kinds.documents.v3()).v3('apis/more.example.com/v1'), undefined);
    kinds.release();
    await kinds.documents.renew();
    await kinds.documents.renew();
    assert.match((await wholeOf(await kinds.documents.v2('json'))).text, /Gadget49 of more/);
  });

  it('a change that is made quickly is in the documents of the next request', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    kinds.define('more.example.com', 'Gadget');
    assert.match((await wholeOf(await kinds.documents.v2('json'))).text, /Gadget of more/);
    assert.notEqual((await kinds.documents.v3()).v3('apis/more.example.com/v1'), undefined);
  });

  it('a definition is published within two seconds although others follow it', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    kinds.define('first.example.com', 'Gadget');
    for (let passed = 0; passed < MOST_AGE_MS; passed += 100) {
      await kinds.env.clock.advanceAsync(100);
      kinds.define('others.example.com', `Device${passed}`);
    }
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (!kinds.read.includes('first.example.com')) {
      deadline.throwIfAborted();
      await settle();
    }
  });

  it('one more definition makes the parts of one group version again', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    kinds.read.length = 0;
    kinds.define(groupOf(3), 'Gadget');
    await kinds.documents.renew();
    assert.deepEqual([...new Set(kinds.read)], [groupOf(3)]);
  });

  it('documents that cannot be made leave the last complete ones in place and are reported once', async () => {
    await using kinds = new CustomKinds();
    await kinds.documents.renew();
    const before = await wholeOf(await kinds.documents.v2('json'));
    await kinds.documents.v3();
    kinds.failWith(new Error('the schema cannot be read'));
    kinds.define('more.example.com', 'Gadget');
    await kinds.lookUntil(() => kinds.env.entries.length === 2);
    for (let looks = 0; looks < 5; looks += 1) await kinds.env.clock.advanceAsync(LOOK_MS);
    assert.deepEqual(await wholeOf(await kinds.documents.v2('json')), before);
    assert.deepEqual(
      kinds.env.entries.map(({ level, version }) => [level, version]),
      [
        ['error', 'v3'],
        ['error', 'v2'],
      ],
    );
    kinds.failWith(undefined);
    kinds.define('more.example.com', 'Device');
    await kinds.documents.renew();
    assert.match((await wholeOf(await kinds.documents.v2('json'))).text, /Gadget of more/);
  });
});
