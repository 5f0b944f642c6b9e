import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import type { Watching } from '@orch/registry/testing';
import { asTable, nameOf, type TestedObject } from './context.ts';

/** Three watches of one object: JSON, table and Protobuf. */
export interface Watches {
  /** Fails unless all three received every event, in order, and the same ones. */
  ended(): Promise<void>;
}

interface Event {
  readonly type: string;
  readonly object: ApiObject;
}

/** Begins to watch an object that does not exist yet. */
export async function watch(tested: TestedObject): Promise<Watches> {
  const { api, collection, protobuf } = tested;
  const { resourceVersion } = (await api.get(collection)).json.metadata as {
    readonly resourceVersion: string;
  };
  const name = encodeURIComponent(nameOf(tested));
  const path = `${collection}?watch=true&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3D${name}`;
  const plain = await api.watch(path);
  const table = await api.watch(path, { accept: asTable(tested) });
  const binary = await api.watch(path, { accept: `${api.names.mediaTypes.protobuf};stream=watch` });
  for (const one of [plain, table, binary]) assert.equal(one.status, 200, JSON.stringify(one.events[0]));
  return {
    async ended() {
      await untilDeleted(plain);
      const events = plain.events as readonly Event[];
      assertCompleteHistory(events, tested);
      await table.until(events.length);
      await binary.until(events.length);
      for (const one of [plain, table, binary]) one.stop();
      await Promise.all([plain, table, binary].map(({ ended }) => ended));
      assertSameTable(table.events as readonly Event[], events);
      const fromBinary = binary.frames.map((frame) => protobuf.readEvent(frame));
      assert.deepEqual(fromBinary, events, 'the watch in Protobuf differs from JSON');
    },
  };
}

/** The last event may arrive after the response to the delete. */
async function untilDeleted(watching: Watching): Promise<void> {
  const last = (): Event | undefined => (watching.events as readonly Event[]).at(-1);
  while (last()?.type !== 'DELETED') {
    const { length } = watching.events;
    await watching.until(length + 1);
    assert.ok(watching.events.length > length, `no DELETED after ${last()?.type ?? 'nothing'}`);
  }
}

function assertCompleteHistory(events: readonly Event[], { served }: TestedObject): void {
  const types = events.map(({ type }) => type);
  assert.deepEqual([types[0], types.at(-1)], ['ADDED', 'DELETED']);
  assert.ok(types.slice(1, -1).every((type) => type === 'MODIFIED') && types.length > 3, types.join());
  let revision = 0;
  for (const { object } of events) {
    assert.deepEqual([object.apiVersion, object.kind], [served.apiVersion, served.kind]);
    const next = Number(object.metadata.resourceVersion);
    assert.ok(next > revision, 'revisions go up');
    revision = next;
  }
}

interface TableEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly rows: readonly { readonly object: ApiObject }[];
  };
}

function assertSameTable(tables: readonly unknown[], events: readonly Event[]): void {
  const rows = (tables as readonly TableEvent[]).map(({ type, object: { kind, rows } }) => [
    type,
    kind,
    ...rows.map(({ object }) => object.metadata.resourceVersion),
  ]);
  assert.deepEqual(
    rows,
    events.map(({ type, object }) => [type, 'Table', object.metadata.resourceVersion]),
    'the watch of tables differs from JSON',
  );
}
