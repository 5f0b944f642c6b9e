import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { type DefaultRbacObject, defaultRbacObjects } from './default-objects.ts';

const orch = namesFor('orch');
const old = {
  writeEndpoints: true,
  selfReviews: false,
  expiringJobs: false,
  storageMigrations: false,
  explanations: false,
};
const now = {
  writeEndpoints: false,
  selfReviews: true,
  expiringJobs: true,
  storageMigrations: true,
  explanations: true,
};

/** As a server of release 1.20 was observed to have them. */
const observed = readFileSync(new URL('observed-defaults.fixture.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

const keyOf = (kind: unknown, namespace: unknown, name: unknown): string =>
  `${kind} ${namespace ?? ''}/${name}`;

/** In the form of the observations: without the fields of every object, and without empty ones. */
function flattened({ namespace, name, content }: DefaultRbacObject): [string, object] {
  const { kind, metadata, apiVersion: _apiVersion, ...rest } = content;
  const shown = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return [
    keyOf(kind, namespace, name),
    { kind, name, ...(namespace === '' ? {} : { namespace }), ...metadata, ...shown },
  ];
}

const rulesOf = (objects: readonly DefaultRbacObject[], name: string): readonly ApiObject[] => {
  const found = objects.find((object) => object.name === name && object.resource === 'clusterroles');
  assert.ok(found, name);
  return found.content['rules'] as readonly ApiObject[];
};

describe('default roles and bindings', () => {
  it('the default roles and bindings match those of a server of release 1.20', () => {
    const ours = new Map(defaultRbacObjects(orch, old).map(flattened));
    for (const expected of observed) {
      const key = keyOf(expected['kind'], expected['namespace'], expected['name']);
      assert.deepEqual(ours.get(key), expected, key);
      ours.delete(key);
    }
    assert.deepEqual([...ours.keys()], []);
  });

  it('the roles for editing do not permit writing Endpoints, in releases since 1.22', () => {
    const changed = defaultRbacObjects(orch, now).flatMap(({ content }) =>
      Object.values(content.metadata.labels ?? {}).includes('true')
        ? ((content['rules'] as object[] | null) ?? [])
        : [],
    );
    const writing = changed.filter(
      (rule) =>
        isJsonObject(rule) &&
        String(rule['resources']).includes('endpoints') &&
        String(rule['verbs']).includes('update'),
    );
    assert.deepEqual(writing, []);
  });

  it('every user may review their own identity, in releases since 1.27', () => {
    assert.equal(rulesOf(defaultRbacObjects(orch, now), 'system:basic-user').length, 2);
  });

  it('a controller may delete jobs, in releases since 1.21 whose jobs have a time to live', () => {
    const name = 'system:controller:ttl-after-finished-controller';
    const [jobs] = rulesOf(defaultRbacObjects(orch, now), name);
    assert.deepEqual(jobs, {
      verbs: ['delete', 'get', 'list', 'watch'],
      apiGroups: ['batch'],
      resources: ['jobs'],
    });
    const binding = defaultRbacObjects(orch, now).find(
      (one) => one.name === name && one.resource === 'clusterrolebindings',
    );
    assert.deepEqual(binding?.content['subjects'], [
      { kind: 'ServiceAccount', name: 'ttl-after-finished-controller', namespace: 'orch-system' },
    ]);
  });

  it('the default roles have the names of their naming, and none of the other one', () => {
    const text = JSON.stringify(defaultRbacObjects(namesFor('kubernetes'), now));
    assert.doesNotMatch(text, /orch|nodeagent/);
    for (const word of [
      'system:kube-scheduler',
      'kube-system',
      'rbac.authorization.k8s.io',
      'kubernetes.io/bootstrapping',
    ]) {
      assert.ok(text.includes(word), word);
    }
  });
});
