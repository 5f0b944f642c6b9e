import assert from 'node:assert/strict';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { poll, seededRandom } from '@orch/machinery/testing';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd, TcpProxy } from '@orch/storage/testing';
import { launchServerProcess } from '@orch/testkit';
import { Definitions } from './definitions.ts';
import { cause, events, shuffledFaults, type Troubled } from './faults.ts';
import { Follower, metaOf, replay } from './follower.ts';
import { COLLECTION, Writer } from './writer.ts';

/** More watches than threads: the kernel divides their connections. */
const WATCHES = 8;
const WRITERS = 2;
const WAIT_MS = 60_000;
const FEWEST_EVENTS = 20;
const FAULTS_PER_DEFINITION = 4;

export interface SoakOptions {
  readonly threads: number;
  readonly seed: number;
  /** Every round has each fault once; at least one round. */
  readonly ms: number;
}

export interface SoakReport {
  readonly rounds: number;
  readonly events: number;
  readonly writes: number;
  /** Watches that were opened, by all clients of the config maps. */
  readonly watches: number;
  readonly definitions: number;
  readonly faults: Readonly<Record<string, number>>;
}

interface Cast extends Troubled {
  readonly writers: readonly Writer[];
  readonly definitions: Definitions;
  /** Objects by the events of all rounds. */
  readonly state: Map<string, string>;
}

/** Writes while each fault occurs once, and definitions come and go. */
async function trouble(cast: Cast): Promise<void> {
  const { random, writers, definitions } = cast;
  const stop = new AbortController();
  const writing = Promise.all(writers.map((writer) => writer.run(stop.signal)));
  try {
    for (const [i, name] of shuffledFaults(random).entries()) {
      await events(cast, FEWEST_EVENTS + random.int(50));
      const others = i % FAULTS_PER_DEFINITION === 0 ? definitions.cycle() : undefined;
      await Promise.all([others, cause(name, cast)]);
    }
    await events(cast, FEWEST_EVENTS);
  } finally {
    stop.abort();
    await writing;
  }
}

/** Causes faults, and then checks the watches and lists over all connections. Resolves with the number of events. */
async function round(cast: Cast, number: number): Promise<number> {
  const { followers, writers, client, state } = cast;
  await trouble(cast);
  const name = `marker-${number}`;
  const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  const written = await poll('a last write', WAIT_MS, async () => {
    const answer = await client.post(COLLECTION, marker);
    return (answer.status === 201 || answer.status === 409) && answer;
  });
  assert.equal(written.status, 201, written.text);
  const revision = metaOf(written.json).resourceVersion;
  await poll('the last event over all connections', WAIT_MS, () =>
    followers.every(({ seen }) => seen.includes(`ADDED ${name} ${revision}`)),
  );
  await check(cast);
  const count = followers[0]?.seen.length ?? 0;
  for (const each of [...followers, ...writers]) each.forget();
  assert.ok(state.has(name));
  return count;
}

async function check({ followers, writers, definitions, state }: Cast): Promise<void> {
  const found = [...followers, ...writers, definitions].flatMap(({ violations }) => violations);
  assert.deepEqual(found, []);
  const [first] = followers;
  assert.ok(first);
  for (const { seen } of followers) assert.deepEqual(seen, first.seen);
  const written = new Set(first.seen.map((event) => event.slice(event.indexOf(' ') + 1)));
  for (const { acknowledged, deleted } of writers) {
    for (const write of acknowledged)
      assert.ok(written.has(write), `no watch has seen the write of ${write}`);
    for (const [name, count] of deleted) {
      const seen = first.seen.filter((event) => event.startsWith(`DELETED ${name} `)).length;
      assert.ok(seen >= count, `${seen} of ${count} deletions of ${name} were seen`);
    }
  }
  const expected = replay(state, first.seen);
  const query = `?resourceVersion=${first.revision}&resourceVersionMatch=NotOlderThan`;
  for (const follower of followers) {
    const lists = await Promise.all([follower.list(), follower.list(query)]);
    for (const list of lists) assert.deepEqual(ofWriters(list), ofWriters(expected));
  }
}

/** The objects of the test: controllers write others. */
const ofWriters = (objects: ReadonlyMap<string, string>): object =>
  Object.fromEntries([...objects].filter(([name]) => /^(?:written|marker)/.test(name)));

/** Runs a server with threads under faults; rejects when an event was lost, repeated or reordered. */
export async function soak({ threads, seed, ms }: SoakOptions): Promise<SoakReport> {
  const random = seededRandom(seed);
  await using etcd = await startEtcd();
  await using network = await TcpProxy.listen({ port: etcd.members[0]?.clientPort ?? 0 });
  await using server = await launchServerProcess({
    etcd: [`http://127.0.0.1:${network.port}`],
    args: [`--threads=${threads}`],
  });
  const { client, config } = server;
  const store = await openEtcdStore({
    endpoints: etcd.endpoints,
    env: { ...systemEnv(), log: silentLogger },
  });
  const listed = (await client.get(COLLECTION)).json;
  const from = metaOf(listed).resourceVersion;
  const followers = Array.from({ length: WATCHES }, () => new Follower({ config, path: COLLECTION, from }));
  const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(`written-${i}`, random, config));
  const definitions = new Definitions(config, random);
  const cast = {
    ...{ etcd, network, store, client, random, followers, writers, definitions },
    state: new Map<string, string>(),
  };
  const stop = new AbortController();
  const following = followers.map((follower) => follower.run(stop.signal));
  let rounds = 0;
  let seen = 0;
  try {
    const until = performance.now() + ms;
    do seen += await round(cast, rounds++);
    while (performance.now() < until);
  } catch (error) {
    throw new Error(`seed ${seed}, round ${rounds}\n${server.output().slice(-8000)}`, { cause: error });
  } finally {
    stop.abort();
    await Promise.all(following);
    for (const writer of writers) writer[Symbol.dispose]();
    await store.close();
  }
  return {
    rounds,
    events: seen,
    writes: writers.reduce((sum, { writes }) => sum + writes, 0),
    watches: followers.reduce((sum, { opened }) => sum + opened, 0),
    definitions: definitions.cycles,
    faults: Object.fromEntries(shuffledFaults(random).map((name) => [name, rounds])),
  };
}
