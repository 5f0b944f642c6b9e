import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, create, expectCode, list, names, ns, podObject, pods, refused } from './fixture.ts';

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus: { readonly code: number };
}

const tokens = 'admin,admin,1,"system:masters"\nreader,reader,2\n';
const keySet = '/openid/v1/jwks';
const rules = [
  { nonResourceURLs: [keySet], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
];

describe('a path with a slash at its end', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-slashes-'));
  const auditLog = join(work, 'audit.log');
  const policy = join(work, 'policy.yaml');
  let server: LaunchedServer;
  let reader: ApiClient;

  before(async () => {
    writeFileSync(join(work, 'tokens.csv'), tokens);
    writeFileSync(
      policy,
      'apiVersion: audit.orch.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{ level: Metadata }]\n',
    );
    server = await launchServer({
      args: [
        '--authorization-mode=RBAC',
        `--token-auth-file=${join(work, 'tokens.csv')}`,
        `--audit-log-path=${auditLog}`,
        `--audit-policy-file=${policy}`,
      ],
    });
    const roles = '/apis/rbac.authorization.orch.io/v1';
    await create(server.client, `${roles}/clusterroles`, { metadata: { name: 'reader' }, rules });
    await create(server.client, `${roles}/clusterrolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'reader' }],
    });
    await create(server.client, cms, configMap('a'));
    await create(server.client, pods, podObject('p'));
    reader = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'reader' });
  });
  after(async () => {
    reader[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  for (const path of [
    '/version',
    '/api',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/.well-known/openid-configuration',
    keySet,
    '/api/v1/namespaces',
    ns,
    `${ns}/status`,
    cms,
    `${cms}/a`,
    '/api/v1/configmaps',
    '/apis/apps/v1/deployments',
    `${pods}/p`,
    `${pods}/p/status`,
  ]) {
    it(`${path}/ is answered like ${path}`, async () => {
      const [plain, slashed] = [await server.client.get(path), await server.client.get(`${path}/`)];
      expectCode(200, slashed);
      assert.equal(slashed.text, plain.text);
      assert.equal(slashed.headers['content-type'], plain.headers['content-type']);
    });
  }

  for (const path of ['/nowhere', '/metrics', '/openapi/v2']) {
    it(`${path}/ is answered with 404`, async () => {
      expectCode(404, await server.client.get(`${path}/`));
    });
  }

  it('create, replace and patch accept a path with a trailing slash', async () => {
    await create(server.client, `${cms}/`, configMap('made'));
    expectCode(200, await server.client.put(`${cms}/made/`, configMap('made', { k: '1' })));
    const patch = { body: '{"data":{"k":"2"}}', contentType: 'application/merge-patch+json' };
    expectCode(200, await server.client.send('PATCH', `${cms}/made/`, patch));
    refused(await server.client.put(`${cms}/`, configMap('made')), 405, 'MethodNotAllowed');
  });

  it('DELETE of a path with a trailing slash deletes nothing', async () => {
    for (const path of [`${cms}/`, `${cms}/a/`, `${ns}/`]) {
      refused(await server.client.send('DELETE', path), 404, 'NotFound');
    }
    assert.ok(names(await server.client.get(cms)).includes('a'));
  });

  it('a path with a trailing slash is authorized as its resource, or as exactly the path that was sent', async () => {
    expectCode(200, await reader.get(`${cms}/`));
    expectCode(200, await reader.get('/version/'));
    expectCode(200, await reader.get(keySet));
    assert.match(
      refused(await reader.get(`${keySet}/`), 403, 'Forbidden').message,
      /path "\/openid\/v1\/jwks\/"/,
    );
    refused(await reader.get(`${pods}/`), 403, 'Forbidden');
  });

  it('a path with a trailing slash is audited as it was sent, with its object reference', async () => {
    const path = `${cms}/a/`;
    expectCode(200, await reader.get(path));
    expectCode(200, await reader.get('/version/'));
    assert.ok(list(await reader.get(`${cms}/`)).items.length > 0);
    const events = readFileSync(auditLog, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ user, responseStatus }) => user.username === 'reader' && responseStatus.code === 200);
    const about = (uri: string) => {
      const event = events.findLast(({ requestURI }) => requestURI === uri);
      return [event?.verb, event?.objectRef?.resource, event?.objectRef?.namespace, event?.objectRef?.name];
    };
    assert.deepEqual(about(path), ['get', 'configmaps', 'default', 'a']);
    assert.deepEqual(about(`${cms}/`), ['list', 'configmaps', 'default', undefined]);
    assert.deepEqual(about('/version/'), ['get', undefined, undefined, undefined]);
  });
});
