import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { WatchRecorder } from '../conformance/index.ts';
import {
  type Committed,
  prefixRange,
  type SideWrites,
  type Store,
  StoreError,
  type StoreErrorCode,
  type Write,
} from '../index.ts';
import { eventRevision } from '../store-values.ts';
import { type EtcdCluster, startEtcd, TcpProxy } from '../testing/index.ts';
import { EtcdClient } from './client/etcd-client.ts';
import { type EtcdStoreOptions, openEtcdStore } from './index.ts';

const env = { clock: systemClock, random: { ...systemRandom, int: () => 0 }, log: silentLogger };
const { signal } = new AbortController();

type Opened = Store & AsyncDisposable;

/** A store that is closed when its test ends. */
async function open(endpoints: readonly string[], options: Partial<EtcdStoreOptions> = {}): Promise<Opened> {
  const store = await openEtcdStore({ endpoints, env, ...options });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

function create(
  store: Store,
  key: string,
  value: string | Buffer = key,
  ttlSeconds?: number,
): Promise<Committed> {
  const write = { op: 'create', key, value: Buffer.from(value) } as const;
  return store.commit(ttlSeconds === undefined ? write : { ...write, ttlSeconds }, signal);
}

function update(store: Store, key: string, expected: number, value: string): Promise<Committed> {
  return store.commit({ op: 'update', key, expected, value: Buffer.from(value) }, signal);
}

async function fails(code: StoreErrorCode, call: Promise<unknown>): Promise<StoreError> {
  const error = await call.then(
    (value) => assert.fail(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StoreError, `${error}`);
  assert.equal(error.code, code, error.message);
  return error;
}

describe('the etcd store on one member', () => {
  let cluster: EtcdCluster;
  let direct: Opened;
  let tests = 0;

  before(async () => {
    cluster = await startEtcd();
    direct = await open(cluster.endpoints);
  });
  after(async () => {
    await direct.close();
    await cluster[Symbol.asyncDispose]();
  });

  const prefix = () => `/registry/t${tests++}/`;
  const proxied = () => TcpProxy.listen({ port: cluster.members[0]?.clientPort ?? 0 });
  const through = (proxy: TcpProxy, options: Partial<EtcdStoreOptions> = {}) =>
    openWriting([`http://127.0.0.1:${proxy.port}`], options);

  /** A store that has already written: its first commit needs further requests. */
  async function openWriting(
    endpoints: readonly string[],
    options: Partial<EtcdStoreOptions> = {},
  ): Promise<Opened> {
    const store = await open(endpoints, options);
    await create(store, `/registry/first/${tests++}`);
    return store;
  }

  /** Number of writes of the key since it was created, from etcd's version counter. */
  async function version(key: string): Promise<string | undefined> {
    const reply = await cluster.members[0]?.http('POST', '/v3/kv/range', {
      key: Buffer.from(key).toString('base64'),
    });
    return (JSON.parse(reply?.body ?? '{}') as { kvs?: { version: string }[] }).kvs?.[0]?.version;
  }

  /** Forwards a commit to etcd and drops its reply with the connection. */
  async function loseReply(proxy: TcpProxy, commit: () => Promise<Committed>, done: () => Promise<boolean>) {
    proxy.swallowReplies(true);
    const result = commit();
    result.catch(() => undefined);
    await poll('the write has reached etcd', 5000, async () => ((await done()) ? true : undefined));
    proxy.cutAll();
    proxy.swallowReplies(false);
    return result;
  }

  it('a write that fails reports the guards that held in its transaction', async () => {
    const key = prefix();
    const { rev: first } = await create(direct, `${key}first`);
    const { rev: second } = await create(direct, `${key}second`);
    const value = Buffer.from('x');
    const held = async (taken: string, [one, two]: readonly [number, number]) => {
      const guards = [
        { key: `${key}first`, revision: one },
        { key: `${key}second`, revision: two },
      ] as const;
      const result = await direct.commit({ op: 'create', key: `${key}${taken}`, value, guards }, signal);
      assert.ok(!result.ok);
      return [result.guardFailed === true, result.heldGuards];
    };
    assert.deepEqual(await held('second', [first, second]), [false, [`${key}first`, `${key}second`]]);
    assert.deepEqual(await held('second', [first + 1, second]), [false, [`${key}second`]]);
    assert.deepEqual(await held('new', [first, second + 1]), [true, [`${key}first`]]);
    assert.deepEqual(await held('new', [0, second + 1]), [true, []]);
  });

  describe('commits without a reply', () => {
    it('a create is determined and not sent again', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      const before = await direct.currentRevision(signal);
      const written = async () => (await direct.get(key, signal)).kv !== undefined;
      const result = await loseReply(proxy, () => create(store, key), written);
      assert.deepEqual(result, { ok: true, rev: before + 1 });
      assert.equal(await version(key), '1');
      assert.equal(await direct.currentRevision(signal), before + 1);
    });

    /** Overwrites the lost write once it is in the store; true after that. */
    const overwritten = async (key: string): Promise<boolean> => {
      const { kv } = await direct.get(key, signal);
      if (kv?.value?.toString() === 'mine') await update(direct, key, kv.modRevision, 'theirs');
      return kv?.value?.toString() === 'theirs';
    };

    it('an update is determined and not sent again, also when it was overwritten meanwhile', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      const { rev } = await create(direct, key);
      const result = await loseReply(
        proxy,
        () => update(store, key, rev, 'mine'),
        () => overwritten(key),
      );
      assert.deepEqual(result, { ok: true, rev: rev + 1 });
      assert.equal(await version(key), '3');
    });

    it('an update is determined when the history before it is compacted', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      const { rev } = await create(direct, key);
      const { rev: last } = await create(direct, `${key}-later`);
      await store.currentRevision(signal);
      await direct.compact(last, signal);
      const result = await loseReply(
        proxy,
        () => update(store, key, rev, 'mine'),
        () => overwritten(key),
      );
      assert.deepEqual(result, { ok: true, rev: last + 1 });
    });

    it('a conflict is determined', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      const { rev } = await create(direct, key);
      const { rev: theirs } = await update(direct, key, rev, 'theirs');
      const before = proxy.forwarded.toServer;
      const result = await loseReply(
        proxy,
        () => update(store, key, rev, 'mine'),
        async () => proxy.forwarded.toServer > before,
      );
      assert.equal(result.ok, false);
      assert.equal(result.ok ? 0 : result.current?.modRevision, theirs);
      assert.equal(await version(key), '2');
    });

    it('a deletion is determined, although a deletion by another server has the same effect', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      const { rev } = await create(direct, key);
      const gone = async () => (await direct.get(key, signal)).kv === undefined;
      const remove = () => store.commit({ op: 'delete', key, expected: rev }, signal);
      assert.deepEqual(await loseReply(proxy, remove, gone), { ok: true, rev: rev + 1 });
    });

    it('a write that never arrived is reported as not made, and is not sent again', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      proxy.cutAfter('toServer', 20);
      await fails('unavailable', create(store, key));
      assert.equal((await store.get(key, signal)).kv, undefined);
    });

    it('a write that arrives after its outcome was determined does not take effect', async () => {
      await using slow = await proxied();
      await using proxy = await proxied();
      const endpoints = [`http://127.0.0.1:${slow.port}`, `http://127.0.0.1:${proxy.port}`];
      await using store = await openWriting(endpoints, { deadlines: { commitMs: 1200 } });
      const key = `${prefix()}a`;
      slow.stall(true);
      await fails('unavailable', create(store, key));
      slow.stall(false);
      // Delayed data arrives now, before data that is sent later on the same connection.
      await using later = await open([`http://127.0.0.1:${slow.port}`]);
      assert.equal((await create(later, `${key}-later`)).ok, true);
      assert.equal((await direct.get(key, signal)).kv, undefined);
    });

    it('a write stays unknown while etcd is unreachable', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy, { deadlines: { resolveMs: 300 } });
      const key = `${prefix()}a`;
      const written = async () => (await direct.get(key, signal)).kv !== undefined;
      proxy.swallowReplies(true);
      const unanswered = fails('outcomeUnknown', create(store, key));
      await poll('the write has reached etcd', 5000, async () => ((await written()) ? true : undefined));
      proxy.refuse(true);
      proxy.cutAll();
      await unanswered;
    });

    it('a write that was never sent is unavailable', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy, { deadlines: { commitMs: 200, resolveMs: 200 } });
      proxy.refuse(true);
      proxy.cutAll();
      await poll('the connection is gone', 2000, () => (proxy.open === 0 ? true : undefined));
      const key = `${prefix()}a`;
      const attempts = [create(store, key), create(store, key)];
      for (const attempt of attempts) {
        const error = (await attempt.catch((reason) => reason)) as StoreError;
        assert.ok(error instanceof StoreError && ['unavailable', 'outcomeUnknown'].includes(error.code));
      }
      await fails('unavailable', create(store, key));
    });

    it('a caller that aborts gets its reason before the write is sent, and outcomeUnknown after', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const key = `${prefix()}a`;
      proxy.swallowReplies(true);
      const abort = new AbortController();
      const sent = store.commit({ op: 'create', key, value: Buffer.from('x') }, abort.signal);
      const before = proxy.forwarded.toServer;
      await proxy.whenForwarded('toServer', before + 1);
      abort.abort(new Error('enough'));
      await fails('outcomeUnknown', sent);
      await assert.rejects(
        store.commit({ op: 'create', key, value: Buffer.from('x') }, abort.signal),
        /enough/,
      );
    });
  });

  describe('watches of the etcd store', () => {
    it('watches of the etcd store lose and repeat no event when the connection is reset at any byte, also twice in a row', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const range = prefixRange(prefix());
      const start = await direct.currentRevision(signal);
      await using watch = new WatchRecorder(store, range, { after: start, signal });
      const expected: number[] = [];
      for (let cut = 0; cut < 16; cut++) {
        // Resets occur within events, and then within the handshake or the answer to the new watch.
        const before = proxy.accepted;
        proxy.cutAfter('toClient', 1 + ((cut * 61) % 300));
        expected.push((await create(direct, `${range.start}${cut}`, 'x'.repeat(400))).rev);
        await poll('the watch comes again', 5000, () => (proxy.accepted > before ? true : undefined));
        proxy.cutAfter('toClient', 1 + ((cut * 37) % 200));
        await watch.received(expected.length);
      }
      assert.deepEqual((await watch.received(expected.length)).map(eventRevision), expected);
      assert.ok(proxy.accepted > 30, `${proxy.accepted} connections`);
    });

    it('watches of the etcd store report that history was compacted while they were disconnected, and its compacted revision', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const range = prefixRange(prefix());
      const { rev } = await create(direct, `${range.start}a`);
      await using watch = new WatchRecorder(store, range, { after: rev - 1, signal });
      await watch.received(1);
      proxy.refuse(true);
      proxy.cutAll();
      await update(direct, `${range.start}a`, rev, 'b');
      const { rev: last } = await create(direct, `${range.start}c`);
      await direct.compact(last, signal);
      proxy.refuse(false);
      await watch.done;
      assert.ok(
        watch.failure instanceof StoreError && watch.failure.code === 'compacted',
        `${watch.failure}`,
      );
      assert.equal(watch.failure.compactRevision, last);
    });

    it('watches never skip a deletion at exactly the compacted revision', async () => {
      const range = prefixRange(prefix());
      const { rev } = await create(direct, `${range.start}a`);
      const gone = await direct.commit({ op: 'delete', key: `${range.start}a`, expected: rev }, signal);
      await direct.compact(gone.rev, signal);
      await using watch = new WatchRecorder(direct, range, { after: gone.rev - 1, signal });
      await watch.done;
      assert.ok(
        watch.failure instanceof StoreError && watch.failure.code === 'compacted',
        `${watch.failure}`,
      );
      assert.equal(watch.failure.compactRevision, gone.rev);
    });

    it('watches of the etcd store report the revisions of writers of other keys', async () => {
      await using watch = new WatchRecorder(direct, prefixRange(prefix()), {
        after: await direct.currentRevision(signal),
        signal,
      });
      const { rev } = await create(direct, `/elsewhere/${tests}`);
      await watch.until(() => (watch.batches.at(-1)?.rev ?? 0) >= rev);
      assert.deepEqual(watch.events, []);
    });

    it('watches of the etcd store stop the server while their consumer is slow, then deliver everything', async () => {
      await using proxy = await proxied();
      await using store = await through(proxy);
      const range = prefixRange(prefix());
      const after = await direct.currentRevision(signal);
      const value = Buffer.alloc(500_000, 'v');
      for (let i = 0; i < 80; i++) await create(direct, `${range.start}${i}`, value);
      const iterator = store.watch(range, after, signal)[Symbol.asyncIterator]();
      const first = await iterator.next();
      let received = first.done ? 0 : first.value.events.length;
      // The proxy forwards until no data flows: windows, queue and the kernel's buffers are full.
      let last = -1;
      await poll('the stream stands still', 10_000, async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const still = proxy.forwarded.toClient === last;
        last = proxy.forwarded.toClient;
        return still ? true : undefined;
      });
      assert.ok(last < 25_000_000, `${last} of 40,000,000 bytes were taken without being asked for`);
      while (received < 80) {
        const { done, value: batch } = await iterator.next();
        assert.ok(!done);
        received += batch.events.length;
      }
      await iterator.return?.();
      assert.equal(received, 80);
    });
  });

  describe('lists of the etcd store', () => {
    it('lists of the etcd store of 40 MB are returned completely, and in pages within their byte budget', async () => {
      const range = prefixRange(prefix());
      const value = Buffer.alloc(1_000_000, 'v');
      for (let i = 0; i < 40; i++) await create(direct, `${range.start}${String(i).padStart(2, '0')}`, value);
      const whole = await direct.list(range, {}, signal);
      assert.deepEqual([whole.items.length, whole.count, whole.more], [40, 40, false]);
      assert.ok(whole.items.every((kv) => kv.value?.equals(value)));
      const page = await direct.list(range, { byteBudget: 5_500_000 }, signal);
      assert.deepEqual([page.items.length, page.count, page.more], [5, 40, true]);
    });
  });

  describe('keys with a ttl', () => {
    it('writes with the same ttl share leases', async () => {
      const base = prefix();
      const leases = async () => {
        const reply = await cluster.members[0]?.http('POST', '/v3/lease/leases', {});
        return (JSON.parse(reply?.body ?? '{}') as { leases?: unknown[] }).leases?.length ?? 0;
      };
      const before = await leases();
      await Promise.all(Array.from({ length: 300 }, (_, i) => create(direct, `${base}${i}`, 'x', 3600)));
      for (let i = 0; i < 50; i++) await create(direct, `${base}later${i}`, 'x', 3600 + i);
      assert.ok((await leases()) - before <= 2, `${(await leases()) - before} leases`);
    });

    it('keys with a ttl are attached to leases that can be granted, renewed and revoked', async () => {
      const client = new EtcdClient({ endpoints: [`localhost:${cluster.members[0]?.clientPort}`], env });
      const call = { timeoutMs: 5000, signal };
      const lease = await client.grantLease(100, call);
      assert.deepEqual(await client.renewLease(lease.id, call), lease);
      const key = `${prefix()}a`;
      await client.compareAndSwap({ key, expected: 0, value: Buffer.from('x'), lease: lease.id }, call);
      await client.revokeLease(lease.id, call);
      assert.equal((await client.renewLease(lease.id, call)).ttlSeconds, 0);
      assert.equal((await direct.get(key, signal)).kv, undefined);
      client.close();
    });

    it('keys with a ttl are written although their lease was revoked', async () => {
      const base = prefix();
      await create(direct, `${base}a`, 'x', 7200);
      const reply = await cluster.members[0]?.http('POST', '/v3/lease/leases', {});
      for (const { ID } of (JSON.parse(reply?.body ?? '{}') as { leases: { ID: string }[] }).leases) {
        await cluster.members[0]?.http('POST', '/v3/lease/revoke', { ID });
      }
      assert.equal((await direct.get(`${base}a`, signal)).kv, undefined);
      assert.equal((await create(direct, `${base}b`, 'x', 7200)).ok, true);
    });
  });

  describe('a member of etcd', () => {
    it('a member of etcd is reconnected by calls and watches after a restart', async () => {
      const member = cluster.members[0];
      assert.ok(member !== undefined);
      await using store = await open(cluster.endpoints);
      const range = prefixRange(prefix());
      const start = await store.currentRevision(signal);
      await using watch = new WatchRecorder(store, range, { after: start, signal });
      await create(store, `${range.start}a`);
      await watch.received(1);
      await member.kill('SIGTERM');
      const waiting = store.get(`${range.start}a`, signal);
      member.start();
      assert.equal((await waiting).kv?.value?.toString(), `${range.start}a`);
      await create(store, `${range.start}b`);
      assert.equal((await watch.received(2)).length, 2);
    });

    it('a member of etcd fails reads and writes at their deadline while it hangs', async () => {
      const member = cluster.members[0];
      await using store = await openWriting(cluster.endpoints, {
        deadlines: { readMs: 200, commitMs: 200, resolveMs: 200 },
      });
      await member?.pause();
      try {
        await fails('unavailable', store.get('/registry/a', signal));
        await fails('outcomeUnknown', create(store, '/registry/hang'));
      } finally {
        member?.resume();
      }
      assert.ok((await store.currentRevision(signal)) > 0);
    });
  });

  it('the etcd store on one member fails to open at its deadline when no member answers', async () => {
    await using proxy = await proxied();
    proxy.refuse(true);
    const opening = openEtcdStore({
      endpoints: [`127.0.0.1:${proxy.port}`],
      env,
      deadlines: { openMs: 200 },
    });
    await fails('unavailable', opening);
  });
});

describe('the etcd store', () => {
  it('the etcd store reports a full database as `full`, not as an unknown outcome, and still deletes', async () => {
    await using cluster = await startEtcd({ flags: ['--quota-backend-bytes', '1000000'] });
    await using store = await open(cluster.endpoints);
    const revisions: number[] = [];
    const error = await (async () => {
      for (let i = 0; i < 100; i++) {
        const result = await create(store, `/registry/${i}`, Buffer.alloc(400_000));
        assert.ok(result.ok);
        revisions.push(result.rev);
      }
      return undefined;
    })().catch((reason: unknown) => reason);
    assert.ok(error instanceof StoreError && error.code === 'full', `${error}`);
    assert.match(error.message, /only deletions are accepted.*space exceeded/);
    assert.match((await store.size(signal)).full ?? '', /only deletions are accepted.*alarm:NOSPACE/);
    const count = async () => (await store.list(prefixRange('/registry/'), {}, signal)).count;
    assert.equal(await count(), revisions.length);
    const expected = revisions[0] ?? 0;
    const also = [{ key: '/registry~history/0', value: Buffer.from('x') }, { key: '/registry/2' }];
    const write: Write & SideWrites = { op: 'delete', key: '/registry/0', expected, also };
    assert.equal((await store.commit(write, signal)).ok, true);
    assert.equal((await store.get('/registry~history/0', signal)).kv, undefined);
    assert.equal(await count(), revisions.length - (revisions.length > 2 ? 2 : 1));
    await fails('full', create(store, '/registry/more'));
    await using other = await open(cluster.endpoints);
    const second = { op: 'delete', key: '/registry/1', expected: revisions[1] ?? 0 } as const;
    assert.equal((await other.commit(second, signal)).ok, true, 'by a server that has no marks yet');
  });

  it('the etcd store speaks TLS with a client certificate, and refuses a server that it cannot verify', async () => {
    await using cluster = await startEtcd({ tls: true });
    const { tls } = cluster;
    assert.ok(tls !== undefined);
    await using store = await open(cluster.endpoints, { tls });
    // Over TLS etcd allows 250 concurrent streams: the others wait.
    const writes = Array.from({ length: 400 }, (_, i) => create(store, `/registry/${i}`, Buffer.alloc(3000)));
    assert.ok((await Promise.all(writes)).every((result) => result.ok));
    assert.equal((await store.list(prefixRange('/registry/'), {}, signal)).count, 400);
    await using watch = new WatchRecorder(store, prefixRange('/registry/'), { after: 1, signal });
    await watch.received(400);
    const deadlines = { openMs: 300 };
    const error = await fails('unavailable', openEtcdStore({ endpoints: cluster.endpoints, env, deadlines }));
    assert.match(error.message, /cannot connect to https:.*certificate/);
    const { ca } = tls;
    await fails('unavailable', openEtcdStore({ endpoints: cluster.endpoints, env, deadlines, tls: { ca } }));
  });

  it('the etcd store authenticates, and requests a new token when the old one has expired', async () => {
    await using cluster = await startEtcd({ auth: { password: 'secret' } });
    const { auth } = cluster;
    assert.ok(auth !== undefined);
    await using store = await open(cluster.endpoints, { auth });
    const range = prefixRange('/registry/');
    await using watch = new WatchRecorder(store, range, { after: 1, signal });
    await create(store, '/registry/a');
    await watch.received(1);
    // Setting a password, even the same one, invalidates all tokens of its user.
    const [member] = cluster.members;
    const login = await member?.http('POST', '/v3/auth/authenticate', { name: 'root', password: 'secret' });
    const { token } = JSON.parse(login?.body ?? '{}') as { token: string };
    const change = { name: 'root', password: 'secret' };
    assert.equal((await member?.http('POST', '/v3/auth/user/changepw', change, token))?.status, 200);
    await create(store, '/registry/b');
    assert.equal((await store.list(range, {}, signal)).count, 2);
    await watch.received(2);
    const wrong = { username: 'root', password: 'wrong' };
    const deadlines = { openMs: 2000 };
    const error = await fails(
      'unavailable',
      openEtcdStore({ endpoints: cluster.endpoints, env, auth: wrong, deadlines }),
    );
    assert.match(error.message, /authentication failed/);
  });

  it('the etcd store works for a user who may use only its prefix, watches included', async () => {
    await using cluster = await startEtcd();
    const [member] = cluster.members;
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const perm = { permType: 'READWRITE', key: base64('/registry/'), range_end: base64('/registry0') };
    for (const [path, body] of [
      ['user/add', { name: 'root', password: 'r' }],
      ['role/add', { name: 'root' }],
      ['user/grant', { user: 'root', role: 'root' }],
      ['user/add', { name: 'orch', password: 'o' }],
      ['role/add', { name: 'orch' }],
      ['role/grant', { name: 'orch', perm }],
      ['user/grant', { user: 'orch', role: 'orch' }],
      ['enable', {}],
    ] as const) {
      assert.equal((await member?.http('POST', `/v3/auth/${path}`, body))?.status, 200, path);
    }
    await using store = await open(cluster.endpoints, { auth: { username: 'orch', password: 'o' } });
    await using watch = new WatchRecorder(store, prefixRange('/registry/'), { after: 1, signal });
    await create(store, '/registry/a');
    await create(store, '/registry/b', 'x', 60);
    assert.equal((await watch.received(2)).length, 2);
    await fails('unavailable', create(store, '/elsewhere'));
  });
});
