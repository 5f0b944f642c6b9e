import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { prefixRange } from '../keys.ts';
import { type KvEvent, type Store, StoreError } from '../store.ts';
import { eventKey, eventRevision } from '../store-values.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';
import { crashValue } from './testing/crash-value.ts';

const { signal } = new AbortController();
const ROUNDS = 10;
const CRASH_WRITER = fileURLToPath(new URL('./testing/crash-writer.ts', import.meta.url));

interface Acknowledged {
  readonly op: string;
  readonly rev: number;
  readonly key: string;
  readonly sequence: number;
}

/** Runs the writer until it has acknowledged about `count` commits, kills it, and returns all acknowledged commits. */
async function writeAndKill(dir: string, count: number): Promise<readonly Acknowledged[]> {
  const child = spawn(process.execPath, [CRASH_WRITER, dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  let lines = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    lines += text.split('\n').length - 1;
    if (lines >= count) child.kill('SIGKILL');
  });
  const [, killedBy] = await once(child, 'close');
  assert.equal(killedBy, 'SIGKILL', `the writer ended by itself: ${errors}`);
  // The last element is an incomplete line or empty.
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [op = '', rev, key = '', sequence] = line.split(' ');
      return { op, rev: Number(rev), key, sequence: Number(sequence) };
    });
}

/** All events in the store's history, and the revision through which it was compacted. */
async function storedHistory(store: Store): Promise<{ compacted: number; events: readonly KvEvent[] }> {
  const last = await store.currentRevision(signal);
  let after = 0;
  const events: KvEvent[] = [];
  for (;;) {
    try {
      for await (const batch of store.watch(prefixRange('/'), after, signal)) {
        events.push(...batch.events);
        if (batch.rev >= last) return { compacted: after, events };
      }
    } catch (error) {
      assert.ok(error instanceof StoreError && error.compactRevision !== undefined, `${error}`);
      after = error.compactRevision;
      if (after >= last) return { compacted: after, events };
    }
  }
}

/** Checks that acknowledged commits are in the history and that the state matches the history. */
async function checkNothingMissing(store: Store, acknowledged: readonly Acknowledged[]): Promise<number> {
  const { compacted, events } = await storedHistory(store);
  const byRevision = new Map(events.map((event) => [eventRevision(event), event]));
  const newest = new Map<string, Acknowledged>();
  for (const commit of acknowledged) {
    newest.set(commit.key, commit);
    if (commit.rev <= compacted) continue;
    const event = byRevision.get(commit.rev);
    assert.ok(event !== undefined, `acknowledged ${commit.op} ${commit.rev} of ${commit.key} is missing`);
    assert.equal(eventKey(event), commit.key);
    assert.equal(event.type, commit.op === 'delete' ? 'delete' : 'put');
    if (event.type === 'put') assert.ok(event.kv.value?.equals(crashValue(commit.key, commit.sequence)));
  }
  for (const [key, last] of newest) {
    const { kv } = await store.get(key, signal);
    // More commits may be durable: acknowledgements were in flight when the process was killed.
    if (kv === undefined) {
      const deleted = events.some((e) => e.type === 'delete' && e.key === key && e.modRevision >= last.rev);
      assert.ok(last.op === 'delete' || deleted, `${key} is gone`);
      continue;
    }
    const sequence = Number(kv.value?.toString('latin1').split(' ')[1]);
    assert.ok(kv.value?.equals(crashValue(key, sequence)), `${key} is damaged`);
    assert.ok(kv.modRevision >= last.rev, `${key} went back to ${kv.modRevision}`);
    if (kv.modRevision === last.rev) assert.equal(sequence, last.sequence);
  }
  return store.currentRevision(signal);
}

describe('the embedded store after a kill', () => {
  it(`the embedded store after a kill has every acknowledged commit and never decreases its revision, in ${ROUNDS} rounds`, async (t) => {
    await using dir = await tempDir('orch-crash-');
    const random = seededRandom(ROUNDS);
    let last = 0;
    let total = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await writeAndKill(dir.path, 20 + random.int(400));
      assert.ok(Math.min(...acknowledged.map((commit) => commit.rev)) > last, 'a revision was given twice');
      const store = await openEmbeddedStore({ dir: dir.path, env: testEnv() });
      const rev = await checkNothingMissing(store, acknowledged);
      await store.close();
      assert.ok(rev >= Math.max(last, ...acknowledged.map((commit) => commit.rev)), 'revisions went back');
      last = rev;
      total += acknowledged.length;
    }
    t.diagnostic(`${total} acknowledged commits survived ${ROUNDS} kills`);
  });
});
