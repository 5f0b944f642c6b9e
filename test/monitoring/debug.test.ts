import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import {
  ApiClient,
  freePort,
  launchServerProcess,
  type ServerProcess,
  start,
  temporaryFolder,
} from '@orch/testkit';
import { root } from './series.ts';

const READER = 'reader-token';
const STRANGER = 'stranger-token';
const MARK = 'a-value-that-must-not-be-shown';
const roles = '/apis/rbac.authorization.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io';

/** Endpoints that only read; profiles take a second. */
const reads = [
  ...['/debug', '/debug/flags/v', '/debug/flags/access-log-sample', '/debug/cache', '/debug/memory'],
  ...['levels', 'queues', 'requests'].map(
    (name) => `/debug/api_priority_and_fairness/dump_${name === 'levels' ? 'priority_levels' : name}`,
  ),
  ...['profile/cpu', 'profile/heap', 'event-loop'].map((name) => `/debug/${name}?seconds=1`),
];

describe('debugging of programs', { timeout: 120_000 }, () => {
  const stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  let server: ServerProcess;
  let reader: ApiClient;
  let stranger: ApiClient;
  let anonymous: ApiClient;
  let ops: string;
  let managerOps: string;

  before(async () => {
    const tokens = join(folder.path, 'tokens.csv');
    writeFileSync(tokens, `${READER},reader,1\n${STRANGER},stranger,2\n`);
    ops = `http://127.0.0.1:${await freePort()}`;
    server = stack.use(
      await launchServerProcess({
        naming: 'kubernetes',
        args: [
          ...['--authorization-mode=RBAC', `--token-auth-file=${tokens}`],
          `--ops-bind-address=${new URL(ops).host}`,
        ],
      }),
    );
    const without = { ...server.config, cert: undefined, key: undefined };
    reader = stack.use(new ApiClient({ ...without, token: READER }));
    stranger = stack.use(new ApiClient({ ...without, token: STRANGER }));
    anonymous = stack.use(new ApiClient(without));
    const rules = [{ nonResourceURLs: ['/debug', '/debug/*'], verbs: ['get'] }];
    await server.client.post(`${roles}/clusterroles`, { metadata: { name: 'debug' }, rules });
    const bound = await server.client.post(`${roles}/clusterrolebindings`, {
      metadata: { name: 'debug' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'debug' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'reader' }],
    });
    assert.equal(bound.status, 201, bound.text);
    const managerPort = await freePort();
    managerOps = `http://127.0.0.1:${managerPort}`;
    const manager = stack.use(
      start(join(root, 'bin/orch-controller-manager'), [
        ...['--naming=kubernetes', `--client-config=${server.adminConfig}`],
        `--ops-bind-address=0.0.0.0:${managerPort}`,
      ]),
    );
    await manager.waitFor(/health and metrics on/, 30_000);
  });
  after(async () => {
    await stack.disposeAsync();
    folder[Symbol.dispose]();
  });

  it('a user with a rule for the paths reads every endpoint on the API port, and others none', async () => {
    for (const path of reads) {
      const { status, text } = await reader.get(path);
      assert.equal(status, 200, `${path}: ${text}`);
      assert.equal((await stranger.get(path)).status, 403, path);
      assert.equal((await anonymous.get(path)).status, 403, path);
    }
  });

  it('a user who may only read the endpoints cannot change the verbosity, nor start a comparison', async () => {
    const changed = await reader.send('PUT', '/debug/flags/v', { body: '9' });
    const compared = await reader.send('POST', '/debug/cache/compare');
    assert.deepEqual([changed.status, compared.status], [403, 403]);
    assert.equal((await server.client.get('/debug/flags/v')).text, '0\n');
  });

  it('an administrator changes the verbosity and the sample of the access log while the server runs', async () => {
    const put = (flag: string, body: string) => server.client.send('PUT', `/debug/flags/${flag}`, { body });
    const logged = () => server.process.output().includes('"uri":"/version?sampled"');
    await server.client.get('/version?sampled');
    assert.equal((await put('access-log-sample', '1')).text, '--access-log-sample is 1\n');
    await poll('a sampled request', 10_000, async () => {
      await server.client.get('/version?sampled');
      return logged();
    });
    assert.equal((await put('access-log-sample', '2')).status, 400);
    assert.equal((await put('access-log-sample', '0')).status, 200);
    assert.equal((await put('v', '2')).text, '--v is 2\n');
    assert.equal((await put('v', '0')).status, 200);
    assert.equal((await put('v', '1'.repeat(100_000))).status, 413);
  });

  it('the tables show resources of the watch cache and levels of flow control', async () => {
    const cache = await server.client.get('/debug/cache');
    assert.match(cache.text, /^Resource, +Loaded, +Revision, +Objects, +Bytes, +Events, +Watchers\n/);
    assert.match(cache.text, /^clusterroles\S+ +true, +\d+, +[1-9]\d*, +[1-9]\d*, +\d+, +\d+$/m);
    const levels = await server.client.get('/debug/api_priority_and_fairness/dump_priority_levels');
    assert.match(levels.text, /^exempt, +0, +false, +0, +1, +1, +unlimited$/m);
    assert.match(levels.text, /^workload-low, +0, +(true|false), +0, +\d+, +\d+, +\d+$/m);
  });

  it('the watch cache is compared with the store on request', async () => {
    const { status, json } = await server.client.send('POST', '/debug/cache/compare');
    assert.equal(status, 200);
    const { compared, mismatches } = json as { readonly compared: number; readonly mismatches: number };
    assert.ok(compared > 100);
    assert.equal(mismatches, 0);
  });

  it('the ops port serves the same endpoints to this machine without credentials, and no unknown ones', async () => {
    for (const path of reads) assert.equal((await fetch(`${ops}${path}`)).status, 200, path);
    assert.equal((await fetch(`${ops}/debug/heap-snapshot`)).status, 404);
    assert.equal((await fetch(`${ops}/debug/cache/compare`, { method: 'POST' })).status, 200);
  });

  it('no endpoint returns a part of an object, a token or a key', async () => {
    const body = { metadata: { name: 'marked' }, stringData: { value: MARK } };
    assert.equal((await server.client.post('/api/v1/namespaces/default/secrets', body)).status, 201);
    const encoded = Buffer.from(MARK).toString('base64');
    for (const path of reads) {
      // While a profile is taken, the secret is read.
      const [{ text }] = await Promise.all([
        server.client.get(path),
        server.client.get('/api/v1/namespaces/default/secrets'),
        reader.get('/version'),
      ]);
      for (const secret of [MARK, encoded, READER, 'PRIVATE KEY']) assert.ok(!text.includes(secret), path);
    }
  });

  it('the ops port of a manager on all addresses asks the API server who may use an endpoint', async () => {
    const statusOf = async (authorization: string | undefined, path = '/debug/memory', method = 'GET') =>
      (
        await fetch(`${managerOps}${path}`, {
          method,
          ...(method === 'PUT' && { body: '9' }),
          headers: authorization === undefined ? {} : { authorization },
        })
      ).status;
    assert.equal(await statusOf(undefined), 401);
    assert.equal(await statusOf('Basic cmVhZGVyOng='), 401);
    assert.equal(await statusOf('Bearer invalid'), 401);
    assert.equal(await statusOf(`Bearer ${STRANGER}`), 403);
    assert.equal(await statusOf(`Bearer ${READER}`), 200);
    assert.equal(await statusOf(`Bearer ${READER}`, '/debug/profile/cpu?seconds=1'), 200);
    assert.equal(await statusOf(`Bearer ${READER}`, '/debug/flags/v', 'PUT'), 403);
    assert.equal(await statusOf(undefined, '/livez'), 200);
  });

  it('while the API server does not run, a manager refuses requests of other machines', async () => {
    await server.process.stop('SIGKILL');
    const headers = { authorization: 'Bearer another-token' };
    assert.equal((await fetch(`${managerOps}/debug/memory`, { headers })).status, 503);
  });
});
