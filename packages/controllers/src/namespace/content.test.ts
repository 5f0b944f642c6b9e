import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { deleteContent } from './content.ts';
import { type ContentReport, isEmpty } from './content-report.ts';
import { type DiscoveredApi, discoveredApi, type ServedResource, served } from './testing/discovered-api.ts';

const pods = served('pods', 'Pod');
const configMaps = served('configmaps', 'ConfigMap');
const secrets = served('secrets', 'Secret');
const widgets = served('widgets', 'Widget', { group: 'example.com' });
const nodes = served('nodes', 'Node', { namespaced: false });
const { signal } = new AbortController();

async function fixture(
  resources: readonly ServedResource[],
  objects: readonly (readonly [ServedResource, string, Partial<ApiObject['metadata']>?])[],
): Promise<DiscoveredApi> {
  const made = discoveredApi(resources);
  for (const [resource, at, metadata] of objects) {
    const [namespace = '', name = ''] = at.split('/');
    const place = { collection: `${resource.group}/${resource.resource}`, namespace, name };
    made.api.objects.create(place, { metadata: { name, namespace, ...metadata } }, '2024-01-01T00:00:00Z');
  }
  return made;
}

const left = ({ api, resources }: DiscoveredApi): readonly string[] =>
  [...resources].flatMap(({ group, resource }) =>
    api.objects
      .list(`${group}/${resource}`)
      .map(({ place }) => `${resource} ${place.namespace}/${place.name}`),
  );

const clear = ({ client }: DiscoveredApi): Promise<ContentReport> => deleteContent(client, 'x', signal);

describe('deletion of the content of a namespace', () => {
  it('all objects of the namespace are deleted, and no others', async () => {
    const made = await fixture(
      [pods, configMaps, widgets, nodes],
      [
        [pods, 'x/p'],
        [configMaps, 'x/a'],
        [configMaps, 'x/b'],
        [configMaps, 'y/a'],
        [widgets, 'x/w'],
        [nodes, '/x'],
      ],
    );
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(left(made), ['configmaps y/a', 'nodes /x']);
  });

  it('the report has the numbers of remaining objects and of their finalizers', async () => {
    const finalizers = ['example.com/a'];
    const made = await fixture(
      [configMaps, widgets],
      [
        [configMaps, 'x/a', { finalizers }],
        [configMaps, 'x/b'],
        [widgets, 'x/w', { finalizers: [...finalizers, 'example.com/b'] }],
      ],
    );
    const report = await clear(made);
    assert.deepEqual([...report.remaining].sort(), [
      ['configmaps', 1],
      ['widgets.example.com', 1],
    ]);
    assert.deepEqual([...report.finalizers].sort(), [
      ['example.com/a', 2],
      ['example.com/b', 1],
    ]);
    assert.equal(isEmpty(report), false);
  });

  it('other objects are deleted only when no pods remain', async () => {
    const finalizers = ['example.com/a'];
    const made = await fixture(
      [configMaps, pods],
      [
        [configMaps, 'x/a'],
        [pods, 'x/p', { finalizers, deletionGracePeriodSeconds: 30 }],
      ],
    );
    const report = await clear(made);
    assert.deepEqual([...report.remaining], [['pods', 1]]);
    assert.equal(report.graceSeconds, 30);
    assert.deepEqual(left(made), ['configmaps x/a', 'pods x/p']);
  });

  it('a partly failed discovery deletes the discovered objects, and the report is not empty', async () => {
    const made = await fixture([configMaps, widgets], [[configMaps, 'x/a']]);
    made.failures.set('/apis/example.com/v1', 500);
    const report = await clear(made);
    assert.deepEqual([...report.undiscovered.keys()], ['example.com/v1']);
    assert.deepEqual(left(made), []);
    assert.equal(isEmpty(report), false);
  });

  it('the report is not empty when nothing can be discovered', async () => {
    const made = await fixture([configMaps], [[configMaps, 'x/a']]);
    for (const path of ['/api', '/apis']) made.failures.set(path, 500);
    const report = await clear(made);
    assert.equal(isEmpty(report), false);
    assert.equal(report.undiscovered.size, 1);
  });

  it('the report is not empty while a definition or an API service cannot be read', async () => {
    for (const [group, resource] of [
      ['apiextensions.k8s.io', 'customresourcedefinitions'],
      ['apiregistration.k8s.io', 'apiservices'],
    ] as const) {
      const kinds = served(resource, 'Kind', { group, namespaced: false });
      const made = await fixture([configMaps, kinds], [[configMaps, 'x/a']]);
      const path = `/apis/${group}/v1/${resource}`;
      made.failures.set(path, 500);
      const report = await clear(made);
      assert.deepEqual([...report.undiscovered], [[`${resource}.${group}`, `injected failure of ${path}`]]);
      assert.equal(isEmpty(report), false);
      assert.deepEqual(left(made), []);
      // A client that may not list them knows only discovery.
      made.failures.set(path, 403);
      assert.ok(isEmpty(await clear(made)));
      made.failures.delete(path);
      assert.ok(isEmpty(await clear(made)));
    }
  });

  it('the failure of one resource is reported, and the objects of others are deleted', async () => {
    const made = await fixture(
      [configMaps, secrets],
      [
        [configMaps, 'x/a'],
        [secrets, 'x/s'],
      ],
    );
    made.failures.set('GET /api/v1/namespaces/x/secrets', 403);
    const report = await clear(made);
    assert.deepEqual([...report.failures], [['secrets', 'injected failure of /api/v1/namespaces/x/secrets']]);
    assert.deepEqual(left(made), ['secrets x/s']);
    assert.equal(isEmpty(report), false);
  });

  it('a resource that is removed after discovery has no remaining objects', async () => {
    const made = await fixture([configMaps, widgets], [[widgets, 'x/w']]);
    made.onRequest = ({ target }) => {
      if (target.includes('/namespaces/x/')) made.resources.delete(widgets);
    };
    assert.ok(isEmpty(await clear(made)));
  });

  it('objects of a resource without deletecollection are deleted one by one, each with its listed uid', async () => {
    const verbs = ['delete', 'get', 'list'];
    const single = served('secrets', 'Secret', { verbs });
    const made = await fixture(
      [single],
      [
        [single, 'x/a'],
        [single, 'x/b'],
      ],
    );
    let isMadeAnew = false;
    made.onRequest = ({ method, target }) => {
      if (method !== 'DELETE' || isMadeAnew) return;
      isMadeAnew = true;
      const [path = ''] = target.split('?', 1);
      const place = { collection: '/secrets', namespace: 'x', name: path.slice(path.lastIndexOf('/') + 1) };
      made.api.objects.delete(place, {}, '2024-01-01T00:00:00Z');
      made.api.objects.create(place, { metadata: {} }, '2024-01-01T00:00:00Z');
    };
    const report = await clear(made);
    assert.deepEqual([...report.remaining], [['secrets', 1]]);
    assert.ok(isEmpty(await clear(made)));
  });

  it('objects beyond one page are deleted in further pages', async () => {
    const many = Array.from({ length: 1203 }, (_, i) => [configMaps, `x/c${i}`] as const);
    const made = await fixture([configMaps], many);
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(left(made), []);
  });

  it('nothing is requested of resources that the server knows to be empty', async () => {
    const kinds = served('customresourcedefinitions', 'Kind', {
      group: 'apiextensions.k8s.io',
      namespaced: false,
    });
    const made = await fixture([configMaps, secrets, widgets, kinds], [[configMaps, 'x/a']]);
    made.known = { empty: { v1: ['secrets'], 'example.com/v2': ['widgets'] }, isComplete: true };
    const paths = new Set<string>();
    made.onRequest = ({ target }) => paths.add(target.split('?', 1)[0] ?? '');
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(left(made), []);
    assert.deepEqual(
      [...paths].filter((path) => /(configmaps|secrets|widgets|definitions)$/.test(path)).sort(),
      ['/api/v1/namespaces/x/configmaps', '/apis/example.com/v1/namespaces/x/widgets'],
    );
  });

  it('nothing else is requested when the server knows that the namespace has no objects', async () => {
    const made = await fixture([configMaps], []);
    made.known = { isEmpty: true, empty: {}, isComplete: true };
    const targets: string[] = [];
    made.onRequest = ({ target }) => targets.push(target);
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(targets, ['/empty-resources?namespace=x']);
  });

  it('all resources are listed when the server does not say which are empty', async () => {
    for (const known of [
      undefined,
      [],
      { empty: 'all', isComplete: 'yes', isEmpty: 'yes' },
      { empty: { v1: 7 } },
    ]) {
      const made = await fixture([configMaps, secrets], [[secrets, 'x/s']]);
      made.known = known;
      assert.ok(isEmpty(await clear(made)));
      assert.deepEqual(left(made), [], JSON.stringify(known));
    }
    const made = await fixture([secrets], [[secrets, 'x/s']]);
    made.failures.set('/empty-resources', 500);
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(left(made), []);
  });

  it('the server is asked again after the deletion of pods', async () => {
    const made = await fixture([pods, configMaps], [[pods, 'x/p']]);
    made.known = { empty: { v1: ['configmaps'] }, isComplete: true };
    let isLate = false;
    made.onRequest = ({ method, target }) => {
      if (method !== 'DELETE' || !target.includes('/pods') || isLate) return;
      isLate = true;
      made.known = { empty: { v1: ['pods'] }, isComplete: true };
      const place = { collection: '/configmaps', namespace: 'x', name: 'late' };
      made.api.objects.create(place, { metadata: {} }, '2024-01-01T00:00:00Z');
    };
    assert.ok(isEmpty(await clear(made)));
    assert.deepEqual(left(made), []);
  });
});
