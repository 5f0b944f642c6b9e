import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock, systemRandom } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import {
  type Backend,
  changeRecord,
  ForwardingStore,
  type Migration,
  ModelStore,
  newStoreRecord,
  readStoreRecord,
  storeRecordKey,
} from '@orch/storage';
import { type KnownReplica, MigrationReadiness } from './migration-readiness.ts';

const PREFIX = '/registry/';
const migration: Migration = { id: 'm1', from: 'a', to: 'etcd b', lastRevision: 0, nextRevision: 0 };

/** Replicas over one store, and the target of a migration of the first one. */
class World implements AsyncDisposable {
  readonly #clock = systemClock;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #source = new ModelStore({ clock: this.#clock });
  readonly target = this.emptyStore('etcd b');
  known: readonly KnownReplica[] = [];

  emptyStore(name: string): Backend {
    return { store: new ModelStore({ clock: this.#clock }), isShared: true, name };
  }

  replica(name: string, openTarget: () => Promise<Backend> = async () => keptOpen(this.target)) {
    const own = { id: name, address: `${name}:6443` };
    const readiness = new MigrationReadiness({
      store: this.#source,
      prefix: '/questions/',
      own,
      env: { clock: this.#clock, log: testEnv().log, random: systemRandom },
      storePrefix: PREFIX,
      replicas: async () => this.known,
      openTarget,
    });
    this.known = [...this.known, own];
    this.#running.push(readiness.run(this.#stop.signal));
    return readiness;
  }

  /** As the migration does before it asks. */
  async claim(): Promise<void> {
    const { signal } = this.#stop;
    const key = storeRecordKey(PREFIX);
    const from = await readStoreRecord(this.target.store, key, signal);
    const to = { ...newStoreRecord, state: 'filling', migration } as const;
    await changeRecord(this.target.store, key, { from, to, signal });
  }

  check(replica: MigrationReadiness, isShared = true): Promise<void> {
    return replica.check(migration, { ...this.target, isShared }, this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }
}

/** Replicas close what they have opened. */
class Connection extends ForwardingStore {
  override async close(): Promise<void> {}
}

const keptOpen = (backend: Backend): Backend => ({ ...backend, store: new Connection(backend.store) });

describe('the question whether replicas can continue in the target of a migration', () => {
  it('all replicas that can open it are ready', async () => {
    await using world = new World();
    const first = world.replica('first');
    world.replica('second');
    world.replica('third');
    await world.claim();
    await world.check(first);
  });

  for (const [title, open, message] of [
    [
      'cannot open it',
      async () => {
        throw new Error('no file');
      },
      'the server at second:6443 cannot use it: no file',
    ],
    [
      'would open another store',
      async (world: World) => keptOpen(world.emptyStore('etcd c')),
      'the server at second:6443 cannot use it: --migration-target-file names another store there: etcd c',
    ],
  ] as const)
    it(`a replica that ${title} refuses the migration with its address and the reason`, async () => {
      await using world = new World();
      const first = world.replica('first');
      world.replica('second', () => open(world));
      await world.claim();
      await assert.rejects(world.check(first), {
        name: 'BackupError',
        code: 'refused',
        message: `etcd b is not ready for all servers: ${message}`,
      });
    });

  it('a replica that has recorded itself and does not answer is waited for until it is forgotten', async () => {
    await using world = new World();
    const first = world.replica('first');
    const alive = world.known;
    let asked = 0;
    Object.defineProperty(world, 'known', {
      get: () => (asked++ < 2 ? [...alive, { id: 'killed', address: 'killed:6443' }] : alive),
    });
    await world.claim();
    await world.check(first);
    assert.ok(asked > 2);
  });

  it('an embedded target is refused while other servers use the store, also those without a record', async () => {
    await using world = new World();
    const first = world.replica('first');
    await world.check(first, false);
    world.replica('second', async () => assert.fail('an embedded store is not opened a second time'));
    await assert.rejects(world.check(first, false), /2 servers use the store, and an embedded store has one/);
    world.known = [];
    await assert.rejects(world.check(first, false), /2 servers use the store, and an embedded store has one/);
  });
});
