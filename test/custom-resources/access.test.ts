import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@orch/machinery/testing';
import { tempDir } from '@orch/storage/testing';
import { ApiClient, type ApiResponse } from '@orch/testkit';
import { type Controlled, controlled } from '../controllers/roles-fixture.ts';
import { definition, establish } from './widgets.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of kinds that the test knows.
type Json = any;

const GROUP = 'stable.example.com';
const widgets = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const merge = { contentType: 'application/merge-patch+json' };
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const users = ['vera', 'eddi', 'ada', 'otto'] as const;
type User = (typeof users)[number];

/** An audit policy with each level, by verb. */
const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - {level: None, verbs: [watch]}
  - {level: Metadata, verbs: [get, list], resources: [{group: ${GROUP}, resources: [widgets]}]}
  - {level: Request, verbs: [patch], resources: [{group: ${GROUP}, resources: [widgets, widgets/status]}]}
  - {level: RequestResponse, verbs: [create, delete], resources: [{group: ${GROUP}, resources: ['*']}]}
  - {level: None}
`;

const ok = (answer: ApiResponse, ...codes: readonly number[]): Json => {
  assert.ok((codes.length === 0 ? [200, 201] : codes).includes(answer.status), answer.text);
  return answer.json;
};

const widget = (name: string): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: { size: 2 },
});

/** The value of a series with these labels, and possibly others. */
function metricOf(text: string, name: string, labels: Readonly<Record<string, string>>): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && wanted.every((label) => one.includes(label)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

describe('access to custom resources, and what is observed of it', { timeout: 60_000 }, () => {
  let work: Awaited<ReturnType<typeof tempDir>>;
  let world: Controlled;
  const clients = new Map<User, ApiClient>();
  const as = (user: User): ApiClient => clients.get(user) ?? assert.fail();
  const auditLog = (): string => join(work.path, 'audit.log');

  before(async () => {
    work = await tempDir('orch-access-');
    const tokens = join(work.path, 'tokens.csv');
    const policyFile = join(work.path, 'policy.yaml');
    writeFileSync(tokens, users.map((user, i) => `${user}-token,${user},${i}\n`).join(''));
    writeFileSync(policyFile, policy);
    world = await controlled({
      args: [
        `--token-auth-file=${tokens}`,
        `--audit-policy-file=${policyFile}`,
        `--audit-log-path=${auditLog()}`,
      ],
    });
    await world.run('clusterrole-aggregation');
    for (const user of users) {
      const { ca } = world.server.config;
      clients.set(
        user,
        new ApiClient({
          server: world.server.url,
          ca,
          cert: undefined,
          key: undefined,
          token: `${user}-token`,
        }),
      );
    }
    const kubernetes = JSON.parse(JSON.stringify(definition()).replaceAll('orch.io', 'k8s.io'));
    kubernetes.spec.versions[0].subresources = { status: {} };
    ok(await establish(world.client, kubernetes));
    ok(await world.client.post(widgets, widget('a')));
  });
  after(async () => {
    for (const client of clients.values()) client[Symbol.dispose]();
    await world[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  it('users with the aggregated roles view, edit and admin have the permissions of roles for the group', async () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    for (const [user, name] of [
      ['vera', 'view'],
      ['eddi', 'edit'],
      ['ada', 'admin'],
    ] as const)
      ok(
        await world.client.post(`${rbac}/namespaces/default/rolebindings`, {
          metadata: { name: user },
          roleRef: { apiGroup, kind: 'ClusterRole', name },
          subjects: [{ apiGroup, kind: 'User', name: user }],
        }),
      );
    for (const user of users) ok(await as(user).get(widgets), 403);
    const role = (name: string, verbs: readonly string[], resources: readonly string[]): object => ({
      metadata: {
        name: `widgets-${name}`,
        labels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' },
      },
      rules: [{ apiGroups: [GROUP], resources, verbs }],
    });
    ok(await world.client.post(`${rbac}/clusterroles`, role('view', ['get', 'list', 'watch'], ['widgets'])));
    ok(
      await world.client.post(
        `${rbac}/clusterroles`,
        role('edit', ['create', 'patch', 'delete'], ['widgets']),
      ),
    );
    ok(await world.client.post(`${rbac}/clusterroles`, role('admin', ['patch'], ['widgets/status'])));
    for (const [user, read, write, status] of [
      ['vera', 200, 403, 403],
      ['eddi', 200, 200, 403],
      ['ada', 200, 200, 200],
      ['otto', 403, 403, 403],
    ] as const) {
      const patch = { body: { metadata: { labels: { by: user } } }, ...merge };
      const codes = async (): Promise<readonly number[]> => [
        (await as(user).get(`${widgets}/a`)).status,
        (await as(user).send('PATCH', `${widgets}/a`, patch)).status,
        (await as(user).send('PATCH', `${widgets}/a/status`, { body: {}, ...merge })).status,
      ];
      // The view role is aggregated into edit, and that into admin.
      await eventually(codes, (seen) => isDeepStrictEqual(seen, [read, write, status]));
    }
    const { message } = ok(await as('vera').post(widgets, widget('b')), 403);
    assert.match(
      message,
      /User "vera" cannot create resource "widgets" in API group "stable\.example\.com" in the namespace "default"/,
    );
    ok(await as('vera').get(`/apis/${GROUP}/v1/widgets`), 403);
  });

  it('access reviews answer for custom resources', async () => {
    const spec = {
      resourceAttributes: { group: GROUP, resource: 'widgets', verb: 'list', namespace: 'default' },
    };
    const review = async (user: User): Promise<boolean> =>
      ok(await as(user).post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec })).status
        .allowed;
    assert.deepEqual([await review('vera'), await review('otto')], [true, false]);
  });

  it('audit events of custom resources record what the level of their rule requires', async () => {
    const { client } = world;
    ok(await client.post(widgets, widget('audited')));
    ok(await client.get(`${widgets}/audited`));
    ok(await client.send('PATCH', `${widgets}/audited`, { body: { spec: { size: 3 } }, ...merge }));
    ok(await client.send('PATCH', `${widgets}/audited/status`, { body: {}, ...merge }));
    ok(await client.delete(`${widgets}/audited`));
    const events = await eventually(
      async () =>
        readFileSync(auditLog(), 'utf8')
          .split('\n')
          .filter((line) => line.includes('/audited') || line.includes('"name":"audited"'))
          .map((line) => JSON.parse(line) as Json),
      (seen) => seen.some(({ verb }) => verb === 'delete'),
    );
    const seen = (verb: string, subresource?: string): Json =>
      events.find((event: Json) => event.verb === verb && event.objectRef.subresource === subresource) ??
      assert.fail(`no ${verb} in ${JSON.stringify(events)}`);
    const created = seen('create');
    assert.deepEqual(
      [
        created.level,
        created.requestObject.spec,
        created.responseObject.metadata.name,
        created.responseStatus.code,
      ],
      ['RequestResponse', { size: 2 }, 'audited', 201],
    );
    assert.deepEqual(created.objectRef, {
      resource: 'widgets',
      namespace: 'default',
      name: 'audited',
      apiGroup: GROUP,
      apiVersion: 'v1',
    });
    const read = seen('get');
    assert.deepEqual(
      [read.level, read.requestObject, read.responseObject],
      ['Metadata', undefined, undefined],
    );
    const patched = seen('patch');
    assert.deepEqual(
      [patched.level, patched.requestObject, patched.responseObject],
      ['Request', { spec: { size: 3 } }, undefined],
    );
    assert.equal(seen('patch', 'status').level, 'Request');
    assert.equal(seen('delete').level, 'RequestResponse');
  });

  it('requests for custom resources are classified by flow schemas of their group', async () => {
    const flow = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas';
    const rule = {
      verbs: ['*'],
      apiGroups: [GROUP],
      resources: ['widgets'],
      namespaces: ['*'],
      clusterScope: true,
    };
    const subject = { kind: 'User', user: { name: 'vera' } };
    const created = ok(
      await world.client.post(flow, {
        metadata: { name: 'widgets' },
        spec: {
          matchingPrecedence: 50,
          priorityLevelConfiguration: { name: 'workload-high' },
          rules: [{ subjects: [subject], resourceRules: [rule] }],
        },
      }),
    );
    const header = 'x-kubernetes-pf-flowschema-uid';
    const answer = await eventually(
      () => as('vera').get(widgets),
      ({ headers }) => headers[header] === created.metadata.uid,
    );
    assert.equal(answer.status, 200);
    assert.notEqual(
      (await as('vera').get('/api/v1/namespaces/default/pods')).headers[header],
      created.metadata.uid,
    );
  });

  it('metrics have no number of objects for a resource whose definition was deleted', async () => {
    const other = JSON.parse(JSON.stringify(definition(1)).replaceAll('orch.io', 'k8s.io'));
    ok(await establish(world.client, other));
    const count = async (): Promise<number | undefined> =>
      metricOf((await world.client.get('/metrics')).text, 'apiserver_storage_objects', {
        resource: other.metadata.name,
      });
    assert.equal(await count(), 0);
    ok(
      await world.client.delete(
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${other.metadata.name}`,
      ),
    );
    await eventually(count, (seen) => seen === undefined);
  });

  it('metrics have the group, version, resource and subresource of custom requests, and the number of objects', async () => {
    ok(await world.client.get(`${widgets}?limit=1`));
    const { text } = await world.client.get('/metrics');
    const requests = { group: GROUP, resource: 'widgets', version: 'v1', code: '200' };
    for (const [name, labels] of [
      ['apiserver_request_total', { ...requests, verb: 'LIST', scope: 'namespace', subresource: '' }],
      ['apiserver_request_total', { ...requests, verb: 'PATCH', scope: 'resource', subresource: 'status' }],
      ['apiserver_storage_objects', { resource: `widgets.${GROUP}` }],
    ] as const)
      assert.ok((metricOf(text, name, labels) ?? 0) > 0, `${name} ${JSON.stringify(labels)}`);
  });
});
