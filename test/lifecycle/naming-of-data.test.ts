import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Naming } from '@orch/machinery';
import { startEtcd } from '@orch/storage/testing';
import {
  ApiClient,
  alarmingLines,
  launchServer,
  type RunningProcess,
  readClientConfig,
  run,
  start,
  temporaryFolder,
} from '@orch/testkit';

const bin = join(import.meta.dirname, '..', '..', 'bin');
const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

interface Up {
  readonly process: RunningProcess;
  readonly client: ApiClient;
}

/** Starts `orch up` in a folder as `make run` does, with its defaults for all files. */
async function up(cwd: string, naming: Naming): Promise<Up> {
  const argv = ['up', `--naming=${naming}`, '--bind-address=127.0.0.1', '--secure-port=0'];
  const process = start(join(bin, 'orch'), argv, { cwd });
  await process.waitFor(/serving on https:/, 60_000);
  return { process, client: new ApiClient(readClientConfig(join(cwd, '.orch', 'admin.conf'))) };
}

async function inFolder(
  cwd: string,
  naming: Naming,
  work: (client: ApiClient) => Promise<void>,
): Promise<string> {
  const { process, client } = await up(cwd, naming);
  await using _process = process;
  using _client = client;
  await work(client);
  assert.equal((await process.stop('SIGTERM')).code, 0, process.output());
  return process.output();
}

const create = (name: string) => async (client: ApiClient) =>
  assert.equal((await client.post(maps, map(name))).status, 201);
const finds = (name: string, other: string) => async (client: ApiClient) => {
  assert.equal((await client.get(`${maps}/${name}`)).status, 200);
  assert.equal((await client.get(`${maps}/${other}`)).status, 404);
};

describe('objects of one naming and servers with another', { timeout: 240_000 }, () => {
  // Which of the two was first makes no difference to later starts.
  for (const [first, second, finding, startsAgain] of [
    ['orch', 'kubernetes', 'each finds its objects again', true],
    ['kubernetes', 'orch', 'finds no object of the other', false],
  ] as const)
    it(`after make run with --naming=${first} one with --naming=${second} starts with a warning about its folder, and ${finding}`, async () => {
      using folder = temporaryFolder();
      await inFolder(folder.path, first, create('one'));
      const told = alarmingLines(
        await inFolder(folder.path, second, async (client) => {
          assert.equal((await client.get(`${maps}/one`)).status, 404);
          await create('two')(client);
        }),
      );
      const messages = told.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
      assert.deepEqual(messages, [
        'the default data folder has objects of another naming: using a folder below it',
      ]);
      if (!startsAgain) return;
      await inFolder(folder.path, first, finds('one', 'two'));
      await inFolder(folder.path, second, finds('two', 'one'));
    });

  it('a data folder that a flag names is refused by a server with another naming, in one line with the way out', async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, 'data');
    {
      await using server = await launchServer({ dataDir });
      assert.equal((await server.client.post(maps, map('one'))).status, 201);
      await server.stop();
    }
    await isRefused(folder.path, [`--data-dir=${dataDir}`], /--data-dir/);
    await using server = await launchServer({ dataDir });
    assert.equal((await server.client.get(`${maps}/one`)).status, 200);
  });

  it('a prefix in etcd is refused by servers with another naming, which start below another prefix', async () => {
    await using etcd = await startEtcd();
    using folder = temporaryFolder();
    await using _server = await launchServer({ etcd: etcd.endpoints });
    const servers = `--etcd-servers=${etcd.endpoints.join(',')}`;
    await isRefused(folder.path, [servers, '--separate-credentials'], /--etcd-prefix/);
    await using other = await launchServer({
      etcd: etcd.endpoints,
      naming: 'kubernetes',
      args: ['--etcd-prefix=/other'],
    });
    assert.equal((await other.client.post(maps, map('one'))).status, 201);
  });
});

async function isRefused(folder: string, flags: readonly string[], wayOut: RegExp): Promise<void> {
  for (const argv of [['orch-apiserver'], ['orch', 'up']]) {
    const [program = '', ...rest] = argv;
    const { code, stdout, stderr } = await run(join(bin, program), [
      ...rest,
      '--naming=kubernetes',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      `--cert-dir=${folder}/certs`,
      `--admin-config=${folder}/admin.conf`,
      ...flags,
    ]);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(
      stderr,
      new RegExp(`^${program}: the objects in .* have --naming=orch: start with --naming=orch`),
    );
    assert.match(stderr, wayOut);
    assert.doesNotMatch(stderr, /\n.+\n/);
  }
}
