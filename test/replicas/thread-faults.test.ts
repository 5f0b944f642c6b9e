import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import { ApiClient, launchServerProcess, type ServerProcess } from '@orch/testkit';

const path = '/api/v1/namespaces/default/configmaps';
/** More watches than threads: the kernel divides their connections. */
const WATCHES = 12;
const NAMES = 20;
const FAULTS = Number(process.env['THREAD_FAULTS'] ?? 2);

interface Meta {
  readonly name: string;
  readonly resourceVersion: string;
}

const metaOf = (object: unknown): Meta => (object as { readonly metadata: Meta }).metadata;

/** A client that watches config maps and resumes from the last event when its watch ends. */
class Follower {
  /** Each event: its type, the name and the revision. */
  readonly seen: string[] = [];
  #last: string;
  readonly #client: ApiClient;

  constructor(server: ServerProcess, from: string) {
    this.#client = new ApiClient(server.config, { maxSockets: 1 });
    this.#last = from;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const query = `watch=1&resourceVersion=${this.#last}`;
        for await (const { type, object } of this.#client.watch(`${path}?${query}`, signal)) {
          const { name, resourceVersion } = metaOf(object);
          assert.notEqual(type, 'ERROR', JSON.stringify(object));
          this.seen.push(`${type} ${name} ${resourceVersion}`);
          this.#last = resourceVersion;
        }
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
      }
    }
    this.#client[Symbol.dispose]();
  }
}

/** Creates, changes and deletes config maps until the signal aborts; requests fail while the store is away. */
async function write(server: ServerProcess, writer: number, signal: AbortSignal): Promise<void> {
  using client = new ApiClient(server.config, { maxSockets: 1 });
  for (let i = 0; !signal.aborted; i++) {
    const name = `written-${writer}-${i % NAMES}`;
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { text: `${i}`.repeat(500) },
    };
    const request =
      i % 7 === 6
        ? client.delete(`${path}/${name}`)
        : client
            .put(`${path}/${name}`, body)
            .then(({ status }) => (status === 404 ? client.post(path, body) : undefined));
    await request.catch(() => undefined);
  }
}

describe('a server with four threads whose etcd fails', { timeout: 240_000 }, () => {
  it('every watch over any thread has the same events in the same order, over restarts and compactions of etcd', async () => {
    await using etcd = await startEtcd();
    await using server = await launchServerProcess({ etcd: etcd.endpoints, args: ['--threads=4'] });
    const env = { ...systemEnv(), log: silentLogger };
    const store = await openEtcdStore({ endpoints: etcd.endpoints, env });
    const { resourceVersion } = metaOf((await server.client.get(path)).json);
    const [stopWriting, stop] = [new AbortController(), new AbortController()];
    const followers = Array.from({ length: WATCHES }, () => new Follower(server, resourceVersion));
    const following = followers.map((one) => one.run(stop.signal));
    const writing = [1, 2].map((writer) => write(server, writer, stopWriting.signal));
    const [first] = followers;
    assert.ok(first);
    for (let fault = 0; fault < FAULTS; fault++) {
      const before = first.seen.length;
      await poll('events between faults', 60_000, () => first.seen.length > before + 150);
      await store.compact(await store.currentRevision(stop.signal), stop.signal);
      await etcd.members[0]?.restart();
      await poll(
        'the server after a restart of etcd',
        60_000,
        async () => (await server.client.get('/readyz')).status === 200,
      );
    }
    stopWriting.abort();
    await Promise.all(writing);
    await store.close();
    const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'marker' } };
    await poll('a last write', 60_000, async () => (await server.client.post(path, marker)).status === 201);
    const last = ({ seen }: Follower): boolean => seen.at(-1)?.includes(' marker ') === true;
    await poll('the last event over all connections', 60_000, () => followers.every(last));
    stop.abort();
    await Promise.all(following);
    for (const { seen } of followers) assert.deepEqual(seen, first.seen);
    const revisions = first.seen.map((event) => Number(event.split(' ')[2]));
    assert.deepEqual(
      revisions,
      [...new Set(revisions)].sort((a, b) => a - b),
    );
    const state = new Map<string, string>();
    for (const [type, name = '', revision = ''] of first.seen.map((event) => event.split(' ')))
      if (type === 'DELETED') state.delete(name);
      else state.set(name, revision);
    const { items } = (await server.client.get(path)).json as { items: { metadata: Meta }[] };
    const listed = items.filter(
      ({ metadata }) => state.has(metadata.name) || metadata.name.startsWith('written-'),
    );
    assert.deepEqual(
      Object.fromEntries(listed.map(({ metadata }) => [metadata.name, metadata.resourceVersion])),
      Object.fromEntries(state),
    );
  });
});
