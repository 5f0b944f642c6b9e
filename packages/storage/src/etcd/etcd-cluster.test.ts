import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { WatchRecorder } from '../conformance/index.ts';
import { type Committed, prefixRange, type Store, StoreError } from '../index.ts';
import { eventRevision } from '../store-values.ts';
import { type EtcdCluster, type EtcdMember, startEtcd } from '../testing/index.ts';
import { type EtcdStoreOptions, openEtcdStore } from './index.ts';

const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const { signal } = new AbortController();

describe('the etcd store on three members', () => {
  let cluster: EtcdCluster;
  let tests = 0;

  before(async () => {
    cluster = await startEtcd({ members: 3 });
  });
  afterEach(async () => {
    for (const member of cluster.members) {
      member.resume();
      member.start();
    }
    await Promise.all(cluster.members.map((member) => member.ready()));
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** A store that connects to member `first` first. */
  async function open(
    first: EtcdMember,
    options: Partial<EtcdStoreOptions> = {},
  ): Promise<Store & AsyncDisposable> {
    const rest = cluster.members.filter((member) => member !== first);
    const endpoints = [first, ...rest].map((member) => member.endpoint);
    const random = { ...systemRandom, int: () => 0 };
    const store = await openEtcdStore({ endpoints, env: { ...env, random }, ...options });
    return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
  }

  async function follower(): Promise<EtcdMember> {
    const leader = await cluster.leader();
    const member = cluster.members.find((each) => each !== leader);
    assert.ok(member !== undefined);
    return member;
  }

  const create = (store: Store, key: string): Promise<Committed> =>
    store.commit({ op: 'create', key, value: Buffer.from(key) }, signal);

  it('the store loses no acknowledged commit and no event when the leader is killed during writes', async () => {
    const leader = await cluster.leader();
    const deadlines = { resolveMs: 1000 };
    await using store = await open(leader, { deadlines });
    await using other = await open(await follower(), { deadlines });
    const range = prefixRange(`/registry/t${tests++}/`);
    const start = await store.currentRevision(signal);
    await using watch = new WatchRecorder(store, range, { after: start, signal });
    const acknowledged = new Map<string, number>();
    const codes = new Set<string>();
    let writing = true;
    const writers = [store, other].flatMap((each, s) =>
      Array.from({ length: 8 }, async (_, w) => {
        for (let i = 0; writing; i++) {
          const key = `${range.start}${s}-${w}-${i}`;
          try {
            const result = await create(each, key);
            assert.ok(result.ok, 'no other client creates the key');
            acknowledged.set(key, result.rev);
          } catch (error) {
            assert.ok(error instanceof StoreError, `${error}`);
            codes.add(error.code);
          }
        }
      }),
    );
    await watch.received(200);
    await leader.kill();
    const atKill = acknowledged.size;
    await cluster.leader();
    await watch.until(() => watch.events.length > atKill + 200);
    writing = false;
    await Promise.all(writers);
    for (const code of codes) assert.ok(['unavailable', 'outcomeUnknown'].includes(code), code);
    const page = await store.list(range, {}, signal);
    const stored = new Map(page.items.map((kv) => [kv.key, kv.modRevision]));
    for (const [key, rev] of acknowledged)
      assert.equal(stored.get(key), rev, `${key} is not what was acknowledged`);
    const revisions = page.items.map((kv) => kv.modRevision).sort((a, b) => a - b);
    assert.deepEqual((await watch.received(revisions.length)).map(eventRevision), revisions);
  });

  it('the etcd store on three members continues at another member when the connected one is killed', async () => {
    const member = await follower();
    await using store = await open(member);
    const key = `/registry/t${tests++}/a`;
    const { rev } = await create(store, key);
    await member.kill();
    assert.equal((await store.get(key, signal)).kv?.modRevision, rev);
    assert.equal((await create(store, `${key}b`)).ok, true);
  });

  it('the etcd store on three members continues at another member when the connected one hangs, and so does its watch', async () => {
    const member = await follower();
    await using store = await open(member, { keepaliveMs: 200, keepaliveTimeoutMs: 200 });
    const range = prefixRange(`/registry/t${tests++}/`);
    const start = await store.currentRevision(signal);
    await using watch = new WatchRecorder(store, range, { after: start, signal });
    await create(store, `${range.start}a`);
    await watch.received(1);
    await member.pause();
    assert.equal((await store.get(`${range.start}a`, signal)).kv?.key, `${range.start}a`);
    // A read is answered by another member before this one is abandoned; a write learns of it from the read.
    await create(store, `${range.start}b`).catch((error: unknown) => {
      assert.ok(error instanceof StoreError && error.code === 'unavailable', `${error}`);
      return create(store, `${range.start}b`);
    });
    assert.equal((await watch.received(2)).length, 2);
  });

  it('the etcd store on three members is unavailable without a majority, and available again with it', async () => {
    const member = await follower();
    await using store = await open(member, { deadlines: { readMs: 1000, commitMs: 1000, resolveMs: 200 } });
    const key = `/registry/t${tests++}/a`;
    const others = cluster.members.filter((each) => each !== member);
    await Promise.all(others.map((each) => each.kill()));
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => 'done',
        (error: unknown) => (error instanceof StoreError ? error.code : `${error}`),
      );
    assert.equal(await outcome(store.get(key, signal)), 'unavailable');
    assert.match(await outcome(create(store, key)), /unavailable|outcomeUnknown/);
    for (const each of others) each.start();
    await Promise.all(others.map((each) => each.ready()));
    assert.ok((await store.currentRevision(signal)) > 0);
  });
});
