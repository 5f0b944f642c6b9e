import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import type { ApiClient } from '@orch/testkit';
import { Follower } from './changing/follower.ts';
import {
  changedForm,
  clusterGearsPath,
  definition,
  definitionPath,
  firstForm,
  gear,
  gearsPath,
  type Json,
  seqOf,
  versionsOf,
  withScope,
} from './changing/gears.ts';
import { type Acknowledged, Writer } from './changing/writer.ts';
import { TwoReplicas } from './two-replicas.ts';
import { establish } from './widgets.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const KINDS = 3;
const WRITERS = 2;
const OPERATIONS = 150;
const RECREATIONS = 6;

/** Changes a definition again and again, at either replica, until the signal aborts. Returns the number of changes. */
async function disturb(
  clients: readonly ApiClient[],
  index: number,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<number> {
  let form = firstForm;
  let changes = 0;
  while (!signal.aborted) {
    form = changedForm(form, random);
    const client = clients[random.int(clients.length)];
    const options = {
      body: { spec: { versions: versionsOf(form) } },
      contentType: 'application/merge-patch+json',
    };
    const answer = await client?.send('PATCH', definitionPath(index), options);
    if (answer?.status === 422 && /storedVersions/.test(answer.text)) {
      // A version in which objects may be stored is not removed.
      form = { ...form, others: [...new Set([...form.others, ...['v2', 'v3']])] };
      continue;
    }
    assert.equal(answer?.status, 200, answer?.text);
    changes += 1;
    await new Promise((resolve) => setTimeout(resolve, random.int(20)));
  }
  return changes;
}

const stateOf = (acknowledged: readonly Acknowledged[]): readonly (readonly [string, number])[] =>
  acknowledged
    .flatMap((all) => [...all])
    .filter((entry): entry is [string, number] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

const sorted = (objects: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...objects].sort(([a], [b]) => (a < b ? -1 : 1));

/** Waits until a follower has the expected objects. */
async function hasLastStates(
  follower: Follower,
  expected: readonly (readonly [string, number])[],
  following: Promise<unknown>,
): Promise<void> {
  const isEqual = (): boolean => isDeepStrictEqual(sorted(follower.objects), expected);
  const deadline = performance.now() + 10_000;
  while (!isEqual() && performance.now() < deadline) {
    await Promise.race([following, new Promise((resolve) => setTimeout(resolve, 20))]);
  }
  assert.deepEqual(sorted(follower.objects), expected, follower.title);
}

/** Deletes an object and waits until it does not exist any more. */
async function removed(client: ApiClient, path: string): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  let { status } = await client.delete(path);
  assert.equal(status, 200);
  while (status !== 404) {
    ({ status } = await client.get(path));
    deadline.throwIfAborted();
  }
}

describe('definitions that change on two replicas while objects are written', { timeout: 120_000 }, () => {
  let replicas: TwoReplicas;
  before(async () => {
    replicas = await TwoReplicas.open();
  });
  after(() => replicas[Symbol.asyncDispose]());

  it(`no acknowledged write is lost, watchers see the last states, and no request fails (seed ${seed})`, async (t) => {
    const clients = replicas.all.map(({ client }) => client);
    const random = seededRandom(seed);
    const kinds = Array.from({ length: KINDS }, (_, index) => index);
    for (const index of kinds) {
      const created = await establish(clients[index % 2] as ApiClient, definition(index, firstForm));
      assert.equal(created.status, 201, created.text);
    }
    const over = new AbortController();
    const calm = new AbortController();
    const followers = kinds.map((index) => clients.map((client) => new Follower(client, index)));
    const following = Promise.all(followers.flat().map((follower) => follower.run(over.signal)));
    const disturbing = Promise.all(
      kinds.map((index) =>
        disturb(clients, index, { random: seededRandom(random.int(1_000_000)), signal: calm.signal }),
      ),
    );
    const writers = kinds.map((index) =>
      clients.flatMap((client, i) =>
        Array.from(
          { length: WRITERS },
          (_, n) =>
            new Writer({
              client,
              other: clients[1 - i] ?? client,
              definition: index,
              name: `w${i}${n}`,
              random: seededRandom(random.int(1_000_000)),
            }),
        ),
      ),
    );
    const written = Promise.all(writers.flat().map((writer) => writer.run(OPERATIONS)));
    try {
      await Promise.race([written, following, disturbing]);
      calm.abort();
      const changes = await disturbing;
      t.diagnostic(
        `seed ${seed}: ${changes.join()} changes, ${followers.flat().map(({ watches, lists }) => `${watches}/${lists}`)} watches/lists`,
      );
      for (const index of kinds) {
        const expected = stateOf((writers[index] ?? []).map(({ acknowledged }) => acknowledged));
        for (const client of clients) {
          const { items } = (await client.get(gearsPath(index))).json as Json;
          assert.deepEqual(
            items.map((item: Json) => [item.metadata.name, seqOf(item)]),
            expected,
          );
        }
        for (const follower of followers[index] ?? []) await hasLastStates(follower, expected, following);
      }
    } finally {
      calm.abort();
      over.abort();
      await Promise.allSettled([written, following, disturbing]);
    }
  });

  it(`a definition that is re-created with another scope serves objects of that scope only (seed ${seed})`, async (t) => {
    const clients = replicas.all.map(({ client }) => client);
    const statuses = new Map<number, number>();
    const over = new AbortController();
    const write = async (client: ApiClient, random: Random): Promise<void> => {
      for (let i = 0; !over.signal.aborted; i++) {
        const path = random.int(2) === 0 ? gearsPath(9) : clusterGearsPath(9);
        const { status, text } = await client.post(path, gear(9, `o${random.int(1_000_000)}`, i));
        assert.ok([201, 404, 405].includes(status), text);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const writing = Promise.all(clients.map((client, i) => write(client, seededRandom(seed + i))));
    const recreate = async (): Promise<void> => {
      for (let i = 0; i < RECREATIONS; i++) {
        const client = clients[i % 2] as ApiClient;
        const body = withScope(definition(9, firstForm), i % 2 === 0 ? 'Cluster' : 'Namespaced');
        assert.equal((await establish(client, body)).status, 201);
        const path = i % 2 === 0 ? clusterGearsPath(9) : gearsPath(9);
        for (const { client: each } of replicas.all) {
          const { status, json, text } = await each.get(path);
          assert.equal(status, 200, text);
          for (const { metadata } of (json as Json).items)
            assert.equal(metadata.namespace, i % 2 === 0 ? undefined : 'default');
        }
        await removed(client, definitionPath(9));
      }
    };
    try {
      await Promise.race([recreate(), writing]);
    } finally {
      over.abort();
      await Promise.allSettled([writing]);
    }
    t.diagnostic(`statuses of creations: ${JSON.stringify(Object.fromEntries(statuses))}`);
    assert.ok((statuses.get(201) ?? 0) > 0);
    assert.equal((await establish(clients[0] as ApiClient, definition(9, firstForm))).status, 201);
    for (const client of clients) assert.deepEqual(((await client.get(gearsPath(9))).json as Json).items, []);
  });
});
