import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, run, temporaryFolder } from '@orch/testkit';

const bin = join(import.meta.dirname, '..', '..', 'bin');

/** Calls the JSON gateway of the first member. */
async function call(etcd: EtcdCluster, path: string, body: object, token?: string): Promise<unknown> {
  const [member] = etcd.members;
  assert.ok(member !== undefined);
  const reply = await member.http('POST', `/v3/${path}`, body, token);
  assert.equal(reply.status, 200, `${path}: ${reply.body}`);
  return JSON.parse(reply.body);
}

const alarm =
  (action: 'ACTIVATE' | 'DEACTIVATE', kind: 'NOSPACE' | 'CORRUPT') => async (etcd: EtcdCluster) => {
    // The alarm is that of a member; an answer names it.
    const { header } = (await call(etcd, 'maintenance/status', {})) as { header: { member_id: string } };
    await call(etcd, 'maintenance/alarm', { action, memberID: header.member_id, alarm: kind });
  };

/** The commands of the runbook page of the alert: compact, defragment, disarm. */
async function makeRoom(etcd: EtcdCluster): Promise<void> {
  const { header } = (await call(etcd, 'maintenance/status', {})) as { header: { revision: string } };
  await call(etcd, 'kv/compaction', { revision: header.revision, physical: true });
  await call(etcd, 'maintenance/defragment', {});
  await alarm('DEACTIVATE', 'NOSPACE')(etcd);
}

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

async function rootToken(etcd: EtcdCluster): Promise<string> {
  const credentials = { name: etcd.auth?.username, password: etcd.auth?.password };
  return ((await call(etcd, 'auth/authenticate', credentials)) as { token: string }).token;
}

const everyKey = { key: Buffer.from([0]).toString('base64'), range_end: Buffer.from([0]).toString('base64') };

/** Lets the user of the client certificate only read, or write again. */
const permit = (permType: 'READ' | 'READWRITE') => async (etcd: EtcdCluster) => {
  await call(
    etcd,
    'auth/role/grant',
    { name: 'servers', perm: { permType, ...everyKey } },
    await rootToken(etcd),
  );
};

async function addUser(etcd: EtcdCluster): Promise<void> {
  const token = await rootToken(etcd);
  await call(etcd, 'auth/role/add', { name: 'servers' }, token);
  await call(etcd, 'auth/user/add', { name: 'client', options: { no_password: true } }, token);
  await call(etcd, 'auth/user/grant', { user: 'client', role: 'servers' }, token);
  await permit('READWRITE')(etcd);
}

interface ReadableState {
  readonly title: string;
  readonly open: () => Promise<EtcdCluster>;
  readonly prepare?: (etcd: EtcdCluster) => Promise<void>;
  readonly begin: (etcd: EtcdCluster) => Promise<void>;
  readonly end: (etcd: EtcdCluster) => Promise<void>;
  readonly refusal: RegExp;
  /** The store accepts deletions. */
  readonly deletes: boolean;
}

/** The states of etcd in which it serves reads and refuses writes. */
const readable: readonly ReadableState[] = [
  {
    title: 'the database of etcd is full (alarm NOSPACE)',
    open: () => startEtcd(),
    begin: alarm('ACTIVATE', 'NOSPACE'),
    end: makeRoom,
    refusal: /only deletions are accepted/,
    deletes: true,
  },
  {
    title: 'the data of etcd differs between members (alarm CORRUPT)',
    open: () => startEtcd(),
    begin: alarm('ACTIVATE', 'CORRUPT'),
    end: alarm('DEACTIVATE', 'CORRUPT'),
    refusal: /corrupt/,
    deletes: false,
  },
  {
    title: 'the user of the server may only read',
    open: () => startEtcd({ tls: true, auth: { password: 'secret' }, plainGateway: true }),
    prepare: addUser,
    begin: permit('READ'),
    end: permit('READWRITE'),
    refusal: /permission denied/,
    deletes: false,
  },
];

describe('a start on an etcd that takes no writes', { timeout: 300_000, concurrency: 2 }, () => {
  for (const { title, open, prepare, begin, end, refusal, deletes } of readable)
    for (const program of ['orch-apiserver', 'orch'] as const)
      it(`${program} starts when ${title}, and everything works once that has ended`, async () => {
        await using etcd = await open();
        using folder = temporaryFolder();
        await prepare?.(etcd);
        const launch = (): Promise<LaunchedServer> =>
          launchServer({
            program,
            etcd: etcd.endpoints,
            certDir: join(folder.path, 'certs'),
            requiresAccounts: false,
            args: etcdFlags(etcd, folder.path),
          });
        {
          await using before = await launch();
          assert.equal((await before.client.post(maps, map('old'))).status, 201);
          await before.stop();
        }
        await begin(etcd);
        await using server = await launch();
        const { client } = server;
        assert.equal((await client.get(`${maps}/old`)).status, 200);
        const refused = await client.post(maps, map('new'));
        assert.equal(refused.status, 503, refused.text);
        assert.match(refused.text, refusal);
        const gone = await client.delete(`${maps}/old`);
        assert.equal(gone.status, deletes ? 200 : 503, gone.text);
        assert.equal((await client.get('/readyz')).status, 200, 'load balancers send requests');
        await end(etcd);
        await poll('writes are accepted again', 60_000, async () => {
          const { status } = await client.post(maps, map('new'));
          return status === 201 || status === 409;
        });
        if (program === 'orch') await controllersWork(server);
        await server.stop();
      });

  it('a server starts on a new etcd whose database is full, is not ready, and becomes ready when there is room', async () => {
    await using etcd = await startEtcd();
    await alarm('ACTIVATE', 'NOSPACE')(etcd);
    await using server = await launchServer({ etcd: etcd.endpoints });
    const { client } = server;
    assert.equal((await client.get(maps)).status, 200);
    assert.equal((await client.get('/readyz')).status, 500);
    await makeRoom(etcd);
    await poll('the server is ready', 90_000, async () => (await client.get('/readyz')).status === 200);
    await poll('tokens are issued', 60_000, async () => {
      const path = '/api/v1/namespaces/default/serviceaccounts';
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'one' } };
      await client.post(path, account);
      return (await client.post(`${path}/one/token`, { spec: {} })).status === 201;
    });
  });

  it('a server issues no token before its key is in the store', async () => {
    await using etcd = await startEtcd();
    {
      await using before = await launchServer({ etcd: etcd.endpoints });
      const path = '/api/v1/namespaces/default/serviceaccounts';
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'one' } };
      assert.equal((await before.client.post(path, account)).status, 201);
      await before.stop();
    }
    await alarm('ACTIVATE', 'NOSPACE')(etcd);
    // Another folder of certificates, and thus another key.
    await using server = await launchServer({ etcd: etcd.endpoints });
    const token = () =>
      server.client.post('/api/v1/namespaces/default/serviceaccounts/one/token', { spec: {} });
    const refused = await token();
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /tokens cannot be issued yet/);
    await makeRoom(etcd);
    await poll('tokens are issued', 60_000, async () => (await token()).status === 201);
  });
});

describe('a start on an etcd that serves no reads', { timeout: 240_000, concurrency: 2 }, () => {
  it('a server names the missing leader of an etcd without quorum, and exits with status 1', async () => {
    await using etcd = await startEtcd({ members: 3 });
    const [first, second, third] = etcd.members;
    await Promise.all([second?.kill(), third?.kill()]);
    await failsWith(
      [first?.endpoint ?? ''],
      /cannot open the store \(etcd at .*(no leader|timed out|no answer|deadline)/,
    );
  });
});

async function failsWith(endpoints: readonly string[], cause: RegExp): Promise<void> {
  using folder = temporaryFolder();
  const { path } = folder;
  const { code, stderr } = await run(join(bin, 'orch-apiserver'), [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${path}/certs`,
    `--admin-config=${path}/admin.conf`,
    `--etcd-servers=${endpoints.join(',')}`,
    '--storage-backend=etcd',
  ]);
  assert.equal(code, 1, stderr);
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0] ?? '', cause);
}

function etcdFlags({ tls }: EtcdCluster, folder: string): readonly string[] {
  if (tls === undefined) return [];
  return (['ca', 'cert', 'key'] as const).map((name) => {
    const path = join(folder, `etcd-${name}.pem`);
    writeFileSync(path, tls[name]);
    return `--etcd-${name}file=${path}`;
  });
}

/** Controllers lead: a new namespace gets its default account. */
async function controllersWork({ client }: LaunchedServer): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'later' } };
  assert.equal((await client.post('/api/v1/namespaces', body)).status, 201);
  await poll('the default account exists', 60_000, async () => {
    return (await client.get('/api/v1/namespaces/later/serviceaccounts/default')).status === 200;
  });
}
