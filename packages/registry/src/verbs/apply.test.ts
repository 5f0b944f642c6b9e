import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { Answered } from '../testing/answers.ts';
import { apply, map, owners } from '../testing/applies.ts';
import { configMap, deployment, scale } from '../testing/objects.ts';
import { RegistryFixture, type RegistryFixtureOptions } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const revision = (api: RegistryFixture): Promise<number> =>
  api.model.currentRevision(new AbortController().signal);

describe('the verb apply', () => {
  it('apply creates a missing object and owns its fields', async () => {
    await using api = await RegistryFixture.open();
    const { status, json } = await apply(api, `${cms}/a`, map('a', { k: 'v' }));
    assert.equal(status, 201);
    assert.equal(json.metadata.name, 'a');
    assert.deepEqual(owners(json), { 'tool Apply': { 'f:data': { 'f:k': {} } } });
    assert.deepEqual((await api.get(`${cms}/a`)).json, json);
  });

  it('apply accepts a configuration in YAML', async () => {
    await using api = await RegistryFixture.open();
    const yaml =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  text: |\n    two\n    lines\n';
    const { status, json } = await apply(api, `${cms}/a`, yaml);
    assert.deepEqual([status, json.data], [201, { text: 'two\nlines\n' }]);
    const flow = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}';
    const again = await apply(api, `${cms}/a`, flow);
    assert.deepEqual([again.status, again.json.data], [200, { k: 'v' }]);
  });

  it('a configuration without metadata is that of the object in the path, which must exist', async () => {
    await using api = await RegistryFixture.open();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } };
    assert.equal((await apply(api, `${cms}/a`, config)).status, 400);
    await api.post(cms, { metadata: { name: 'a', labels: { l: 'm' } } });
    const { status, json } = await apply(api, `${cms}/a`, config);
    assert.deepEqual([status, json.data, json.metadata.labels], [200, { k: 'v' }, { l: 'm' }]);
    assert.deepEqual(owners(json)['tool Apply'], { 'f:data': { 'f:k': {} } });
    const again = await apply(api, `${cms}/a`, config);
    assert.equal(again.json.metadata.resourceVersion, json.metadata.resourceVersion);
  });

  it('apply sets defaults, and restores them for removed fields', async () => {
    await using api = await RegistryFixture.open();
    const { json } = await apply(api, `${deployments}/d`, deployment('d', { replicas: 5 }));
    assert.deepEqual([json.spec.replicas, json.spec.strategy.type], [5, 'RollingUpdate']);
    const dropped = await apply(api, `${deployments}/d`, deployment('d'));
    assert.equal(dropped.json.spec.replicas, 1);
    assert.equal(dropped.json.metadata.generation, 2);
  });

  it('apply fails with a conflict for each field that another manager owns, with its name', async () => {
    await using api = await RegistryFixture.open();
    await apply(api, `${deployments}/d`, deployment('d', { replicas: 2 }));
    await api.patch(`${deployments}/d?fieldManager=hpa`, { spec: { replicas: 7 } });
    const { status, json } = await apply(api, `${deployments}/d`, deployment('d', { replicas: 3 }));
    assert.equal(status, 409);
    assert.deepEqual(
      [json.reason, json.message, json.details],
      [
        'Conflict',
        'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas',
        {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "hpa" using apps/v1',
              field: '.spec.replicas',
            },
          ],
        },
      ],
    );
    const forced = await apply(api, `${deployments}/d`, deployment('d', { replicas: 3 }), {
      query: '&force=true',
    });
    assert.deepEqual([forced.status, forced.json.spec.replicas], [200, 3]);
    assert.deepEqual(Object.keys(owners(forced.json)), ['tool Apply']);
  });

  it('an apply without changes writes nothing, keeps the times and returns the stored object', async () => {
    await using api = await RegistryFixture.open();
    const first = await apply(api, `${deployments}/d`, deployment('d', { replicas: 2 }));
    await api.settled();
    const before = await revision(api);
    await api.env.clock.advanceAsync(60_000);
    // The second apply is found in the cache and is not parsed.
    for (const turn of [1, 2, 3]) {
      const again = await apply(api, `${deployments}/d`, deployment('d', { replicas: 2 }));
      assert.equal(again.status, 200, `turn ${turn}`);
      assert.equal(again.text, first.text, `turn ${turn}`);
    }
    assert.equal(await revision(api), before);
    await api.patch(`${deployments}/d?fieldManager=tool`, { spec: { replicas: 9 } });
    await api.settled();
    const changed = await apply(api, `${deployments}/d`, deployment('d', { replicas: 2 }));
    assert.equal(changed.status, 409, 'the record of an unchanged apply is dropped when the object changes');
  });

  it('an apply whose changes the strategy reverts writes nothing', async () => {
    await using api = await RegistryFixture.open();
    const spaces = '/api/v1/namespaces';
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n' },
      spec: { finalizers: ['example.com/own'] },
    };
    await api.post(spaces, { metadata: { name: 'n' } });
    const first = await apply(api, `${spaces}/n`, body, { query: '&force=true' });
    assert.equal(first.status, 200, first.text);
    await api.settled();
    const before = await revision(api);
    await api.env.clock.advanceAsync(60_000);
    assert.equal((await apply(api, `${spaces}/n`, body, { query: '&force=true' })).status, 200);
    assert.equal(await revision(api), before);
  });

  it('a dry run of an apply stores nothing', async () => {
    await using api = await RegistryFixture.open();
    const dryRun = await apply(api, `${cms}/a`, map('a', { k: 'v' }), { query: '&dryRun=All' });
    assert.deepEqual([dryRun.status, dryRun.json.data], [201, { k: 'v' }]);
    assert.equal((await api.get(`${cms}/a`)).status, 404);
    const first = await apply(api, `${cms}/a`, map('a', { k: 'v' }));
    const changed = await apply(api, `${cms}/a`, map('a', { k: 'w' }), { query: '&dryRun=All' });
    assert.deepEqual([changed.status, changed.json.data], [200, { k: 'w' }]);
    assert.equal((await api.get(`${cms}/a`)).text, first.text);
  });

  it('an apply through status owns only status fields, and creates no object', async () => {
    await using api = await RegistryFixture.open();
    const body = { ...deployment('d', { replicas: 9 }), status: { observedGeneration: 1 } };
    assert.equal((await apply(api, `${deployments}/d/status`, body)).status, 404);
    await apply(api, `${deployments}/d`, deployment('d'), { manager: 'owner' });
    const { status, json } = await apply(api, `${deployments}/d/status`, body, { manager: 'c' });
    assert.deepEqual([status, json.spec.replicas, json.status.observedGeneration], [200, 1, 1]);
    assert.deepEqual(owners(json)['c Apply status'], { 'f:status': { 'f:observedGeneration': {} } });
  });

  it('an apply through scale owns spec.replicas', async () => {
    await using api = await RegistryFixture.open();
    await apply(api, `${deployments}/d`, deployment('d', { replicas: 2 }), { manager: 'owner' });
    const sent = scale('d', 5);
    const conflict = await apply(api, `${deployments}/d/scale`, sent, { manager: 's' });
    assert.deepEqual([conflict.status, conflict.json.details.causes[0].field], [409, '.spec.replicas']);
    const forced = await apply(api, `${deployments}/d/scale`, sent, { manager: 's', query: '&force=true' });
    assert.deepEqual([forced.status, forced.json.kind, forced.json.spec.replicas], [200, 'Scale', 5]);
    const { json } = await api.get(`${deployments}/d`);
    assert.deepEqual(owners(json)['s Apply scale'], { 'f:spec': { 'f:replicas': {} } });
  });

  it('applies in two versions with different groups own one field set', async () => {
    await using api = await RegistryFixture.open({ release: '1.20' });
    const hpas = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const hpa = (version: string, spec: object): object => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: target, maxReplicas: 5, ...spec },
    });
    const first = await apply(api, `${hpas('v1')}/h`, hpa('v1', { targetCPUUtilizationPercentage: 50 }));
    assert.equal(first.status, 201, first.text);
    const metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ];
    const other = await apply(api, `${hpas('v2beta2')}/h`, hpa('v2beta2', { metrics }), { manager: 'other' });
    assert.equal(other.status, 409, other.text);
    const same = await apply(api, `${hpas('v2beta2')}/h`, hpa('v2beta2', { metrics }));
    assert.equal(same.status, 200, same.text);
    assert.deepEqual(Object.keys(owners(same.json)), ['tool Apply']);
    const got = await api.get(`${hpas('v1')}/h`);
    assert.equal(got.json.spec.targetCPUUtilizationPercentage, 70);
  });

  it('applies in the versions of two groups own one field set', async () => {
    await using api = await RegistryFixture.open({ release: '1.20' });
    const path = (apiVersion: string): string => `/apis/${apiVersion}/namespaces/default/ingresses/i`;
    const [older, newer] = ['extensions/v1beta1', `${namesFor('orch').group('networking')}/v1`];
    const ingress = (apiVersion: string, backend: object): object => ({
      apiVersion,
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      },
    });
    const first = await apply(api, path(older), ingress(older, { serviceName: 'web', servicePort: 80 }));
    assert.equal(first.status, 201, first.text);
    const service = (number: number) => ({ service: { name: 'web', port: { number } } });
    const other = await apply(api, path(newer), ingress(newer, service(81)), { manager: 'other' });
    assert.equal(other.status, 409, other.text);
    assert.deepEqual(
      other.json.details.causes.map(({ field }: { field: string }) => field),
      ['.spec.rules'],
    );
    const same = await apply(api, path(newer), ingress(newer, service(82)));
    assert.equal(same.status, 200, same.text);
    assert.deepEqual(Object.keys(owners(same.json)), ['tool Apply']);
    const got = await api.get(path(older));
    assert.deepEqual(got.json.spec.rules[0].http.paths[0].backend, { serviceName: 'web', servicePort: 82 });
  });

  it('an apply by the command line tool takes over client-side applied fields and updates the annotation', async () => {
    await using api = await RegistryFixture.open({ naming: 'kubernetes' });
    const lastApplied = api.names.annotations.lastApplied;
    const config = map('a', { k: 'v' });
    const annotated = {
      ...config,
      metadata: { name: 'a', annotations: { [lastApplied]: JSON.stringify(config) } },
    };
    await api.post(`${cms}?fieldManager=kubectl-client-side-apply`, annotated);
    const { status, json } = await apply(api, `${cms}/a`, map('a', { k: 'w' }), { manager: 'kubectl' });
    assert.equal(status, 200, json.message);
    assert.deepEqual(JSON.parse(json.metadata.annotations[lastApplied]).data, { k: 'w' });
    const outsider = await apply(api, `${cms}/a`, map('a', { k: 'x' }), { manager: 'other' });
    assert.equal(outsider.status, 409);
  });

  const head = { apiVersion: 'v1', kind: 'ConfigMap' };
  for (const [what, body, query, expected] of [
    ['without a manager', map('a', {}), '', [422, 'Invalid', 'FieldValueRequired']],
    [
      'with a manager that is too long',
      map('a', {}),
      `fieldManager=${'x'.repeat(129)}`,
      [422, 'Invalid', 'FieldValueTooLong'],
    ],
    [
      'with a manager of control characters',
      map('a', {}),
      'fieldManager=a%07',
      [422, 'Invalid', 'FieldValueInvalid'],
    ],
    ['without a kind', { apiVersion: 'v1', metadata: {} }, 'fieldManager=t', [400, 'BadRequest', undefined]],
    [
      'of another kind',
      { ...head, kind: 'Secret', metadata: {} },
      'fieldManager=t',
      [400, 'BadRequest', undefined],
    ],
    [
      'of another version',
      { ...head, apiVersion: 'v2', metadata: {} },
      'fieldManager=t',
      [400, 'BadRequest', undefined],
    ],
    ['without metadata', head, 'fieldManager=t', [400, 'BadRequest', undefined]],
    [
      'with owners',
      { ...head, metadata: { managedFields: [{}] } },
      'fieldManager=t',
      [400, 'BadRequest', undefined],
    ],
    ['of another name', map('b', {}), 'fieldManager=t', [400, 'BadRequest', undefined]],
    [
      'of another namespace',
      { ...head, metadata: { namespace: 'x' } },
      'fieldManager=t',
      [400, 'BadRequest', undefined],
    ],
    [
      'of an object with a uid that is not there',
      { ...head, metadata: { uid: 'u' } },
      'fieldManager=t',
      [409, 'Conflict', undefined],
    ],
    [
      'of a version of an object that is not there',
      { ...head, metadata: { resourceVersion: '5' } },
      'fieldManager=t',
      [404, 'NotFound', undefined],
    ],
    ['of what is not an object', [], 'fieldManager=t', [400, 'BadRequest', undefined]],
    ['of what is not YAML', '{', 'fieldManager=t', [400, 'BadRequest', undefined]],
    ['of nothing', '', 'fieldManager=t', [400, 'BadRequest', undefined]],
    ['of unknown fields', { ...map('a', {}), strange: 1 }, 'fieldManager=t', [400, 'BadRequest', undefined]],
    [
      'of a value of a wrong type',
      { ...map('a', {}), data: { k: 1 } },
      'fieldManager=t',
      [400, 'BadRequest', undefined],
    ],
    [
      'of an invalid object',
      { ...map('a', { '!': 'x' }) },
      'fieldManager=t',
      [422, 'Invalid', 'FieldValueInvalid'],
    ],
    ['with force on what is not an apply', undefined, 'force=true', [422, 'Invalid', 'FieldValueForbidden']],
  ] as const) {
    it(`${what} is refused with ${expected.filter((part) => part !== undefined).join(' ')}`, async () => {
      await using api = await RegistryFixture.open();
      const contentType =
        body === undefined ? 'application/merge-patch+json' : 'application/apply-patch+yaml';
      const { status, json } = await api.send('PATCH', `${cms}/a?${query}`, {
        body: body ?? {},
        contentType,
      });
      assert.deepEqual([status, json.reason, json.details?.causes?.[0]?.reason], expected, json.message);
    });
  }

  it('an apply fails when the resourceVersion or uid of its configuration does not match', async () => {
    await using api = await RegistryFixture.open();
    const { json } = await apply(api, `${cms}/a`, map('a', { k: 'v' }));
    const { uid, resourceVersion } = json.metadata;
    const at = (metadata: object, value: string) =>
      apply(api, `${cms}/a`, configMap('a', { k: value }, metadata));
    assert.equal((await at({ uid: 'other' }, 'w')).status, 409);
    assert.equal((await at({ resourceVersion: '1' }, 'w')).status, 409);
    assert.equal((await at({ uid, resourceVersion }, 'w')).status, 200);
    assert.equal((await at({ uid, resourceVersion }, 'x')).status, 409);
  });

  it('an apply to a path without patches is refused with 415', async () => {
    await using api = await RegistryFixture.open({ release: '1.15' });
    assert.equal((await apply(api, `${cms}/a`, map('a', {}))).status, 415);
    const other = await apply(api, `${cms}/a`, map('a', {}), { contentType: 'application/apply-patch+json' });
    assert.equal(other.status, 415);
  });

  it('an apply that creates requires the permission to create', async () => {
    const mayPatch: RegistryFixtureOptions['access'] = {
      authenticator: {
        authenticate: () => ({ kind: 'user', user: { name: 'u', uid: '', groups: [], extra: {} } }),
      },
      authorizer: {
        authorize: ({ verb }) => ({ verdict: verb === 'create' ? 'noOpinion' : 'allow', reason: '' }),
      },
    };
    await using api = await RegistryFixture.open({ access: mayPatch });
    assert.equal((await apply(api, `${cms}/a`, map('a', {}))).status, 403);
    const lease = { apiVersion: 'coordination.orch.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: {} };
    const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';
    assert.equal((await api.put(`${leases}/l`, lease)).status, 403);
  });

  for (const release of ['1.24', '1.27'] as const)
    it(`an apply with an unknown field is refused in every mode of validation in ${release}`, async () => {
      await using api = await RegistryFixture.open({ release });
      for (const mode of ['', 'Ignore', 'Warn', 'Strict']) {
        const sent = { ...map('a', { k: 'v' }), strange: 1 };
        const { status, json } = await apply(api, `${cms}/a`, sent, { query: `&fieldValidation=${mode}` });
        assert.equal(status, 400, mode);
        assert.match(json.message, /strange: field not declared in schema/);
      }
      assert.equal((await api.get(`${cms}/a`)).status, 404);
    });

  it('since 1.25 apply warns about repeated fields, unless validation is strict', async () => {
    await using api = await RegistryFixture.open({ release: '1.27' });
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v","k":"w"}}';
    const warned = await apply(api, `${cms}/a`, body);
    assert.equal(warned.status, 201, warned.text);
    assert.deepEqual(warned.headers['Warning'], ['299 - "duplicate field \\"data.k\\""']);
    const quiet = await apply(api, `${cms}/a`, body, { query: '&fieldValidation=Ignore' });
    assert.deepEqual([quiet.status, quiet.headers['Warning']], [200, undefined]);
    const strict = await apply(api, `${cms}/a`, body, { query: '&fieldValidation=Strict' });
    assert.equal(strict.status, 400);
  });
});

describe('unknown fields of patches', () => {
  const MERGE = 'application/merge-patch+json';
  const STRATEGIC = 'application/strategic-merge-patch+json';
  const write = (
    api: RegistryFixture,
    [method, contentType, body]: readonly [string, string, string],
    query: string,
  ): Promise<Answered> => api.send(method, `${cms}/a${query}`, { body, contentType });
  for (const [what, code, ...request] of [
    [
      'a PUT',
      400,
      'PUT',
      'application/json',
      '{"metadata":{"name":"a"},"strange":1,"data":{"k":"v","k":"w"}}',
    ],
    [
      'a PUT in YAML',
      400,
      'PUT',
      'application/yaml',
      'metadata: {name: a}\nstrange: 1\ndata:\n  k: v\n  k: w\n',
    ],
    ['a merge patch', 422, 'PATCH', MERGE, '{"strange":1,"data":{"k":"v","k":"w"}}'],
    ['a strategic merge patch', 422, 'PATCH', STRATEGIC, '{"strange":1,"data":{"k":"v","k":"w"}}'],
  ] as const) {
    it(`an unknown field in ${what} is reported, refused or ignored as fieldValidation requires`, async () => {
      await using api = await RegistryFixture.open({ release: '1.25' });
      await api.post(cms, map('a', {}));
      const strict = await write(api, request, '?fieldValidation=Strict');
      assert.deepEqual(
        [strict.status, strict.json.message.replace(/^.*(?=strict)/, '')],
        [code, 'strict decoding error: unknown field "strange", duplicate field "data.k"'],
      );
      const quiet = await write(api, request, '?fieldValidation=Ignore&dryRun=All');
      assert.deepEqual(
        [quiet.status, quiet.headers['Warning'], quiet.json.strange],
        [200, undefined, undefined],
      );
      const warned = await write(api, request, '');
      assert.deepEqual(
        [warned.status, warned.headers['Warning']],
        [200, ['299 - "unknown field \\"strange\\""', '299 - "duplicate field \\"data.k\\""']],
      );
      assert.equal((await write(api, request, '?fieldValidation=Loud')).status, 422);
    });
  }

  it('a JSON patch that adds an unknown field gets a warning, or is invalid', async () => {
    await using api = await RegistryFixture.open({ release: '1.25' });
    await api.post(cms, map('a', {}));
    const operations = [{ op: 'add', path: '/strange', value: 1 }];
    const { status, json } = await api.patch(`${cms}/a?fieldValidation=Strict`, operations, 'json');
    // `kubectl edit` opens the editor again after this reason.
    assert.deepEqual([status, json.reason, json.details.causes[0].field], [422, 'Invalid', 'patch']);
    const warned = await api.patch(`${cms}/a`, operations, 'json');
    assert.deepEqual(
      [warned.status, warned.headers['Warning']],
      [200, ['299 - "unknown field \\"strange\\""']],
    );
  });

  it('before 1.25 unknown fields are not reported', async () => {
    await using api = await RegistryFixture.open({ release: '1.24' });
    await api.post(cms, map('a', {}));
    const { status, headers } = await api.patch(`${cms}/a?fieldValidation=Strict`, { strange: 1 });
    assert.deepEqual([status, headers['Warning']], [200, undefined]);
  });
});
