import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@orch/storage/testing';
import { launchServer, launchServerProcess, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const bin = (name: string) => join(root, 'bin', name);
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

interface Stored {
  readonly metadata: { readonly resourceVersion: string };
}

interface Report {
  readonly findings: readonly { readonly file: string }[];
  readonly droppedRevisions?: { readonly first: number; readonly last: number };
  readonly revision: number;
}

/** Starts a server on the directory, creates a ConfigMap, and kills the server; its resourceVersion. */
async function createAndKill(dataDir: string, certDir: string, name: string): Promise<number> {
  const server = await launchServerProcess({ dataDir, certDir });
  const { status, json } = await server.client.send('POST', configMaps, { body: configMap(name) });
  assert.equal(status, 201);
  await server.process.stop('SIGKILL');
  await server[Symbol.asyncDispose]();
  return Number((json as Stored).metadata.resourceVersion);
}

describe('programs with a damaged data directory', { timeout: 120_000 }, () => {
  it('a program with a damaged data directory does not start, and starts after a repair that reports the lost revisions', async () => {
    await using work = await tempDir('orch-damaged-');
    const [dataDir, certDir] = [join(work.path, 'data'), join(work.path, 'certs')];
    await createAndKill(dataDir, certDir, 'first');
    const acknowledged = await createAndKill(dataDir, certDir, 'second');
    rmSync(join(dataDir, 'store.db-wal'));

    const flags = [`--data-dir=${dataDir}`, `--cert-dir=${certDir}`, '--secure-port=0'];
    for (const [name, argv] of [
      ['orch-apiserver', flags],
      ['orch', ['up', ...flags]],
    ] as const) {
      const refused = await run(bin(name), argv);
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.match(
        refused.stderr,
        /^orch(-apiserver)?: cannot open the store \(.*\): the embedded store is damaged: store\.db-wal is missing\. .*orch repair --data-dir=[^\n]*\n$/,
      );
    }

    const repair = (...more: string[]) => run(bin('orch'), ['repair', `--data-dir=${dataDir}`, ...more]);
    const planned = await repair('--dry-run');
    assert.equal(planned.code, 1);
    assert.match(planned.stdout, /^damage:\n {2}store\.db-wal is missing\nwould keep: \d+ keys/);
    assert.match(planned.stdout, /\nwould drop: every change with a revision from \d+ to \d+, at least\n/);
    assert.match(planned.stderr, /^orch repair: the store in .* is damaged; nothing was changed[^\n]*\n$/);

    const done = await repair('--output=json');
    assert.deepEqual([done.code, done.stderr], [0, '']);
    const report = JSON.parse(done.stdout) as Report;
    assert.equal(report.findings[0]?.file, 'store.db-wal');
    assert.ok((report.droppedRevisions?.last ?? 0) >= acknowledged);
    assert.match((await repair()).stdout, /^the store is intact: /);

    await using server = await launchServer({ dataDir, certDir });
    assert.equal((await server.client.send('GET', `${configMaps}/first`)).status, 200);
    assert.equal((await server.client.send('GET', `${configMaps}/second`)).status, 404);
    const next = await server.client.send('POST', configMaps, { body: configMap('second') });
    assert.ok(Number((next.json as Stored).metadata.resourceVersion) > report.revision);
  });

  it('orch repair with an invalid command line exits with status 2 and one line', async () => {
    for (const [argv, message] of [
      [['repair', '--nonsense'], 'orch repair: unknown flag: --nonsense\n'],
      [['--v=1', 'repair'], 'orch: repair must stand before its flags\n'],
    ] as const) {
      const { code, stdout, stderr } = await run(bin('orch'), argv);
      assert.deepEqual([code, stdout, stderr], [2, '', message]);
    }
    const help = await run(bin('orch'), ['repair', '--help']);
    assert.equal(help.code, 0);
    assert.match(
      help.stdout,
      /^Usage: orch repair \[flags\]\n[\s\S]*--dry-run\n[\s\S]*--output text\|json\n/,
    );
  });
});
