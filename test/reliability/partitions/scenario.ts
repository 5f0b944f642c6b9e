import assert from 'node:assert/strict';
import { poll } from '@orch/machinery/testing';
import { accountNames, accounts, Clients, itemsOf, revisionOf } from './clients.ts';
import type { PartitionCluster } from './cluster.ts';
import { disturb } from './faults.ts';
import { History, type Outcome } from './history.ts';
import { checkEvents, happened, Watching } from './watching.ts';

/** Time after the last fault until everything works again. */
const HEAL_MS = 30_000;

/** The figures of a run. */
export interface Story {
  readonly faults: ReadonlyMap<string, number>;
  readonly writes: Record<Outcome, number>;
  readonly reads: number;
  readonly events: number;
  readonly watches: number;
}

/** Causes faults for the given time while clients work; then all faults end, and the promises are checked. */
export async function live(cluster: PartitionCluster, troubleMs: number): Promise<Story> {
  const { store, replicas } = cluster;
  const history = new History();
  const clients = new Clients(cluster, history);
  const after = await store.currentRevision(new AbortController().signal);
  await clients.prepare();
  const leaving = new AbortController();
  const over = new AbortController();
  const watchings = replicas.map(({ client }) => new Watching(client, after));
  const watched = Promise.all(watchings.map((watching) => watching.run(over.signal)));
  const worked = clients.run(leaving.signal);
  // A failure of either is reported when the faults are over.
  for (const work of [watched, worked]) work.catch(() => undefined);
  let faults: ReadonlyMap<string, number>;
  let last: number;
  try {
    faults = await disturb(cluster, troubleMs);
    leaving.abort();
    await worked;
    last = await finalWrite(cluster);
    await poll('all watches have the last event', HEAL_MS, () =>
      watchings.every(({ revision }) => revision >= last) ? true : undefined,
    );
  } finally {
    leaving.abort();
    over.abort();
  }
  await watched;
  const expected = await happened(store, after, last);
  for (const [i, watching] of watchings.entries()) checkEvents(`server-${i}`, watching, expected);
  for (const { client } of replicas) await checkObjects(client, history);
  return {
    faults,
    writes: history.counts(),
    reads: history.reads,
    events: expected.length,
    watches: watchings.reduce((sum, { watches }) => sum + watches, 0),
  };
}

/** One last write through every server; the revision of the last one. Nothing is written after it. */
async function finalWrite({ replicas }: PartitionCluster): Promise<number> {
  let revision = 0;
  for (const [i, { client }] of replicas.entries()) {
    const name = `last-${i}`;
    revision = await poll(`server-${i} takes writes again`, HEAL_MS, async () => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
      await client.post(accounts, account).catch(() => undefined);
      const { status, json } = await client.get(`${accounts}/${name}`);
      return status === 200 ? revisionOf(json as Parameters<typeof revisionOf>[0]) : undefined;
    });
  }
  return revision;
}

async function checkObjects(
  client: PartitionCluster['replicas'][number]['client'],
  history: History,
): Promise<void> {
  for (const name of accountNames) {
    const { status, json } = await client.get(`${accounts}/${name}`);
    assert.equal(status, 200);
    history.check(name, itemsOf(json as Parameters<typeof itemsOf>[0]));
  }
}
