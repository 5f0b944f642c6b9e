import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { type SigningKey, signingKey, type TokenKey } from '@orch/pki/jws';
import { ModelStore, prefixRange, type Store } from '@orch/storage';
import { PublishedKeys } from './published-keys.ts';

const prefix = '/registry/~internal/token-keys/';
const { signal } = new AbortController();
const DAY = 24 * 3_600_000;
const newKey = (): SigningKey => signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

class Cluster {
  readonly env = testEnv();
  readonly store = new ModelStore({ clock: this.env.clock });
  reads = 0;

  replica(own: SigningKey = newKey(), known: readonly TokenKey[] = [own]): PublishedKeys {
    const { store } = this;
    const counted: Pick<Store, 'get' | 'list' | 'commit'> = {
      get: (key, signal) => store.get(key, signal),
      commit: (write, signal) => store.commit(write, signal),
      list: (range, options, signal) => {
        this.reads++;
        return store.list(range, options, signal);
      },
    };
    return new PublishedKeys({ store: counted, prefix, own, known, env: this.env });
  }

  async stored(): Promise<readonly string[]> {
    const { items } = await this.store.list(prefixRange(prefix), {}, signal);
    return items.map(({ key }) => key.slice(prefix.length));
  }

  /** Advances the clock, with pauses for pending work. */
  async pass(ms: number): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await settle();
    this.env.clock.advance(ms);
    for (let turn = 0; turn < 5; turn++) await settle();
  }
}

describe('published keys', () => {
  it('replicas publish their keys to each other', async () => {
    const cluster = new Cluster();
    const [one, two] = [newKey(), newKey()];
    const first = cluster.replica(one);
    const second = cluster.replica(two);
    await first.start(signal);
    await second.start(signal);
    assert.ok(second.withId(one.id));
    assert.equal(first.withId(two.id), undefined);
    await first.refresh(signal);
    assert.ok(first.withId(two.id));
    assert.deepEqual(
      first
        .all()
        .map(({ id }) => id)
        .sort(),
      [one.id, two.id].sort(),
    );
  });

  it('published keys contain no secret in the store', async () => {
    const cluster = new Cluster();
    const own = newKey();
    await cluster.replica(own).start(signal);
    const { kv } = await cluster.store.get(`${prefix}${own.id}`, signal);
    assert.match(String(kv?.value), /BEGIN PUBLIC KEY/);
    assert.doesNotMatch(String(kv?.value), /PRIVATE/);
    const { d } = own.privateKey.export({ format: 'jwk' });
    assert.ok(!String(kv?.value).includes(String(d)));
  });

  it('published keys are tried for tokens without a key id only when they are given by flags', async () => {
    const cluster = new Cluster();
    await cluster.replica().start(signal);
    const own = newKey();
    const second = cluster.replica(own);
    await second.start(signal);
    assert.deepEqual(second.unnamed, [own]);
  });

  it('published keys are one key for replicas that share one', async () => {
    const cluster = new Cluster();
    const shared = newKey();
    await Promise.all([cluster.replica(shared).start(signal), cluster.replica(shared).start(signal)]);
    assert.deepEqual(await cluster.stored(), [shared.id]);
  });

  it('published keys are searched once for all waiting requests, and at most once a second', async () => {
    const cluster = new Cluster();
    const replica = cluster.replica();
    await replica.start(signal);
    cluster.reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => replica.refresh(signal)));
    assert.equal(cluster.reads, 1);
    const later = newKey();
    const waiting = [replica.refresh(signal), replica.refresh(signal)];
    await cluster.pass(900);
    assert.equal(cluster.reads, 1);
    await cluster.replica(later).publish(signal);
    await cluster.pass(100);
    await Promise.all(waiting);
    assert.equal(cluster.reads, 2);
    assert.ok(replica.withId(later.id));
  });

  it('limit the number of waiting requests, and each waits no longer than its own deadline', async () => {
    const cluster = new Cluster();
    const replica = cluster.replica();
    await replica.refresh(signal);
    const stop = new AbortController();
    const waiting = Array.from({ length: 256 }, () => replica.refresh(stop.signal));
    await assert.rejects(
      replica.refresh(signal),
      (error) => error instanceof ApiError && error.status.code === 429,
    );
    stop.abort(new Error('gone'));
    const outcomes = await Promise.allSettled(waiting);
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    const again = replica.refresh(signal);
    await cluster.pass(1000);
    await again;
  });

  it('published keys are updated: new ones are added, expired ones removed, and that of this server is renewed', async () => {
    const cluster = new Cluster();
    const [one, two] = [newKey(), newKey()];
    await cluster.replica(two).start(signal);
    const first = cluster.replica(one);
    await first.start(signal);
    const stop = new AbortController();
    const running = first.run(stop.signal);
    await cluster.pass(399 * DAY);
    assert.ok(first.withId(two.id));
    await cluster.pass(2 * DAY);
    assert.equal(first.withId(two.id), undefined);
    assert.deepEqual(await cluster.stored(), [one.id]);
    const three = newKey();
    await cluster.replica(three).publish(signal);
    await cluster.pass(60_000);
    assert.ok(first.withId(three.id));
    stop.abort(new Error('over'));
    await assert.rejects(running, /over/);
  });

  it('published keys ignore records without a key, or with the wrong id', async () => {
    const cluster = new Cluster();
    const [own, other] = [newKey(), newKey()];
    const pem = other.publicKey.export({ type: 'spki', format: 'pem' });
    const seenAt = new Date(cluster.env.clock.now()).toISOString();
    for (const [id, value] of [
      ['a', 'rubbish'],
      ['b', JSON.stringify({ publicKey: pem, seenAt })],
      ['c', '{}'],
      [other.id, JSON.stringify({ publicKey: pem, seenAt: 'never' })],
    ] as const) {
      await cluster.store.commit({ op: 'create', key: `${prefix}${id}`, value: Buffer.from(value) }, signal);
    }
    const replica = cluster.replica(own);
    await replica.start(signal);
    assert.deepEqual(replica.all(), [own]);
  });

  it('published keys that cannot be read fail the search, which is retried', async () => {
    const cluster = new Cluster();
    const replica = cluster.replica();
    await replica.start(signal);
    const stop = new AbortController();
    const running = replica.run(stop.signal);
    await cluster.store.close();
    await cluster.pass(60_000);
    assert.ok(cluster.env.entries.some(({ msg }) => msg === 'keys of service account tokens cannot be read'));
    const search = replica.refresh(signal);
    const rejected = assert.rejects(search);
    await cluster.pass(1000);
    await rejected;
    stop.abort(new Error('over'));
    await assert.rejects(running, /over/);
  });
});
