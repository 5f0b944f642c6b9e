import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { builtinResources, createClient, isNotFound } from '@orch/client';
import { systemClock } from '@orch/machinery/env';
import { MemoryStore } from './memory-store.ts';
import type { ControlPlane } from './options.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';
import { startControlPlane } from './start-control-plane.ts';

const { signal } = new AbortController();

describe('snapshots of a control plane', { timeout: 170_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  after(() => rmSync(folder, { recursive: true }));
  const maps = ({ config }: ControlPlane) => {
    const client = createClient(config);
    return client.resource(builtinResources(client.names).core.v1.configmaps, 'default');
  };

  it('a control plane starts from a snapshot with the objects, their uids and their resourceVersions', async () => {
    const file = join(folder, 'plane');
    const plane = await startControlPlane({ controllers: false });
    const made = await maps(plane).create({ metadata: { name: 'a' }, data: { k: 'v' } });
    await plane.snapshot(file);
    await maps(plane).create({ metadata: { name: 'later' } });
    await plane.stop();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await using restored = await startControlPlane({ controllers: false, snapshot: file });
    const found = await maps(restored).get('a');
    assert.deepEqual(
      [found.metadata.uid, found.metadata.resourceVersion, found.data],
      [made.metadata.uid, made.metadata.resourceVersion, { k: 'v' }],
    );
    await assert.rejects(maps(restored).get('later'), isNotFound);
    const next = await maps(restored).create({ metadata: { name: 'next' } });
    assert.ok(Number(next.metadata.resourceVersion) > Number(made.metadata.resourceVersion));
    await restored.reset();
    assert.deepEqual((await maps(restored).get('a')).metadata, found.metadata);
  });

  it('a snapshot keeps the revisions and the remaining time of keys, and earlier revisions are compacted', async () => {
    const file = join(folder, 'store');
    const store = new MemoryStore(systemClock);
    const value = Buffer.from([0, 255, 10]);
    await store.commit({ op: 'create', key: 'b', value, ttlSeconds: 3600 }, signal);
    await store.commit({ op: 'create', key: 'a', value }, signal);
    await store.commit({ op: 'update', key: 'a', value, expected: 3 }, signal);
    await writeSnapshot(store, file, systemClock);
    const read = await readSnapshot(file, systemClock);
    assert.deepEqual([...read.objects()], [...store.objects()]);
    assert.equal(await read.currentRevision(signal), 4);
    assert.equal(Math.abs((read.expiresAt('b') ?? 0) - systemClock.now() - 3_600_000) < 60_000, true);
    await assert.rejects(read.list({ start: '', end: 'z' }, { at: 3 }, signal), { code: 'compacted' });
    await Promise.all([store.close(), read.close()]);
  });

  for (const [title, text, message] of [
    ['without a header', 'key\n', /must be a snapshot of a control plane/],
    ['of another format', '{"format":"other","revision":1}\n', /of the format orch-test-snapshot\/1/],
    [
      'with a line that has no value',
      '{"format":"orch-test-snapshot/1","revision":2}\n{"key":"a"}\n',
      /line 2 of .* must have a key, a value/,
    ],
    [
      'with a version after its revision',
      '{"format":"orch-test-snapshot/1","revision":2}\n{"key":"a","value":"","created":3,"modified":3}\n',
      /line 2 of .* revisions up to 2/,
    ],
  ] as const)
    it(`a file ${title} is refused`, async () => {
      const file = join(folder, 'wrong');
      writeFileSync(file, text);
      await assert.rejects(readSnapshot(file, systemClock), { name: 'TypeError', message });
    });
});
