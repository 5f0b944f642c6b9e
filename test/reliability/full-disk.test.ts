import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { launchServerProcess } from '@orch/testkit';

const DISK_MIB = 40;
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, bytes: number, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { text: 'x'.repeat(bytes) },
});

const disk = mkdtempSync(join(tmpdir(), 'orch-small-disk-'));
const mounted = ((): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=700`, 'orch-test', disk], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();
after(() => {
  if (mounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Fills the remaining space, as another program would. */
function fillDisk(): void {
  const descriptor = openSync(join(disk, 'ballast'), 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(64 * 1024, 1));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(descriptor);
  }
}

const DEADLINE_MS = 60_000;

interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly details: {
    readonly causes: readonly { readonly reason: string }[];
    readonly retryAfterSeconds?: number;
  };
}

describe('an API server whose disk is full', {
  timeout: 180_000,
  skip: mounted ? false : 'a file system of a few megabytes cannot be mounted here',
}, () => {
  let server: Awaited<ReturnType<typeof launchServerProcess>>;
  before(async () => {
    server = await launchServerProcess({ program: 'orch', dataDir: join(disk, 'data') });
  });
  after(() => server[Symbol.asyncDispose]());

  const send = (...call: Parameters<typeof server.client.send>) => server.client.send(...call);
  const created: string[] = [];

  /** The gauge is updated periodically. */
  const gaugeReaches = (value: number) =>
    eventually(
      () => send('GET', '/metrics'),
      ({ text }) => new RegExp(`^apiserver_storage_full\\{.*\\} ${value}$`, 'm').test(text),
      DEADLINE_MS,
    ).then(({ text }) => assert.match(text, new RegExp(`^apiserver_storage_full\\{.*\\} ${value}$`, 'm')));

  async function remove(name: string): Promise<void> {
    const { status, text } = await send('DELETE', `${configMaps}/${name}`);
    assert.equal(status, 200, `${name}: ${text}`);
  }

  /** Creates ConfigMaps until one is refused; the refusal. */
  async function fill(prefix: string) {
    for (let i = 0; i < 3000; i++) {
      const name = `${prefix}-${i}`;
      const more = i % 10 === 0 ? { finalizers: ['example.com/kept'] } : {};
      const answer = await send('POST', configMaps, { body: configMap(name, 60_000, more) });
      if (answer.status !== 201) return answer;
      created.push(name);
    }
    return assert.fail('the disk never became full');
  }

  it('writes on a full disk are refused with StorageFull, and health, metrics and log report the full disk', async () => {
    const kept = configMap('kept', 10);
    assert.equal((await send('POST', configMaps, { body: kept })).status, 201);
    const refusal = await fill('a');
    assert.equal(refusal.status, 503);
    const { reason, message, details } = refusal.json as Failure;
    assert.equal(reason, 'ServiceUnavailable');
    assert.match(message, /full.*only deletions are accepted/);
    assert.deepEqual([details.causes[0]?.reason, details.retryAfterSeconds], ['StorageFull', undefined]);
    const update = await send('PUT', `${configMaps}/kept`, { body: configMap('kept', 500_000) });
    assert.equal(update.status, 503);
    assert.equal((await send('GET', `${configMaps}/kept`)).status, 200);
    assert.equal((await send('GET', '/readyz')).status, 200);
    assert.match((await send('GET', '/readyz?verbose')).text, /\n\[!\]storage-space failed/);
    assert.equal((await send('GET', '/readyz/storage-space')).status, 500);
    assert.match(server.process.output(), /the disk of the embedded store is full/);
    await gaugeReaches(1);
  });

  it('objects can be deleted on a full disk, and writes are accepted again when there is space', async () => {
    const [finalized, plain] = created.splice(0, 2);
    await remove(plain ?? '');
    await remove(finalized ?? '');
    const waiting = await send('GET', `${configMaps}/${finalized}`);
    const object = waiting.json as { metadata: { finalizers?: string[]; deletionTimestamp?: string } };
    assert.notEqual(object.metadata.deletionTimestamp, undefined);
    object.metadata.finalizers = [];
    assert.equal((await send('PUT', `${configMaps}/${finalized}`, { body: object })).status, 200);
    assert.equal((await send('GET', `${configMaps}/${finalized}`)).status, 404);
    for (const name of created.splice(0, Math.floor(created.length / 2))) await remove(name);
    const written = await eventually(
      () => send('POST', configMaps, { body: configMap('again', 60_000) }),
      ({ status }) => status === 201,
      DEADLINE_MS,
    );
    assert.equal(written.status, 201);
    assert.equal((await send('GET', '/readyz/storage-space')).status, 200);
    await gaugeReaches(0);
  });

  it('a store on a full disk opens after a kill with all its objects', async () => {
    assert.equal((await fill('b')).status, 503);
    await server.process.stop('SIGKILL');
    const again = await launchServerProcess({ program: 'orch', dataDir: join(disk, 'data') });
    try {
      for (const name of created.slice(-20))
        assert.equal(
          (await again.client.send('DELETE', `${configMaps}/${name}`)).status,
          200,
          `${name} after a start on a full disk`,
        );
      assert.equal((await again.client.send('GET', `${configMaps}/again`)).status, 200);
    } finally {
      await again[Symbol.asyncDispose]();
    }
  });

  it('objects can be deleted when other files have filled the disk', async () => {
    rmSync(join(disk, 'data'), { recursive: true });
    const other = await launchServerProcess({ program: 'orch', dataDir: join(disk, 'data2') });
    try {
      const body = configMap('one', 1000);
      assert.equal((await other.client.send('POST', configMaps, { body })).status, 201);
      fillDisk();
      const refused = await eventually(
        () => other.client.send('POST', configMaps, { body: configMap('large', 900_000) }),
        ({ status }) => status === 503,
        DEADLINE_MS,
      );
      assert.equal(refused.status, 503);
      assert.equal((await other.client.send('DELETE', `${configMaps}/one`)).status, 200);
      rmSync(join(disk, 'ballast'));
      const written = await eventually(
        () => other.client.send('POST', configMaps, { body: configMap('after', 900_000) }),
        ({ status }) => status === 201,
        DEADLINE_MS,
      );
      assert.equal(written.status, 201);
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });
});
