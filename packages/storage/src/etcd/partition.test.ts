import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { WatchRecorder } from '../conformance/index.ts';
import { type Committed, prefixRange, type Store } from '../index.ts';
import { eventRevision } from '../store-values.ts';
import { type EtcdCluster, type EtcdMember, type PeerNetwork, startEtcd } from '../testing/index.ts';
import { openEtcdStore } from './index.ts';

const { signal } = new AbortController();
/** Far below the ten seconds' timeout of calls; elections in these clusters take a second or two. */
const BOUND_MS = 6000;

const create = (store: Store, key: string): Promise<Committed> =>
  store.commit({ op: 'create', key, value: Buffer.from(key) }, signal);

describe('a member that is partitioned from its cluster and reachable for its client', () => {
  let cluster: EtcdCluster;
  let network: PeerNetwork;
  let tests = 0;

  before(async () => {
    cluster = await startEtcd({ members: 3, peerNetwork: true });
    assert.ok(cluster.network !== undefined);
    network = cluster.network;
  });
  afterEach(async () => {
    network.heal();
    for (const member of cluster.members) member.resume();
    await Promise.all(cluster.members.map((member) => member.ready()));
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** A store that is connected to member `first` and has written. */
  async function open(first: EtcdMember): Promise<Store & AsyncDisposable> {
    const rest = cluster.members.filter((member) => member !== first);
    const endpoints = [first, ...rest].map((member) => member.endpoint);
    const random = { ...systemRandom, int: () => 0 };
    const env = { clock: systemClock, random, log: silentLogger };
    const store = await openEtcdStore({ endpoints, env });
    await create(store, `/registry/first/${tests++}`);
    return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
  }

  async function memberOf(role: 'leader' | 'follower'): Promise<EtcdMember> {
    const leader = await cluster.leader();
    const member = cluster.members.find((each) => (each === leader) === (role === 'leader'));
    assert.ok(member !== undefined);
    return member;
  }

  const within = <T>(what: string, work: Promise<T>): Promise<T> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${what}: not within ${BOUND_MS} ms`)), BOUND_MS);
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  };

  for (const role of ['leader', 'follower'] as const) {
    it(`when the partitioned member was the ${role}, consistent reads and watches continue at another member`, async () => {
      const member = await memberOf(role);
      await using store = await open(member);
      const range = prefixRange(`/registry/t${tests++}/`);
      const start = await store.currentRevision(signal);
      await using watch = new WatchRecorder(store, range, { after: start, signal });
      const before = await create(store, `${range.start}a`);
      await watch.received(1);
      network.partition([cluster.members.indexOf(member)]);
      const rev = await within('a consistent read', store.currentRevision(signal));
      assert.ok(rev >= before.rev);
      const got = await within('a get', store.get(`${range.start}a`, signal));
      assert.equal(got.kv?.modRevision, before.rev);
      const writes = within(
        'a write',
        poll('a write succeeds', BOUND_MS, () =>
          create(store, `${range.start}b`).then(
            () => true,
            () => undefined,
          ),
        ),
      );
      await writes;
      await within('the watch', watch.received(2));
      const { items } = await store.list(range, {}, signal);
      assert.deepEqual(
        watch.events.map(eventRevision),
        items.map((kv) => kv.modRevision).sort((a, b) => a - b),
      );
    });

    it(`when the partitioned member was the ${role}, calls in flight at the partition are answered with their outcomes`, async () => {
      const member = await memberOf(role);
      await using store = await open(member);
      const range = prefixRange(`/registry/t${tests++}/`);
      network.partition([cluster.members.indexOf(member)]);
      const reads = Array.from({ length: 20 }, () => store.get('/registry/first/0', signal));
      const writes = Array.from({ length: 20 }, (_, i) => create(store, `${range.start}${i}`));
      const outcomes = await within('writes', Promise.allSettled(writes));
      await within('reads', Promise.all(reads));
      const { items } = await store.list(range, {}, signal);
      const stored = new Map(items.map((kv) => [kv.key, kv.modRevision]));
      for (const [i, outcome] of outcomes.entries()) {
        const key = `${range.start}${i}`;
        if (outcome.status === 'fulfilled') assert.equal(stored.get(key), outcome.value.rev);
        else if (outcome.reason.code === 'unavailable') assert.equal(stored.get(key), undefined);
        else assert.equal(outcome.reason.code, 'outcomeUnknown');
      }
    });
  }

  it('a member that is partitioned from its cluster and reachable for its client is left for another member, as is one that is stopped completely', async () => {
    const member = await memberOf('follower');
    await using store = await open(member);
    await member.pause();
    const before = await within('a consistent read', store.currentRevision(signal));
    assert.ok(before > 0);
    await within('a second one', store.currentRevision(signal));
    await within('a third one', store.currentRevision(signal));
  });
});
