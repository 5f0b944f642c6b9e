import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OLD_UPDATES_MANAGER } from '@orch/apply';
import type { Random } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { prefixRange, type Revision, readable } from '@orch/storage';
import { type Faults, FaultyStore } from '@orch/storage/conformance';
import type { Answered } from '../testing/answers.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const path = `${maps}/shared`;
const WRITERS = 16;
const ROUNDS = 12;

// biome-ignore lint/suspicious/noExplicitAny: stored objects of a kind that the test declares.
type Stored = any;

/** An acknowledged write: the stored value as reported to its writer. */
interface Acknowledged {
  readonly writer: string;
  readonly value: string;
  readonly rev: Revision;
}

type Write = (api: RegistryFixture, writer: string, value: string) => Promise<Answered>;

/** Reads, changes one field, writes back what was read, its version and its owners included. */
const readModifyWrite: Write = async (api, writer, value) => {
  const read = await api.get(path);
  if (read.status !== 200) return read;
  const { data, ...rest } = read.json;
  return api.put(`${path}?fieldManager=${writer}`, { ...rest, data: { ...data, [writer]: value } });
};

const writes: Readonly<Record<string, Write>> = {
  put: readModifyWrite,
  merge: (api, writer, value) => api.patch(`${path}?fieldManager=${writer}`, { data: { [writer]: value } }),
  json: (api, writer, value) =>
    api.patch(`${path}?fieldManager=${writer}`, [{ op: 'add', path: `/data/${writer}`, value }], 'json'),
  strategic: (api, writer, value) =>
    api.send('PATCH', `${path}?fieldManager=${writer}`, {
      body: { data: { [writer]: value } },
      contentType: 'application/strategic-merge-patch+json',
    }),
  apply: (api, writer, value) =>
    api.send('PATCH', `${path}?fieldManager=${writer}`, {
      body: configMap('shared', { [writer]: value }),
      contentType: 'application/apply-patch+yaml',
    }),
};

/**
 * Writes with growing values until all rounds are complete; refused writes and those with an unknown outcome are
 * repeated.
 */
async function write(api: RegistryFixture, writer: string, random: Random): Promise<readonly Acknowledged[]> {
  const kinds = Object.values(writes);
  // An applier that also wrote in other ways would be two managers.
  const own = random.int(3) === 0 ? [writes['apply'] as Write] : kinds.slice(0, -1);
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const kind = own[random.int(own.length)] as Write;
    const value = `${round}`;
    const answer = await kind(api, writer, value);
    assert.ok([200, 409, 503, 504].includes(answer.status), answer.text);
    if (answer.status !== 200) continue;
    assert.equal(answer.json.data[writer], value, 'an answer shows what was written');
    acknowledged.push({ writer, value, rev: Number(answer.json.metadata.resourceVersion) });
  }
  return acknowledged;
}

/** Every state of the object, by revision. */
async function history(api: RegistryFixture): Promise<ReadonlyMap<Revision, Stored>> {
  const states = new Map<Revision, Stored>();
  const stop = new AbortController();
  const last = await api.model.currentRevision(stop.signal);
  const range = prefixRange('/registry/configmaps/default/shared');
  for await (const { rev, events } of api.model.watch(range, 1, stop.signal)) {
    for (const event of events)
      if (event.type === 'put') states.set(event.kv.modRevision, parseJson(readable(event.kv).value));
    if (rev >= last) break;
  }
  return states;
}

/** The fields of data that have owners, with these owners. */
function ownersOf(object: Stored, at: string): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  const entries = new Set<string>();
  for (const { manager, operation, fieldsV1 } of object.metadata.managedFields) {
    assert.ok(!entries.has(`${operation} ${manager}`), `${at}: two entries of ${operation} ${manager}`);
    entries.add(`${operation} ${manager}`);
    assert.deepEqual(Object.keys(fieldsV1), ['f:data'], at);
    for (const step of Object.keys(fieldsV1['f:data'])) {
      if (step === '.') continue;
      const name = step.slice('f:'.length);
      owners.set(name, [...(owners.get(name) ?? []), manager]);
    }
  }
  return owners;
}

/** Every field has one owner: its writer, or a manager that merged entries; no missing field has an owner. */
function assertConsistent(object: Stored, at: string): void {
  const owners = ownersOf(object, at);
  assert.deepEqual([...owners.keys()].sort(), Object.keys(object.data).sort(), at);
  for (const [name, managers] of owners) {
    assert.equal(managers.length, 1, `${at}: ${name} is owned by ${managers.join()}`);
    assert.ok(
      [name, OLD_UPDATES_MANAGER].includes(managers[0] ?? ''),
      `${at}: ${name} is owned by ${managers}`,
    );
  }
}

const faults: Faults = { delayMs: 6, unavailable: 0.02, replyLost: 0.03, requestLost: 0.03 };

/** Runs all writers at once while the time of the store advances. */
async function race(api: RegistryFixture, clock: FakeClock, seed: number): Promise<readonly Acknowledged[]> {
  const writers = Array.from({ length: WRITERS }, (_, i) =>
    write(api, `w${i}`, seededRandom(seed * 100 + i)),
  );
  let over = false;
  const all = Promise.all(writers).finally(() => {
    over = true;
  });
  for (let turn = 0; turn < 20_000 && !over; turn++) {
    await clock.advanceAsync(2);
    await settle();
  }
  assert.ok(over, 'the writers have come to an end');
  return (await all).flat();
}

describe('sixteen writers of one object', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`concurrent writers lose no update, and each owns its fields (seed ${seed})`, async (t) => {
      t.diagnostic(`seed ${seed}`);
      const clock = new FakeClock();
      let store: FaultyStore | undefined;
      await using api = await RegistryFixture.open({
        seed,
        wrap(inner) {
          store = new FaultyStore(inner, { clock, random: seededRandom(seed) });
          return store;
        },
      });
      const first = await api.post(`${maps}?fieldManager=first`, configMap('shared', { first: '0' }));
      assert.equal(first.status, 201, first.text);
      if (store !== undefined) store.faults = faults;
      const acknowledged = await race(api, clock, seed);
      assert.ok(acknowledged.length > WRITERS, `${acknowledged.length} writes were acknowledged`);

      const states = await history(api);
      assert.ok(states.size > WRITERS);
      for (const { writer, value, rev } of acknowledged) {
        assert.equal(states.get(rev)?.data[writer], value, `${writer} ${value} at ${rev}`);
        for (const [later, { data }] of states)
          assert.ok(
            later < rev || Number(data[writer]) >= Number(value),
            `${writer} ${value} was lost at ${later}`,
          );
      }
      for (const [rev, object] of states) assertConsistent(object, `revision ${rev}`);
    });
  }
});
