import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess } from '@orch/testkit';

const path = '/api/v1/namespaces/default/configmaps';
const OBJECTS = 6;
const WORKERS = 12;
/** Writes of each worker; a replica is killed after a third of them. */
const WRITES = 45;

/** The clients' knowledge of their writes. Each has an identifier, which the object contains afterwards. */
class Outcomes {
  /** Revision of the object after an acknowledged creation or update, by the identifier of the write. */
  readonly acknowledged = new Map<string, { readonly object: string; readonly revision: string }>();
  /** Identifiers of writes without an answer. */
  readonly unknown = new Set<string>();
  readonly deletions = { acknowledged: 0, unknown: 0 };
}

interface Listed {
  readonly revision: string;
  readonly previousRevision?: string;
  readonly change: string;
  readonly user?: string;
}

async function write(
  server: LaunchedServer,
  { object, id }: { readonly object: string; readonly id: string },
  outcomes: Outcomes,
): Promise<void> {
  const isDeletion = Number(id.split('-')[1]) % 9 === 8;
  const at = `${path}/${object}`;
  try {
    if (isDeletion) {
      const { status } = await server.client.delete(at);
      if (status === 200) outcomes.deletions.acknowledged++;
      else assert.equal(status, 404);
      return;
    }
    const patched = await server.client.send('PATCH', at, {
      body: { data: { id } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const answer =
      patched.status === 404
        ? await server.client.post(path, { metadata: { name: object }, data: { id } })
        : patched;
    // Another client was faster.
    if (answer.status === 409) return;
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    const { metadata } = answer.json as { readonly metadata: { readonly resourceVersion: string } };
    outcomes.acknowledged.set(id, { object, revision: metadata.resourceVersion });
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    // The replica was killed.
    if (isDeletion) outcomes.deletions.unknown++;
    else outcomes.unknown.add(id);
  }
}

const changesOf = async (server: LaunchedServer, object: string): Promise<readonly Listed[]> => {
  const answer = await server.client.get(`/history${path}/${object}?limit=500`);
  assert.equal(answer.status, 200, answer.text);
  return (answer.json as { readonly changes: readonly Listed[] }).changes;
};

describe('the history of objects over three replicas, one of which is killed during writes', {
  timeout: 120_000,
}, () => {
  it('the history of objects over three replicas has each acknowledged write once, each unanswered one at most once, and no gap', async () => {
    await using etcd = await startEtcd();
    const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
    const args = ['--history-retention=1h'];
    const options = { etcd: etcd.endpoints, certDir, args };
    const first = await launchServer(options);
    const [second, killed] = await Promise.all([launchServer(options), launchServerProcess(options)]);
    const replicas: readonly LaunchedServer[] = [first, second, killed];
    const outcomes = new Outcomes();
    let [live, written] = [replicas, 0];
    const worker = async (number: number): Promise<void> => {
      for (let i = 0; i < WRITES; i++) {
        const server = live[(number + i) % live.length] ?? first;
        await write(server, { object: `o${(number * 7 + i) % OBJECTS}`, id: `${number}-${i}` }, outcomes);
        written++;
        if (written === (WORKERS * WRITES) / 3) {
          killed.process.child.kill('SIGKILL');
          live = replicas.slice(0, 2);
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
    // A replica that starts later has the history of all others.
    await using later = await launchServer({ etcd: etcd.endpoints, certDir, args });
    await checkHistory([first, later], outcomes);
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    rmSync(certDir, { recursive: true, force: true });
  });
});

async function checkHistory(
  [one, other]: readonly [LaunchedServer, LaunchedServer],
  { acknowledged, unknown, deletions }: Outcomes,
): Promise<void> {
  assert.ok(acknowledged.size > WORKERS * WRITES * 0.5, `${acknowledged.size} acknowledged`);
  const found = new Map<string, string>();
  let removed = 0;
  for (let i = 0; i < OBJECTS; i++) {
    const object = `o${i}`;
    const changes = await changesOf(one, object);
    assert.deepEqual(await changesOf(other, object), changes);
    const inOrder = changes.toReversed();
    for (const [place, { revision, previousRevision, change, user }] of inOrder.entries()) {
      const before = inOrder[place - 1];
      assert.ok(user !== undefined && user !== '');
      assert.equal(
        previousRevision,
        change === 'created' ? undefined : before?.revision,
        `${object} ${revision}`,
      );
      assert.equal(before === undefined || before.change === 'deleted', change === 'created');
      if (change === 'deleted') removed++;
      else {
        const state = await one.client.get(`/history${path}/${object}?at=${revision}`);
        assert.equal(state.status, 200, state.text);
        const { data } = state.json as { readonly data: { readonly id: string } };
        assert.equal(found.has(data.id), false, `${data.id} is recorded twice`);
        found.set(data.id, `${object} ${revision}`);
      }
    }
  }
  for (const [id, { object, revision }] of acknowledged)
    assert.equal(found.get(id), `${object} ${revision}`, id);
  for (const id of found.keys()) assert.ok(acknowledged.has(id) || unknown.has(id), id);
  assert.ok(removed >= deletions.acknowledged && removed <= deletions.acknowledged + deletions.unknown);
}
