import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { type KeyRange, type KeyValue, prefixRange, type ScanOptions, type Store } from '../index.ts';
import { type EtcdCluster, type PutEntry, putMany, RangeRecorder, startEtcd } from '../testing/index.ts';
import { openEtcdStore } from './etcd-store.ts';
import { encodeRange, type RangeRequest } from './proto/kv.ts';
import { ProtoReader } from './proto/reader.ts';
import { ProtoWriter } from './proto/writer.ts';

const never = new AbortController().signal;
const all = prefixRange('/r/');
const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const padded = (n: number): string => String(n).padStart(6, '0');

/** An etcd, a recorder in front of it, and a store that connects to the recorder. */
class Scanned implements AsyncDisposable {
  readonly cluster: EtcdCluster;
  readonly recorder: RangeRecorder;
  readonly store: Store;

  private constructor(cluster: EtcdCluster, recorder: RangeRecorder, store: Store) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.store = store;
  }

  static async open(maxMessageBytes?: number): Promise<Scanned> {
    const cluster = await startEtcd();
    const recorder = await RangeRecorder.listen(cluster.endpoints[0] ?? '');
    const store = await openEtcdStore({
      endpoints: [recorder.endpoint],
      env,
      ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
    });
    return new Scanned(cluster, recorder, store);
  }

  async put(entries: Iterable<PutEntry>): Promise<number> {
    return putMany(this.cluster.endpoints[0] ?? '', entries);
  }

  async scan(options: ScanOptions = {}, range: KeyRange = all): Promise<Result> {
    const items: KeyValue[] = [];
    const revisions = new Set<number>();
    this.recorder.ranges.length = 0;
    for await (const part of this.store.scan(range, options, never)) {
      for (const kv of part.items) items.push(kv);
      revisions.add(part.rev);
    }
    return { items, revisions };
  }

  /** The result of a list of the same revision. */
  async listed({ revisions }: Result, range: KeyRange = all): Promise<readonly KeyValue[]> {
    const [at = 0] = revisions;
    return (await this.store.list(range, { at }, never)).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.recorder[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

interface Result {
  readonly items: readonly KeyValue[];
  readonly revisions: ReadonlySet<number>;
}

function* objects(count: number, bytes: number, kind = 'pods'): Generator<PutEntry> {
  for (let n = 0; n < count; n++)
    yield { key: `/r/${kind}/default/object-${padded(n)}`, value: Buffer.alloc(bytes, n) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * Answers a streaming read as etcd 3.7 does, in messages with a number of keys; `broken` ends it after the first one.
 */
async function answerStream(
  s: Scanned,
  {
    call,
    request,
  }: {
    call: { send(message: Buffer): void; end(code?: number, message?: string): void };
    request: RangeRequest;
  },
  { keys, broken = false }: { readonly keys: number; readonly broken?: boolean },
): Promise<void> {
  const writer = new ProtoWriter();
  writer.reset();
  encodeRange(writer, { ...request, limit: 0 });
  const whole = await s.recorder.pass('/etcdserverpb.KV/Range', Buffer.from(writer.finish()));
  const fields = topFields(whole);
  const kvs = fields.filter(({ tag }) => tag === 0x12);
  const wrapped = (parts: readonly { readonly bytes: Buffer }[]): Buffer => {
    writer.reset();
    writer.bytes(1, Buffer.concat(parts.map(({ bytes }) => bytes)));
    return Buffer.from(writer.finish());
  };
  for (let at = 0; at < kvs.length; at += keys) {
    call.send(wrapped(kvs.slice(at, at + keys)));
    if (broken) return call.end(14, 'the member goes away');
  }
  call.send(wrapped(fields.filter(({ tag }) => tag !== 0x12)));
  call.end();
}

/** The encoded fields of a message. */
function topFields(message: Buffer): readonly { readonly tag: number; readonly bytes: Buffer }[] {
  const fields: { tag: number; bytes: Buffer }[] = [];
  for (let at = 0; at < message.length; ) {
    const rest = message.subarray(at);
    const reader = new ProtoReader(rest);
    const tag = reader.tag();
    reader.skip();
    fields.push({ tag, bytes: rest.subarray(0, reader.position) });
    at += reader.position;
  }
  return fields;
}

describe('a scan of etcd', () => {
  it('requests every byte once, and makes etcd count in proportion to the number of keys, not to its square', async () => {
    await using s = await Scanned.open();
    const perKey: number[] = [];
    for (const count of [5_000, 20_000]) {
      await s.put(objects(count, 200));
      const { items } = await s.scan({ byteBudget: 16 * 1024 });
      assert.equal(items.length, count);
      const { ranges } = s.recorder;
      assert.equal(sum(ranges.map(({ keys }) => keys)), count);
      assert.ok(sum(ranges.map(({ bytes }) => bytes)) < count * 300);
      assert.ok(ranges.length < count / 30, `${ranges.length} requests for ${count} keys`);
      perKey.push(sum(ranges.map(({ counted }) => counted)) / count);
    }
    // With the same end in all requests it would be 30 and 120.
    const [few = 0, many = 0] = perKey;
    assert.ok(few < 16 && many < 16, `keys counted for each key read: ${perKey}`);
  });

  it('a scan of etcd finds the keys of one large and many empty or small resources in the order of a list', async () => {
    await using s = await Scanned.open();
    await s.put([
      ...objects(1, 10, 'configmaps'),
      ...objects(4_000, 100, 'pods'),
      ...objects(3, 10, 'pods.metrics'),
      ...objects(1, 100_000, 'secrets'),
      { key: '/r0/outside', value: Buffer.alloc(1) },
    ]);
    for (const byteBudget of [1_000, 20_000, 10_000_000]) {
      const result = await s.scan({ byteBudget });
      assert.deepEqual(
        result.items.map(({ key, modRevision }) => [key, modRevision]),
        (await s.listed(result)).map(({ key, modRevision }) => [key, modRevision]),
      );
    }
    assert.equal((await s.scan({}, prefixRange('/r/leases/'))).items.length, 0);
  });

  it('a scan reads one revision while keys are written, created and deleted between its requests', async () => {
    await using s = await Scanned.open();
    await s.put(objects(2_000, 1_000));
    const expected = (await s.store.list(all, {}, never)).items.map(({ key, value }) => [key, value]);
    let writes = 0;
    s.recorder.before = async ({ revision = 0 }) => {
      if (revision === 0) return;
      await s.put([
        { key: `/r/pods/default/object-${padded(1999 - writes)}`, value: Buffer.from('changed') },
        { key: `/r/pods/default/object-${padded(1999 - writes)}-new`, value: Buffer.from('new') },
      ]);
      writes++;
    };
    const { items, revisions } = await s.scan({ byteBudget: 100_000 });
    assert.ok(writes > 10);
    assert.equal(revisions.size, 1);
    assert.deepEqual(
      items.map(({ key, value }) => [key, value]),
      expected,
    );
  });

  it('a scan of etcd fails as compacted when its revision is compacted in between, and succeeds when it is restarted', async () => {
    await using s = await Scanned.open();
    await s.put(objects(500, 1_000));
    let requests = 0;
    s.recorder.before = async () => {
      if (++requests !== 4) return;
      const late = await s.put([{ key: '/r/pods/default/late', value: Buffer.from('late') }]);
      await s.store.compact(late, never);
    };
    await assert.rejects(s.scan({ byteBudget: 20_000 }), { code: 'compacted' });
    assert.equal((await s.scan()).items.length, 501);
  });

  it('a scan of etcd continues at its position when etcd is killed and restarted', async () => {
    await using s = await Scanned.open();
    await s.put(objects(500, 1_000));
    let requests = 0;
    s.recorder.before = async () => {
      if (++requests === 4) await (await s.cluster.leader()).restart();
    };
    const { items } = await s.scan({ byteBudget: 20_000 });
    assert.ok(requests > 4);
    assert.deepEqual([items.length, new Set(items.map(({ key }) => key)).size], [500, 500]);
  });

  it('a scan reads values near the maximum size of etcd, also after many small ones', async () => {
    await using s = await Scanned.open(4_000_000);
    await s.put(objects(1_000, 10, 'a-small'));
    await s.put(objects(12, 1_040_000, 'b-large'));
    await s.put(objects(1_000, 10, 'c-small'));
    const { items } = await s.scan();
    assert.equal(items.length, 2_012);
    assert.equal(sum(items.map(({ value }) => value?.length ?? 0)), 12 * 1_040_000 + 20_000);
  });

  it('a scan of etcd receives no values when only keys are requested', async () => {
    await using s = await Scanned.open();
    await s.put(objects(2_500, 1_000));
    const { items } = await s.scan({ keysOnly: true });
    assert.equal(items.length, 2_500);
    assert.ok(sum(s.recorder.ranges.map(({ bytes }) => bytes)) < 2_500 * 100);
    const page = await s.store.list(all, { keysOnly: true, limit: 10 }, never);
    assert.deepEqual([page.items.length, page.items[0]?.value?.length], [10, 0]);
  });
});

describe('a scan of an etcd that streams', () => {
  it('a scan of an etcd that streams is one call at one revision, for any sizes of messages', async () => {
    await using s = await Scanned.open();
    await s.put(objects(1_000, 100));
    for (const keys of [1, 7, 5_000]) {
      const revisions: (number | undefined)[] = [];
      s.recorder.stream = (call, request) => {
        revisions.push(request.revision);
        return answerStream(s, { call, request }, { keys });
      };
      const result = await s.scan();
      assert.deepEqual(revisions, [...result.revisions]);
      // One request determines the revision, the rest is streamed.
      assert.equal(s.recorder.ranges.length, 1);
      assert.deepEqual(result.items, await s.listed(result));
    }
    assert.deepEqual((await s.scan({}, prefixRange('/r/none/'))).items, []);
  });

  it('a scan of an etcd that streams continues with unary requests when the stream is lost', async () => {
    await using s = await Scanned.open();
    await s.put(objects(1_000, 100));
    s.recorder.stream = (call, request) => answerStream(s, { call, request }, { keys: 300, broken: true });
    const result = await s.scan();
    assert.equal(sum(s.recorder.ranges.map(({ keys }) => keys)), 700);
    assert.deepEqual(result.items, await s.listed(result));
  });

  it('a scan of an etcd that streams rejects with the reason of its signal while the stream is idle', async () => {
    await using s = await Scanned.open();
    await s.put(objects(10, 100));
    const abort = new AbortController();
    const reason = new Error('enough');
    s.recorder.stream = async () => abort.abort(reason);
    await assert.rejects(async () => {
      for await (const { items } of s.store.scan(all, {}, abort.signal)) assert.deepEqual(items, []);
    }, reason);
  });
});
