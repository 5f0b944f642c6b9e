import assert from 'node:assert/strict';
import type { Env, Random } from '@orch/machinery';
import { silentLogger, systemRandom } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import {
  type Backend,
  besideRanges,
  eventKey,
  eventRevision,
  type KvEvent,
  ModelStore,
  MovableStore,
  prefixRange,
  type Revision,
  type Store,
} from '@orch/storage';
import { Connection } from './migration-connection.ts';
import { type Acknowledged, PREFIX, type ServedWrites, Server } from './migration-server.ts';

/** Time passes faster than outside: pauses that are ended by other servers take ten seconds. */
const TICK_MS = 25;

/** Two stores in memory, servers that use the first one, and everything that was acknowledged to their clients. */
export class World implements ServedWrites, AsyncDisposable {
  readonly random: Random;
  readonly isShared: boolean;
  readonly clock = new FakeClock();
  readonly models = { a: new ModelStore({ clock: this.clock }), b: new ModelStore({ clock: this.clock }) };
  readonly servers: Server[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Keys whose last write has an unknown outcome. */
  readonly unknown = new Set<string>();
  firstRevision: Revision = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(random: Random, isShared: boolean) {
    this.random = random;
    this.isShared = isShared;
    this.models.a.skipRevisions(random.int(5000));
    this.models.b.skipRevisions(random.int(5000));
    const left = Buffer.from('earlier content');
    for (const { start } of besideRanges(PREFIX))
      this.models.b.commitTogether([{ op: 'create', key: start, value: left }]);
    this.firstRevision = this.models.a.skipRevisions(1);
    this.#timer = setInterval(() => this.clock.advance(TICK_MS), 1);
  }

  get env(): Pick<Env, 'clock' | 'random' | 'log'> {
    return { clock: this.clock, random: systemRandom, log: silentLogger };
  }

  backend(name: 'a' | 'b', onCall?: () => void): Backend & { readonly store: Connection } {
    const store = new Connection(this.models[name], this.random, onCall);
    // The embedded store in one direction: it has one server.
    return { store, isShared: this.isShared || name === 'b', name };
  }

  /** Starts a server with the flags of the first store; `after` another one that was killed. */
  async server({
    onCall = () => undefined,
    after,
  }: {
    readonly onCall?: () => void;
    readonly after?: Server;
  } = {}): Promise<Server> {
    const backend = this.backend('a', onCall);
    const opened: Connection[] = [backend.store];
    const openMoved = async ({ to }: { readonly to: string }): Promise<Backend> => {
      const next = this.backend(to === 'a' ? 'a' : 'b', onCall);
      opened.push(next.store);
      return next;
    };
    const signal = AbortSignal.timeout(20_000);
    const store = await MovableStore.open(backend, { prefix: PREFIX, openMoved, env: this.env }, signal);
    const isRestarted = after !== undefined;
    const from = after?.position ?? this.firstRevision;
    const earlier = after?.events ?? [];
    const server = new Server(this, store, { connections: opened, from, earlier, isRestarted });
    this.servers.push(server);
    server.start();
    return server;
  }

  /** Waits until a write of every server was acknowledged. */
  async writing(servers: readonly Server[] = this.servers): Promise<void> {
    for (const server of servers) {
      const seen = server.events.length;
      while (server.events.length < seen + 20 && server.failure === undefined)
        await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal(server.failure, undefined);
    }
  }

  /** Every acknowledged write is an event once, at all servers in the same order, and the content is what they result in. */
  async check(servers: readonly Server[], content: Store): Promise<void> {
    const [first] = servers;
    assert.ok(first !== undefined);
    const { signal } = new AbortController();
    const probe = `${PREFIX}probe`;
    const committed = await first.store.commit({ op: 'create', key: probe, value: Buffer.from('x') }, signal);
    assert.ok(committed.ok);
    for (const server of servers) {
      while (!server.events.some((event) => eventKey(event) === probe)) {
        assert.equal(server.failure, undefined);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await server.stop();
      assert.deepEqual(
        server.events.slice(0, first.events.length).map(described),
        first.events.slice(0, server.events.length).map(described),
      );
    }
    const events = new Map(first.events.map((event) => [eventRevision(event), event]));
    assert.equal(events.size, first.events.length, 'an event was repeated');
    const { base } = first;
    for (const { rev, key, value } of this.acknowledged) {
      if (rev <= first.position && rev > Math.max(base.rev, first.from))
        assert.deepEqual([rev, key, value], [rev, ...writtenBy(events.get(rev))]);
    }
    this.#checkBase(first);
    const expected = new Map<string, string>();
    for (const kv of base.items) expected.set(kv.key, described({ type: 'put', kv }));
    for (const event of base.rev === 0 ? [...first.earlier, ...first.events] : first.events)
      if (event.type === 'put') expected.set(event.kv.key, described(event));
      else expected.delete(event.key);
    const last = eventRevision(first.events.at(-1) ?? assert.fail());
    const { items } = await content.list(prefixRange(PREFIX), { at: last }, signal);
    assert.deepEqual(
      items.map((kv) => described({ type: 'put', kv })),
      [...expected.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    );
  }

  /** The list of a restarted server contains the last acknowledged write of each key. */
  #checkBase({ base }: Server): void {
    const last = new Map(this.acknowledged.filter(({ rev }) => rev <= base.rev).map((one) => [one.key, one]));
    for (const [key, { rev, value }] of last) {
      if (this.unknown.has(key)) continue;
      const found = base.items.find((kv) => kv.key === key);
      assert.deepEqual(
        [found?.value?.toString(), found?.modRevision],
        value === undefined ? [undefined, undefined] : [value, rev],
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.stop();
    clearInterval(this.#timer);
  }
}

const writtenBy = (event: KvEvent | undefined): readonly (string | undefined)[] =>
  event === undefined ? ['lost'] : [eventKey(event), textOf(event)];

const textOf = (event: KvEvent): string | undefined =>
  event.type === 'put' ? event.kv.value?.toString() : undefined;

const described = (event: KvEvent): string =>
  `${eventKey(event)} ${eventRevision(event)} ${textOf(event) ?? 'deleted'}`;
