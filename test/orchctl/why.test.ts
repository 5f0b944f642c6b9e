import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { commands } from '@orch/orchctl/testing';
import { admissionAnswer, admitting, sendJson, WebhookServer, webhookEntry } from '@orch/server/testing';
import { bind, refusedBy, servesPolicies } from '../admission/policies.ts';
import { expectCode } from '../api/fixture.ts';
import { type CommandCluster, commandCluster } from './cluster.ts';

const names = namesFor('orch');
const namespace = '/api/v1/namespaces/default';
const webhooks = `/apis/${names.group('admissionregistration')}/v1/validatingwebhookconfigurations`;
const rbac = `/apis/${names.group('rbac')}/v1`;
/** Longer than the time from which on requests are slow. */
const SLOW_MS = 600;

const configMap = (name: string, labels: object = {}, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});
const pod = (name: string, memory = '1Mi'): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory }, limits: { memory } } }] },
});

describe('orchctl why', { timeout: 120_000 }, () => {
  let cluster: CommandCluster;
  let webhook: WebhookServer;
  const post = async (path: string, body: object) =>
    expectCode(201, await cluster.server.client.post(path, body));
  const run = (...argv: string[]) => cluster.orchctl(argv);
  const file = (name: string, object: object): string => {
    const path = join(cluster.folder, name);
    writeFileSync(path, JSON.stringify(object));
    return path;
  };
  const refused = async (object: object, ...argv: string[]) => {
    const result = await run('why', 'refused', '-f', file('refused.json', object), ...argv);
    assert.equal(result.status, 1, result.err);
    return result.out;
  };

  before(async () => {
    cluster = await commandCluster('orch', {
      args: ['--authorization-mode=RBAC', '--emulated-version=1.27', servesPolicies],
    });
    webhook = await WebhookServer.start((review, response) => {
      const { name } = review.request;
      if (name === 'slow') setTimeout(() => sendJson(response, admissionAnswer(review)), SLOW_MS);
      else if (name === 'denied')
        sendJson(response, admissionAnswer(review, { allowed: false, status: { message: 'not this one' } }));
      else admitting()(review, response);
    });
    await post(webhooks, { metadata: { name: 'checks' }, webhooks: [webhookEntry(webhook)] });
    await post(`${namespace}/resourcequotas`, { metadata: { name: 'few' }, spec: { hard: { pods: '0' } } });
    // There is no controller that counts.
    const status = { status: { hard: { pods: '0' }, used: { pods: '0' } } };
    const merge = { contentType: 'application/merge-patch+json' };
    expectCode(
      200,
      await cluster.server.client.send('PATCH', `${namespace}/resourcequotas/few/status`, {
        body: status,
        ...merge,
      }),
    );
    await post(`${namespace}/limitranges`, {
      metadata: { name: 'small' },
      spec: { limits: [{ type: 'Container', max: { memory: '10Mi' } }] },
    });
    await post(`${rbac}/clusterroles`, {
      metadata: { name: 'writer' },
      rules: [{ apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'create', 'patch'] }],
    });
    await post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: names.group('rbac'), kind: 'ClusterRole', name: 'writer' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: names.group('rbac') }],
    });
    await bind(cluster.server.client, 'sized', { validations: [{ expression: 'object.data.size() < 1' }] });
    const labelled = { metadata: { name: 'probe', labels: { test: 'sized' } }, data: { a: 'b' } };
    await refusedBy(() => cluster.server.client.post(`${namespace}/configmaps?dryRun=All`, labelled));
    await post(`${namespace}/configmaps`, {
      ...configMap('settings', {}, { colour: 'blue' }),
      metadata: { name: 'settings', finalizers: ['example.com/hold'] },
    });
    expectCode(200, await cluster.server.client.delete(`${namespace}/configmaps/settings`));
  });
  after(async () => {
    await webhook[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  it('an object that waits for a finalizer is explained with who may remove it, and without for other users', async () => {
    const full = await run('why', 'configmap', 'settings');
    assert.equal(full.status, 0, full.err);
    assert.match(full.out, /^configmap\/settings\n {2}Finalizer: .*"example\.com\/hold"/);
    assert.match(full.out, /removing the finalizer: .*Group "system:masters"/);
    assert.match(full.out, /Webhook: .*"w\.example\.com" may refuse the removal of finalizers/);
    const half = await run('why', 'configmap/settings', '--as=jane');
    assert.match(half.out, /removing the finalizer: a cluster administrator/);
    assert.match(half.out, /an admission webhook that you may not read/);
    assert.doesNotMatch(half.out, /w\.example\.com|system:masters/);
    const none = await run('why', 'configmap', 'settings', '--as=stranger');
    assert.equal(none.status, 1);
    assert.match(none.err, /^Error from server \(Forbidden\): .*"stranger" cannot get resource "configmaps"/);
  });

  it('a field is explained by its value and its manager, as JSON and YAML too', async () => {
    const text = await run('why', 'configmap', 'settings', '--field=.data.colour');
    assert.match(text.out, /^configmap\/settings \.data\.colour: "blue"\n {2}Manager: the manager "/);
    const json = JSON.parse(
      (await run('why', 'configmap', 'settings', '--field=.data.colour', '-o', 'json')).out,
    );
    assert.equal(json.value, 'blue');
    assert.match((await run('why', 'configmap', 'settings', '-oyaml')).out, /^kind: Explanation$/m);
  });

  it('a permission is explained by the rules that come close', async () => {
    const no = await run('why', 'can-i', 'delete', 'configmaps', '--as=jane');
    assert.equal(no.status, 1, no.err);
    assert.match(no.out, /^no\n/);
    assert.match(no.out, /NoOpinion: the authorizer RBAC has no opinion on it/);
    assert.match(
      no.out,
      /a role that you may not read, .* allows only get, create, patch of configmaps, pods/,
    );
    const yes = await run('why', 'can-i', 'get', 'configmap', 'settings', '--for-user=jane');
    assert.equal(yes.status, 0, yes.err);
    assert.match(yes.out, /clusterroles\/writer, granted to User "jane" by rolebindings\/writer in default/);
  });

  it('a write that authorization refuses is explained by the missing permission', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
    assert.match(
      await refused(secret, '--as=jane'),
      /Authorization: .*cannot patch resource "secrets".*MissingPermission: nothing allows "jane" to patch secrets "s"/s,
    );
  });

  it('a write that a webhook refuses names its configuration to users who may read it', async () => {
    const full = await refused(configMap('denied'));
    assert.match(
      full,
      /Webhook: .*not this one\n {2} {2}at validatingwebhookconfigurations\.admissionregistration\.orch\.io\/checks/,
    );
    const half = await refused(configMap('denied'), '--as=jane');
    assert.match(half, /Webhook: .*not this one/);
    assert.doesNotMatch(half, /checks/);
  });

  it('writes that a policy, a limit range or a quota refuses name it', async () => {
    assert.match(
      await refused(configMap('big', { test: 'sized' }, { a: 'b' })),
      /AdmissionPolicy: .*'sized'/,
    );
    assert.match(
      await refused(pod('large', '1Gi')),
      /LimitRange: the admission plugin LimitRanger refused it: .*10Mi/,
    );
    const quota = await refused(pod('many'));
    assert.match(quota, /Quota: the admission plugin ResourceQuota refused it: .*exceeded quota: few/);
    assert.match(quota, /raising the quota: .*Group "system:masters"/);
    const half = await refused(pod('many'), '--as=jane');
    assert.match(half, /raising the quota: a cluster administrator/);
  });

  it('an invalid object is explained by its fields, and a valid one is not refused', async () => {
    assert.match(await refused({ ...configMap('x'), data: { 'a/b': '' } }), /Validation: .*data\[a\/b\]/);
    const fine = await run('why', 'refused', '-f', file('fine.json', configMap('fine')));
    assert.deepEqual([fine.status, fine.out], [0, 'configmap/fine is not refused\n']);
  });

  it('a slow request is explained by its webhook', async () => {
    expectCode(201, await cluster.server.client.post(`${namespace}/configmaps`, configMap('slow')));
    const slow = await run('why', 'slow');
    assert.match(slow.out, /POST .*configmaps {2}201/);
    assert.match(
      slow.out,
      /Webhook: an admission webhook took \d+(\.\d+)? ms of .*\(w\.example\.com of checks\)/,
    );
    assert.doesNotMatch((await run('why', 'slow', '--as=jane')).out, /configmaps/);
  });

  it('a deprecated version is explained by its users, with their programs', async () => {
    const headers = { 'user-agent': 'old/1.0' };
    await cluster.server.client.send('GET', '/api/v1/componentstatuses/etcd-0', { headers });
    const { out } = await run('why', 'deprecated');
    assert.match(out, /GET \/api\/v1\/componentstatuses\/etcd-0 {2}200/);
    assert.match(
      out,
      /DeprecatedVersion: v1 componentstatuses is deprecated; .* one request for it with old\/1\.0/,
    );
    assert.match((await run('why', 'deprecated', '--as=jane')).out, /no such request is remembered/);
  });

  it('a request is traced by its audit id, with its stages', async () => {
    const { headers } = await cluster.server.client.post(`${namespace}/configmaps`, configMap('traced'));
    const id = headers['audit-id'] ?? '';
    const { out, status } = await run('trace', String(id));
    assert.equal(status, 0, out);
    assert.match(out, /^asked 1 replica: /);
    for (const stage of ['authentication', 'flow control', 'authorization', 'webhook', 'store', 'handling'])
      assert.match(out, new RegExp(`^  ${stage} `, 'm'));
    const hidden = await run('trace', String(id), '--as=jane');
    assert.deepEqual([hidden.status, /remembers/.test(hidden.out)], [1, true]);
  });

  it('the server answers the same questions to raw requests', async () => {
    const path = '/why/object?resource=configmaps&namespace=default&name=settings';
    const { out } = await run('get', '--raw', path);
    assert.equal(JSON.parse(out).kind, 'Explanation');
  });

  it('the examples in the help run', async () => {
    file('settings.yaml', configMap('settings-2'));
    const entries = commands.filter(({ name }) => name === 'why' || name === 'trace');
    const all = entries.flatMap((entry) => [entry, ...(entry.commands ?? [])]);
    for (const entry of all)
      for (const { line } of (await entry.load?.())?.examples ?? []) {
        const { err } = await run(...line.split(' ').slice(1));
        assert.equal(err, '', line);
      }
  });
});
