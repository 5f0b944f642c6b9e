import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binding, configMap, deployment, pod, scale } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';
const STRATEGIC = 'application/strategic-merge-patch+json';

const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };

interface DryRunCase {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly code: number;
  /** Where the answer contains the object that would be stored. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  readonly shows?: (json: any) => unknown;
}

const requests: readonly DryRunCase[] = [
  {
    what: 'create',
    method: 'POST',
    path: `${ns}/configmaps`,
    body: configMap('new'),
    code: 201,
    shows: (o) => o.metadata.uid,
  },
  {
    what: 'create with a generated name',
    method: 'POST',
    path: `${ns}/configmaps`,
    body: { metadata: { generateName: 'x-' } },
    code: 201,
    shows: (o) => o.metadata.name.startsWith('x-'),
  },
  {
    what: 'create of a service',
    method: 'POST',
    path: `${ns}/services`,
    body: service,
    code: 201,
    shows: (o) => o.spec.ports[0].targetPort === 80,
  },
  {
    what: 'update',
    method: 'PUT',
    path: `${ns}/configmaps/m`,
    body: configMap('m', { k: 'w' }),
    code: 200,
    shows: (o) => o.data.k === 'w',
  },
  {
    what: 'update that creates',
    method: 'PUT',
    path: '/apis/coordination.orch.io/v1/namespaces/default/leases/l',
    body: { metadata: { name: 'l' }, spec: {} },
    code: 201,
  },
  {
    what: 'merge patch',
    method: 'PATCH',
    path: `${ns}/configmaps/m`,
    body: { data: { k: 'w' } },
    contentType: 'application/merge-patch+json',
    code: 200,
    shows: (o) => o.data.k === 'w',
  },
  {
    what: 'JSON patch',
    method: 'PATCH',
    path: `${ns}/configmaps/m`,
    body: [{ op: 'add', path: '/data/l', value: 'w' }],
    contentType: 'application/json-patch+json',
    code: 200,
    shows: (o) => o.data.l === 'w',
  },
  {
    what: 'strategic merge patch',
    method: 'PATCH',
    path: `${ns}/configmaps/m`,
    body: { data: { k: 'w' } },
    contentType: STRATEGIC,
    code: 200,
  },
  {
    what: 'apply',
    method: 'PATCH',
    path: `${ns}/configmaps/m`,
    body: configMap('m', { n: 'x' }),
    contentType: APPLY,
    code: 200,
    shows: (o) => o.data.n === 'x',
  },
  {
    what: 'apply that creates',
    method: 'PATCH',
    path: `${ns}/configmaps/n`,
    body: configMap('n', { n: 'x' }),
    contentType: APPLY,
    code: 201,
    shows: (o) => o.metadata.uid,
  },
  {
    what: 'status',
    method: 'PATCH',
    path: `${deployments}/d/status`,
    body: { status: { observedGeneration: 1 } },
    contentType: STRATEGIC,
    code: 200,
    shows: (o) => o.status.observedGeneration === 1,
  },
  {
    what: 'apply of a status',
    method: 'PATCH',
    path: `${deployments}/d/status`,
    body: { ...deployment('d'), status: { observedGeneration: 1 } },
    contentType: APPLY,
    code: 200,
  },
  {
    what: 'scale',
    method: 'PUT',
    path: `${deployments}/d/scale`,
    body: scale('d', 7),
    code: 200,
    shows: (o) => o.spec.replicas === 7,
  },
  {
    what: 'apply of a scale',
    method: 'PATCH',
    path: `${deployments}/d/scale`,
    body: scale('d', 7),
    contentType: APPLY,
    code: 409,
  },
  { what: 'binding', method: 'POST', path: `${ns}/pods/p/binding`, body: binding('p', 'n'), code: 201 },
  { what: 'older binding', method: 'POST', path: `${ns}/bindings`, body: binding('p', 'n'), code: 201 },
  {
    what: 'eviction',
    method: 'POST',
    path: `${ns}/pods/p/eviction`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
    code: 201,
  },
  { what: 'delete', method: 'DELETE', path: `${ns}/configmaps/m`, code: 200 },
  {
    what: 'delete asked for in the body',
    method: 'DELETE',
    path: `${ns}/configmaps/m`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] },
    code: 200,
  },
  {
    what: 'graceful delete',
    method: 'DELETE',
    path: `${ns}/pods/assigned`,
    code: 200,
    shows: (o) => o.metadata.deletionTimestamp,
  },
  {
    what: 'delete that orphans',
    method: 'DELETE',
    path: `${deployments}/d`,
    body: { propagationPolicy: 'Orphan' },
    code: 200,
    shows: (o) => o.metadata.finalizers[0] === 'orphan',
  },
  { what: 'deletecollection', method: 'DELETE', path: `${ns}/configmaps`, code: 200 },
  {
    what: 'finalize',
    method: 'PUT',
    path: '/api/v1/namespaces/default/finalize',
    body: { metadata: { name: 'default' }, spec: { finalizers: ['example.com/x'] } },
    code: 200,
  },
];

/** The query; without `dryRun` where the body of the delete sets it. */
const queryOf = ({ path, what, contentType }: DryRunCase): string => {
  const query = what === 'delete asked for in the body' ? '' : 'dryRun=All&';
  return `${path}?${query}${contentType === APPLY ? 'fieldManager=tool&force=false' : 'fieldManager=me'}`;
};

describe('a dry run goes through every stage but the store', () => {
  for (const request of requests) {
    const { what, method, body, contentType, code, shows } = request;
    it(`a dry run of ${what} gets ${code} and writes nothing`, async () => {
      await using api = await RegistryFixture.open();
      const made = [
        await api.post(`${ns}/configmaps?fieldManager=me`, configMap('m', { k: 'v' })),
        await api.post(`${deployments}?fieldManager=me`, deployment('d')),
        await api.post(`${ns}/pods?fieldManager=me`, pod('p')),
        await api.post(`${ns}/pods?fieldManager=me`, pod('assigned', { nodeName: 'n' })),
      ];
      for (const { status, text } of made) assert.equal(status, 201, text);
      await api.settled();
      const { signal } = new AbortController();
      const before = await api.model.currentRevision(signal);
      const answer = await api.send(method, queryOf(request), {
        ...(body === undefined ? {} : { body }),
        ...(contentType === undefined ? {} : { contentType }),
      });
      assert.equal(answer.status, code, answer.text);
      if (shows !== undefined) assert.ok(shows(answer.json), answer.text);
      assert.equal(await api.model.currentRevision(signal), before);
    });
  }

  it('a dry run is refused for the same reasons as the request', async () => {
    await using api = await RegistryFixture.open();
    for (const [method, path, body, code] of [
      ['POST', `${ns}/configmaps?dryRun=All`, { metadata: { name: 'NO' } }, 422],
      ['PUT', `${ns}/configmaps/absent?dryRun=All`, configMap('absent'), 404],
      ['DELETE', `${ns}/configmaps/absent?dryRun=All`, undefined, 404],
      ['POST', `${ns}/configmaps?dryRun=Some`, configMap('a'), 422],
      ['POST', `${ns}/configmaps?dryRun=`, configMap('b'), 201],
    ] as const) {
      const answer = await api.send(method, path, body === undefined ? {} : { body });
      assert.equal(answer.status, code, `${method} ${path} ${answer.text}`);
    }
  });
});
