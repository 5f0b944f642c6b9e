import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { startEtcd } from '@orch/storage/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, create, expectCode, item, podObject, pods, status } from '../api/fixture.ts';
import { definition, establish, GROUP, WIDGETS, widget } from '../custom-resources/widgets.ts';
import {
  BINDINGS,
  bind,
  binding,
  constraintsOf,
  POLICIES,
  policy,
  refusedBy,
  servesPolicies,
} from './policies.ts';

const names = namesFor('orch');

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'target' } };
const tokenRequest = {
  apiVersion: `${names.groups.authentication}/v1`,
  kind: 'TokenRequest',
  spec: { audiences: [] },
};

interface PolicyStatus {
  readonly typeChecking?: { readonly expressionWarnings?: readonly { readonly warning: string }[] };
}

/** A config map that a policy with this name matches. */
const labelled = (test: string, name: string, data: Record<string, string> = {}): object =>
  configMap(name, data, { labels: { test } });

const rule = (expression: string, rest: object = {}): object => ({ validations: [{ expression, ...rest }] });

describe('validating admission policies of a server', { timeout: 180_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'policies-'));
  const log = join(work, 'audit.log');
  let server: LaunchedServer;

  before(async () => {
    const audit = join(work, 'audit.yaml');
    const { audit: group } = names.groups;
    writeFileSync(audit, `apiVersion: ${group}/v1\nkind: Policy\nrules: [{level: Metadata}]\n`);
    server = await launchServer({
      args: [
        servesPolicies,
        '--authorization-mode=RBAC',
        `--audit-policy-file=${audit}`,
        `--audit-log-path=${log}`,
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const post = (path: string, object: object): Promise<ApiResponse> => server.client.post(path, object);
  const apply = (test: string, name: string, data: Record<string, string>): Promise<ApiResponse> =>
    server.client.send('PATCH', `${cms}/${name}?fieldManager=t`, {
      body: labelled(test, name, data),
      contentType: 'application/apply-patch+yaml',
    });

  /** The annotations of the audit event about an object. */
  const annotationsOf = (name: string): Promise<Readonly<Record<string, string>>> =>
    poll('an audit event', 20_000, () => {
      const lines = readFileSync(log, 'utf8').split('\n');
      const events = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
      return events.find(
        ({ objectRef, stage, verb }) =>
          objectRef?.name === name && stage === 'ResponseComplete' && verb === 'update',
      )?.annotations;
    });

  it('a policy refuses creations, updates, patches, applies and dry runs with its message and reason', async () => {
    const validation = { message: 'a is large', reason: 'Forbidden' };
    await bind(server.client, 'writes', rule("!has(object.data) || object.data.a != '9'", validation));
    const large = labelled('writes', 'large', { a: '9' });
    const refused = await poll('a refusal', 20_000, async () => {
      const answer = await post(`${cms}?dryRun=All`, large);
      return answer.status === 201 ? undefined : answer;
    });
    assert.equal(refused.status, 403);
    assert.equal(
      status(refused).message,
      `configmaps "large" is forbidden: ValidatingAdmissionPolicy 'writes' with binding 'writes' denied request: a is large`,
    );
    assert.equal(status(refused).reason, 'Forbidden');
    await create(server.client, cms, labelled('writes', 'small', { a: '1' }));
    const path = `${cms}/small`;
    const answers = [
      await post(cms, large),
      await server.client.send('PUT', path, { body: labelled('writes', 'small', { a: '9' }) }),
      await server.client.send('PATCH', path, {
        body: { data: { a: '9' } },
        contentType: 'application/merge-patch+json',
      }),
      await server.client.send('PATCH', path, {
        body: [{ op: 'replace', path: '/data/a', value: '9' }],
        contentType: 'application/json-patch+json',
      }),
      await apply('writes', 'applied', { a: '9' }),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [403, 403, 403, 403, 403],
    );
    expectCode(201, await apply('writes', 'applied', { a: '2' }));
    expectCode(200, await apply('writes', 'applied', { a: '2' }));
    expectCode(403, await apply('writes', 'applied', { a: '9' }));
  });

  it('a policy warns and audits instead of refusing', async () => {
    await bind(
      server.client,
      'watches',
      {
        ...rule("object.data.a != '9'", { messageExpression: "'a of ' + object.metadata.name" }),
        auditAnnotations: [{ key: 'a', valueExpression: "'is ' + object.data.a" }],
      },
      { validationActions: ['Warn', 'Audit'] },
    );
    await create(server.client, cms, labelled('watches', 'watched', { a: '9' }));
    const path = `${cms}/watched`;
    const body = labelled('watches', 'watched', { a: '9' });
    const answer = await poll('a warning', 20_000, async () => {
      const updated = expectCode(200, await server.client.send('PUT', `${path}?dryRun=All`, { body }));
      return updated.headers['warning'] === undefined ? undefined : updated;
    });
    const message = 'a of watched';
    assert.equal(
      answer.headers['warning'],
      `299 - "Validation failed for ValidatingAdmissionPolicy 'watches' with binding 'watches': ${message}"`,
    );
    const annotations = await poll('annotations', 20_000, async () => {
      const found = await annotationsOf('watched');
      return found['watches/a'] === undefined ? undefined : found;
    });
    assert.equal(annotations['watches/a'], 'is 9');
    assert.deepEqual(JSON.parse(annotations[names.auditAnnotations.policyFailure] ?? ''), [
      {
        message,
        policy: 'watches',
        binding: 'watches',
        expressionIndex: 0,
        validationActions: ['Warn', 'Audit'],
      },
    ]);
  });

  it('a policy refuses deletions by the object that is stored', async () => {
    const spec = constraintsOf('keeps', { operations: ['DELETE'] });
    await create(server.client, cms, labelled('keeps', 'kept', { keep: 'yes' }));
    await create(server.client, cms, labelled('keeps', 'other', { keep: 'no' }));
    await bind(server.client, 'keeps', {
      ...rule("object == null && oldObject.data.keep != 'yes'"),
      ...spec,
    });
    await refusedBy(() => server.client.send('DELETE', `${cms}/kept?dryRun=All`));
    expectCode(422, await server.client.send('DELETE', `${cms}/kept`));
    expectCode(422, await server.client.send('DELETE', `${cms}?labelSelector=test%3Dkeeps`));
    expectCode(200, await server.client.get(`${cms}/kept`));
  });

  it('a policy about a subresource decides on what it changes', async () => {
    await create(server.client, pods, podObject('ready', { labels: { test: 'subresource' } }));
    const resource = { operations: ['UPDATE'], resources: ['pods/status'] };
    await bind(server.client, 'subresource', {
      ...constraintsOf('subresource', resource),
      ...rule("request.subResource == 'status' && object.status.phase != 'Failed'"),
    });
    const patched = (path: string, body: object): Promise<ApiResponse> =>
      server.client.send('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    await refusedBy(() => patched(`${pods}/ready/status?dryRun=All`, { status: { phase: 'Failed' } }));
    expectCode(200, await patched(`${pods}/ready/status`, { status: { phase: 'Running' } }));
    expectCode(200, await patched(`${pods}/ready`, { metadata: { annotations: { a: 'b' } } }));
  });

  const accounts = '/api/v1/namespaces/default/serviceaccounts';

  for (const [what, operation, resource, write] of [
    ['connections', 'CONNECT', 'pods/exec', { path: `${pods}/target/exec?command=ls`, body: {} }],
    ['evictions', 'CREATE', 'pods/eviction', { path: `${pods}/target/eviction?dryRun=All`, body: eviction }],
    [
      'token requests',
      'CREATE',
      'serviceaccounts/token',
      { path: `${accounts}/asks/token`, body: tokenRequest },
    ],
  ] as const) {
    it(`a policy refuses ${what}`, async () => {
      await server.client.post(pods, podObject('target'));
      await server.client.post(accounts, { metadata: { name: 'asks' } });
      const attempt = (): Promise<ApiResponse> => server.client.post(write.path, write.body);
      assert.notEqual((await attempt()).status, 422);
      const name = resource.replace('/', '-');
      const constraints = {
        operations: [operation],
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: [resource],
      };
      await bind(server.client, name, {
        matchConstraints: { resourceRules: [constraints] },
        ...rule(`request.operation != '${operation}'`),
      });
      const { message } = status(await refusedBy(attempt));
      assert.match(message, new RegExp(`policy '${name}' .* denied request: failed expression`, 'i'));
      expectCode(200, await server.client.send('DELETE', `${BINDINGS}/${name}`));
    });
  }

  it('the client receives the message of a policy about secrets, and no value of them by errors', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    const secret = (labels: object, pin: string): object => ({
      metadata: { name: 'sec', labels: { test: 'secrets', ...labels } },
      stringData: { pin },
    });
    const rules = constraintsOf('secrets', { resources: ['secrets'] });
    const owned = { expression: 'has(object.metadata.labels.owner)', message: 'an owner is needed' };
    const numbers = { expression: 'int(object.data.pin) > 0' };
    await bind(server.client, 'secrets', { ...rules, validations: [owned, numbers] });
    const path = `${secrets}?dryRun=All`;
    const refused = await refusedBy(() => post(path, secret({}, '1')));
    assert.match(status(refused).message, /denied request: an owner is needed$/);
    const error = expectCode(422, await post(path, secret({ owner: 'a' }, 'hunter')));
    assert.match(status(error).message, /expression 'int\(.*\) > 0' resulted in error$/);
    assert.doesNotMatch(error.text, /aHVudGVy/);
    expectCode(200, await server.client.send('DELETE', `${BINDINGS}/secrets`));
    await bind(
      server.client,
      'pins',
      { ...rules, validations: [numbers] },
      { validationActions: ['Warn', 'Audit'] },
    );
    const warned = await poll('a warning', 20_000, async () => {
      const answer = expectCode(201, await post(path, secret({}, 'hunter')));
      return answer.headers['warning']?.toString();
    });
    assert.match(warned, /policy 'pins'.* resulted in error"$/i);
    const written = readFileSync(log, 'utf8').split('\n');
    assert.deepEqual(
      written.filter((line) => line.includes('aHVudGVy')),
      [],
    );
  });

  it('a scale is given to a policy about scales', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'a' };
    await create(server.client, deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'scaled' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const scale = {
      operations: ['UPDATE'],
      apiGroups: ['apps'],
      apiVersions: ['v1'],
      resources: ['deployments/scale'],
    };
    await bind(server.client, 'scales', {
      matchConstraints: { resourceRules: [scale] },
      ...rule("request.kind.kind == 'Scale' && object.spec.replicas <= 3 && oldObject.spec.replicas >= 0"),
    });
    const scaled = (replicas: number, query = ''): Promise<ApiResponse> =>
      server.client.send('PATCH', `${deployments}/scaled/scale${query}`, {
        body: { spec: { replicas } },
        contentType: 'application/merge-patch+json',
      });
    await refusedBy(() => scaled(4, '?dryRun=All'));
    expectCode(422, await scaled(4));
    expectCode(200, await scaled(3));
  });

  it('parameters are read from config maps of the namespace of the object', async () => {
    await create(server.client, cms, configMap('limits', { longest: '3' }));
    const byLength = rule('object.data.a.size() <= int(params.data.longest)');
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const paramRef = { name: 'limits', parameterNotFoundAction: 'Deny' };
    await bind(server.client, 'by-map', { ...byLength, paramKind }, { paramRef });
    const written = (a: string, query = '?dryRun=All'): Promise<ApiResponse> =>
      post(`${cms}${query}`, labelled('by-map', 'by-map', { a }));
    await refusedBy(() => written('long'));
    expectCode(201, await written('abc'));
    const body = { data: { longest: '9' } };
    const patch = { body, contentType: 'application/merge-patch+json' };
    expectCode(200, await server.client.send('PATCH', `${cms}/limits`, patch));
    await poll('new parameters', 20_000, async () =>
      (await written('long')).status === 201 ? true : undefined,
    );
    expectCode(200, await server.client.send('DELETE', `${cms}/limits`));
    const refused = await refusedBy(() => written('a'));
    assert.match(status(refused).message, /failed to configure binding: no params found/);
  });

  it('parameters are read from custom resources, once their definition exists', async () => {
    const paramKind = { apiVersion: 'stable.example.com/v1', kind: 'Widget' };
    const paramRef = { selector: { matchLabels: { use: 'limit' } }, parameterNotFoundAction: 'Deny' };
    const byWidget = { ...rule('object.data.a.size() <= params.spec.size'), paramKind };
    await bind(server.client, 'by-widget', byWidget, { paramRef });
    const written = (a: string): Promise<ApiResponse> =>
      post(`${cms}?dryRun=All`, labelled('by-widget', 'by-widget', { a }));
    assert.match(status(await refusedBy(() => written('a'))).message, /paramKind kind .* not known/);
    expectCode(201, await establish(server.client, definition()));
    const limit = { ...widget('limit'), metadata: { name: 'limit', labels: { use: 'limit' } } };
    expectCode(201, await post(WIDGETS, limit));
    expectCode(201, await written('a'));
    const refused = expectCode(422, await written('ab'));
    assert.match(
      status(refused).message,
      /failed expression: object\.data\.a\.size\(\) <= params\.spec\.size/,
    );
  });

  it('objects of custom resources must satisfy policies', async () => {
    const rules = [
      { operations: ['CREATE'], apiGroups: ['example.net'], apiVersions: ['*'], resources: ['*'] },
    ];
    const custom = definition();
    const moved = JSON.parse(
      JSON.stringify(custom).replaceAll('stable.example.com', 'example.net'),
    ) as typeof custom;
    expectCode(201, await establish(server.client, moved));
    await bind(server.client, 'custom', {
      matchConstraints: { resourceRules: rules },
      ...rule('object.spec.size < 5'),
    });
    const written = (size: number): Promise<ApiResponse> =>
      post('/apis/example.net/v1/namespaces/default/widgets?dryRun=All', {
        ...widget('w'),
        apiVersion: 'example.net/v1',
        spec: { size },
      });
    await refusedBy(() => written(5));
    expectCode(201, await written(4));
  });

  it('a policy asks what the user of the request may do', async () => {
    const may = "authorizer.group('').resource('secrets').namespace('default').check('delete').allowed()";
    await bind(server.client, 'asks', rule(may));
    const binder = `/apis/${names.groups.rbac}/v1/clusterrolebindings`;
    await create(server.client, binder, {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: names.groups.rbac, kind: 'ClusterRole', name: 'writer' },
      subjects: [{ apiGroup: names.groups.rbac, kind: 'User', name: 'writer' }],
    });
    await create(server.client, `/apis/${names.groups.rbac}/v1/clusterroles`, {
      metadata: { name: 'writer' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
    });
    const as = (user: Readonly<Record<string, string>>): Promise<ApiResponse> =>
      server.client.send('POST', `${cms}?dryRun=All`, { body: labelled('asks', 'asks'), headers: user });
    await refusedBy(() => as({ 'impersonate-user': 'writer' }));
    expectCode(201, await as({}));
  });

  it('only users who may read parameters can refer to them', async () => {
    await create(server.client, `/apis/${names.groups.rbac}/v1/clusterroles`, {
      metadata: { name: 'policies' },
      rules: [{ apiGroups: [names.groups.admissionregistration], resources: ['*'], verbs: ['*'] }],
    });
    await create(server.client, `/apis/${names.groups.rbac}/v1/clusterrolebindings`, {
      metadata: { name: 'policies' },
      roleRef: { apiGroup: names.groups.rbac, kind: 'ClusterRole', name: 'policies' },
      subjects: [{ apiGroup: names.groups.rbac, kind: 'User', name: 'author' }],
    });
    const as = (path: string, body: object): Promise<ApiResponse> =>
      server.client.send('POST', path, { body, headers: { 'impersonate-user': 'author' } });
    const leak = { ...rule('false', { messageExpression: 'string(params.data)' }) };
    await poll('the role', 20_000, async () => {
      const answer = await as(`${POLICIES}?dryRun=All`, policy('harmless', rule('true')));
      return answer.status === 201 ? true : undefined;
    });
    const ofSecrets = { ...leak, paramKind: { apiVersion: 'v1', kind: 'Secret' } };
    const refusedPolicy = expectCode(403, await as(POLICIES, policy('leak', ofSecrets)));
    assert.match(status(refusedPolicy).message, /must have "get" permission on all objects/);
    expectCode(201, await post(POLICIES, policy('leak', ofSecrets)));
    const paramRef = { name: 's', namespace: names.namespaces.system, parameterNotFoundAction: 'Allow' };
    const refusedBinding = expectCode(403, await as(BINDINGS, binding('leak', { paramRef })));
    assert.match(status(refusedBinding).message, /does not have "get" permission on the object/);
  });

  it('policies that match everything can be corrected, and malicious ones do not stop other requests', async () => {
    const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    const list = `[${Array.from({ length: 30 }, (_, i) => i).join()}]`;
    const explosive = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`;
    await create(server.client, '/api/v1/namespaces', {
      metadata: { name: 'malicious', labels: { malicious: 'yes' } },
    });
    await bind(
      server.client,
      'everything',
      {
        matchConstraints: { resourceRules: [everything] },
        variables: Array.from({ length: 20 }, (_, i) => ({ name: `v${i}`, expression: explosive })),
        validations: Array.from({ length: 20 }, (_, i) => ({ expression: `variables.v${i}`, message: 'm' })),
      },
      { matchResources: { namespaceSelector: { matchLabels: { malicious: 'yes' } } } },
    );
    const write = (): Promise<ApiResponse> =>
      post('/api/v1/namespaces/malicious/configmaps?dryRun=All', configMap('c'));
    const refused = await refusedBy(write);
    assert.match(status(refused).message, /cost/);
    expectCode(200, await server.client.send('DELETE', `${POLICIES}/everything`));
    await poll('the write', 20_000, async () => ((await write()).status === 201 ? true : undefined));
  });

  it('decisions of policies are counted', async () => {
    const { text } = expectCode(200, await server.client.get('/metrics'));
    assert.match(
      text,
      /^apiserver_validating_admission_policy_check_total\{policy="writes",policy_binding="writes",error_type="no_error",enforcement_action="deny"\} \d+$/m,
    );
  });
});

describe('validating admission policies of replicas', { timeout: 120_000 }, () => {
  it('a policy that is created through one replica is in effect on the other one within a second', async () => {
    await using etcd = await startEtcd();
    const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
    const options = { etcd: etcd.endpoints, certDir, args: [servesPolicies] };
    try {
      await using first = await launchServer(options);
      await using second = await launchServer(options);
      const write = (): Promise<ApiResponse> =>
        second.client.post(`${cms}?dryRun=All`, labelled('both', 'a'));
      const began = performance.now();
      expectCode(201, await write());
      // A second, and what several writes take on a slow machine.
      const deadlineMs = 1000 + 10 * (performance.now() - began);
      await bind(first.client, 'both', rule('false'));
      await poll('the refusal', deadlineMs, async () => (await write()).status === 422);
      expectCode(200, await first.client.send('DELETE', `${BINDINGS}/both`));
      await poll('the deletion', deadlineMs, async () => (await write()).status === 201);
      const stamps = `/apis/${names.groups.admissionregistration}/v1/mutatingadmission`;
      const mutation = {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: "Object{data: Object.data{stamp: 'yes'}}" },
      };
      const spec = { ...constraintsOf('both', {}), mutations: [mutation], reinvocationPolicy: 'Never' };
      expectCode(201, await first.client.post(`${stamps}policies`, { metadata: { name: 'both' }, spec }));
      const bound = { metadata: { name: 'both' }, spec: { policyName: 'both' } };
      expectCode(201, await first.client.post(`${stamps}policybindings`, bound));
      await poll('the change', deadlineMs, async () => item(await write()).data?.['stamp'] === 'yes');
    } finally {
      rmSync(certDir, { recursive: true, force: true });
    }
  });

  it('a policy is checked with the types of a definition that was created through another replica', async () => {
    await using etcd = await startEtcd();
    const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
    const options = { etcd: etcd.endpoints, certDir, args: [servesPolicies] };
    try {
      await using first = await launchServer(options);
      await using second = await launchServer(options);
      const rules = { apiGroups: [GROUP], resources: ['widgets'] };
      const misspelt = { ...constraintsOf('widgets', rules), ...rule('object.spec.sise < 5') };
      expectCode(201, await first.client.post(POLICIES, policy('widgets', misspelt)));
      const warnings = async (): Promise<readonly { readonly warning: string }[] | undefined> => {
        const { json } = expectCode(200, await first.client.get(`${POLICIES}/widgets`));
        const { status = {} } = json as { readonly status?: PolicyStatus };
        return status.typeChecking === undefined ? undefined : (status.typeChecking.expressionWarnings ?? []);
      };
      assert.deepEqual(await poll('the first check', 20_000, warnings), []);
      expectCode(201, await establish(second.client, definition()));
      const [found] = await poll('a warning', 20_000, async () => {
        const now = await warnings();
        return now?.length === 0 ? undefined : now;
      });
      assert.match(found?.warning ?? '', /stable\.example\.com\/v1, Kind=Widget: .*undefined field 'sise'/);
    } finally {
      rmSync(certDir, { recursive: true, force: true });
    }
  });
});
