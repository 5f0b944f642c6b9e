import assert from 'node:assert/strict';
import { contentOfStores, restoreBackup } from '@orch/backup';
import { builtinResources, type Client, createClient, type Transport } from '@orch/client';
import { ApiError, type Env, type Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { parseJson } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { currentStore, ForwardingStore, type ScanOptions, type Store, StoreError } from '@orch/storage';
import { type SimulatedStore, STORE_PREFIX } from '../world/simulated-store.ts';
import type { Stores } from '../world/stores.ts';

const never = new AbortController().signal;
/** Several objects: a backup takes a time, in which clients write. */
const PART_BYTES = 300;
const MAX_PART_MS = 400;
const MAX_COMMITS = 12;

type Content = Awaited<ReturnType<typeof contentOfStores>>;

type Part = Content['entries'] extends AsyncIterable<infer Entries> ? Entries : never;

interface Backup {
  readonly origin: Content['origin'];
  readonly parts: readonly Part[];
}

interface RestorerOptions {
  readonly transport: Transport;
  readonly stores: Stores;
  /** Replaces the store that a backup reads or a restore writes by a defective one. */
  readonly alter: ((store: Store) => Store) | undefined;
}

/** An operator who makes backups of a cluster and restores them, and a client who compares the revisions of its answers. */
export class Restorer {
  readonly #env: Env;
  readonly #client: Client;
  readonly #options: RestorerOptions;
  #backup: Backup | undefined;
  #seen = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(env: Env, names: Names, options: RestorerOptions) {
    this.#env = env;
    this.#options = options;
    this.#client = createClient({ transport: options.transport, names, env, userAgent: 'restorer/1' });
  }

  /** Whether there is something to restore. */
  get hasBackup(): boolean {
    return this.#backup !== undefined;
  }

  /** Makes a backup while servers work. The last one stays when it fails. */
  async backUp(choice: number): Promise<void> {
    const store = this.#altered(this.#options.stores.current);
    try {
      const view = new SlowScans(await currentStore(store, STORE_PREFIX, never), this.#env, choice);
      const content = await contentOfStores([{ store: view, owns: () => true }], this.#of, never);
      const parts: Part[] = [];
      for await (const part of content.entries) parts.push(part);
      this.#backup = { origin: content.origin, parts };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return;
    }
    this.#checkBackup();
  }

  /** Restores the last backup into a store that no server uses. A first attempt may be interrupted. */
  async restore(target: SimulatedStore, choice: number): Promise<void> {
    const random = seededRandom(choice);
    const store = this.#altered(target);
    if (random.int(2) === 0)
      await this.#restoreTo(new Interrupted(store, random.int(MAX_COMMITS))).catch(unlessFailed);
    await this.#restoreTo(store);
  }

  /** A list of config maps is not older than one before it. */
  look(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const maps = this.#client.resource(builtinResources(this.#client.names).core.v1.configmaps, 'work');
      const list = await maps.list().catch(unlessAnswered);
      const revision = Number(list?.metadata.resourceVersion ?? this.#seen);
      assert.ok(revision >= this.#seen, `a client sees revision ${revision} after ${this.#seen}`);
      this.#seen = revision;
    });
    return this.#turn;
  }

  get #of(): { readonly prefix: string; readonly env: Env } {
    return { prefix: STORE_PREFIX, env: this.#env };
  }

  #altered(store: Store): Store {
    return this.#options.alter?.(store) ?? store;
  }

  async #restoreTo(store: Store): Promise<void> {
    const { origin, parts } = this.#backup ?? assert.fail('there is no backup');
    const summary = { entries: 0, bytes: 0, encryptedAtRest: {} };
    const entries = (async function* () {
      yield* parts;
      return summary;
    })();
    const opened = {
      header: { ...origin, encryption: undefined },
      entries,
      [Symbol.asyncDispose]: async () => undefined,
    };
    const options = { ...this.#of, store, serverKeys: '~servers/', isShared: true, replace: true };
    await restoreBackup(opened, { ...options, replaceMoved: false }, never);
    this.#checkRestored();
  }

  /** A backup has the config maps of one revision. */
  #checkBackup(): void {
    const { origin, parts } = this.#backup ?? assert.fail('there is no backup');
    const state = this.#options.stores.history.stateAt(origin.revision);
    const expected = [...state.values()].map(({ key, rev }) => `${key} ${rev}`).sort();
    const found = parts
      .flat()
      .filter(({ key }) => key.startsWith(maps))
      .map(({ key, modRevision }) => `${key.slice(maps.length)} ${modRevision}`);
    assert.deepEqual(found.sort(), expected, `a backup of revision ${origin.revision}`);
  }

  /** After a restore, the store has the config maps of the backup. */
  #checkRestored(): void {
    const { history } = this.#options.stores;
    const wanted = this.#backup?.parts.flat().filter(({ key }) => key.startsWith(maps)) ?? [];
    const expected = wanted.map(({ key, value }) => [key.slice(maps.length), parseJson(value)] as const);
    const found = [...history.stateAt(Number.POSITIVE_INFINITY).values()].map(
      ({ key, object }) => [key, object] as const,
    );
    assert.deepEqual(new Map(found.sort(byKey)), new Map(expected.sort(byKey)), 'the restored config maps');
  }
}

const maps = 'configmaps/';

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Scans take time between their parts. */
class SlowScans extends ForwardingStore {
  readonly #env: Env;
  readonly #choice: number;

  constructor(inner: Store, env: Env, choice: number) {
    super(inner);
    this.#env = env;
    this.#choice = choice;
  }

  override async *scan(
    range: Parameters<Store['scan']>[0],
    options: ScanOptions,
    signal: AbortSignal,
  ): ReturnType<typeof this.slowly> {
    yield* this.slowly(range, options, signal);
  }

  async *slowly(...[range, options, signal]: Parameters<Store['scan']>) {
    const random = seededRandom(this.#choice);
    for await (const part of super.scan(range, { ...options, byteBudget: PART_BYTES }, signal)) {
      yield part;
      await sleep(this.#env.clock, random.int(MAX_PART_MS), signal);
    }
  }
}

/** A process that is killed after some commits. */
class Interrupted extends ForwardingStore {
  #left: number;

  constructor(inner: Store, commits: number) {
    super(inner);
    this.#left = commits;
  }

  override commit(...call: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    if (this.#left-- > 0) return super.commit(...call);
    return Promise.reject(new StoreError('unavailable', 'the restore was interrupted'));
  }
}

const unlessFailed = (error: unknown): void => {
  if (!(error instanceof StoreError)) throw error;
};

const unlessAnswered = (error: unknown): undefined => {
  if (error instanceof ApiError && [400, 403, 422].includes(error.status.code ?? 0)) throw error;
};
