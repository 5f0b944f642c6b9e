import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectSource } from '@orch/auth';
import type { HubObject } from '@orch/kinds/hub-object';
import { ApiError, type ApiObject } from '@orch/machinery';
import type { Labels } from '@orch/machinery/selectors';
import { testWrite } from '../testing/plugin-calls.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes } from '../types.ts';
import { type MatchDefinition, RequestMatcher } from './request-matcher.ts';

const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
const selects = (key: string, value: string) => ({ matchLabels: { [key]: value } });
const lacks = (key: string) => ({ matchExpressions: [{ key, operator: 'DoesNotExist' }] });

/** Namespaces of the cache; `late` exists only when the cache is fresh. */
function namespaces(): Pick<ObjectSource, 'get' | 'fresh'> {
  let isFresh = false;
  const labelled: Readonly<Record<string, Labels>> = {
    prod: { env: 'prod' },
    test: { env: 'test' },
    plain: {},
  };
  return {
    fresh: async () => {
      isFresh = true;
    },
    get<R extends string>(resource: R, _namespace: string, name: string) {
      const labels = name === 'late' && isFresh ? { env: 'prod' } : labelled[name];
      if (resource !== 'namespaces' || labels === undefined) return undefined;
      return { metadata: { name, labels } } as HubObject<R>;
    },
  };
}

const object = (namespace: string, labels?: Record<string, string>): ApiObject => ({
  metadata: { name: 'o', namespace, ...(labels === undefined ? {} : { labels }) },
});
const inNamespace = (namespace: string): Partial<AdmissionAttributes> => ({ object: object(namespace) });
const cluster = testResource({ path: 'v1/nodes', namespaced: false });
const namespaceOf = (name: string, labels: Record<string, string>): ApiObject => ({
  metadata: { name, labels },
});
const ofNamespace = {
  resource: 'namespaces',
  requested: testResource({ path: 'v1/namespaces', namespaced: false }),
  namespace: '',
};

const table: readonly (readonly [
  what: string,
  definition: Partial<MatchDefinition>,
  write: Partial<AdmissionAttributes>,
  matches: boolean,
])[] = [
  ['selectors without requirements select everything', {}, inNamespace('prod'), true],
  [
    'a namespace with the labels is selected',
    { namespaceSelector: selects('env', 'prod') },
    inNamespace('prod'),
    true,
  ],
  [
    'a namespace with others is not',
    { namespaceSelector: selects('env', 'prod') },
    inNamespace('test'),
    false,
  ],
  [
    'a namespace that the cache does not have yet is read fresh',
    { namespaceSelector: selects('env', 'prod') },
    inNamespace('late'),
    true,
  ],
  [
    'objects of the cluster are selected whatever the namespace selector',
    { namespaceSelector: selects('env', 'prod') },
    { resource: 'nodes', requested: cluster, object: object(''), namespace: '' },
    true,
  ],
  [
    'a new namespace is selected by its own labels',
    { namespaceSelector: selects('env', 'prod') },
    { ...ofNamespace, object: namespaceOf('new', { env: 'prod' }) },
    true,
  ],
  [
    'an updated namespace is selected by its new labels',
    { namespaceSelector: selects('env', 'prod') },
    {
      ...ofNamespace,
      object: namespaceOf('prod', { env: 'test' }),
      oldObject: namespaceOf('prod', { env: 'prod' }),
    },
    false,
  ],
  [
    'a deleted namespace is selected by its stored labels',
    { namespaceSelector: selects('env', 'prod') },
    { ...ofNamespace, oldObject: namespaceOf('prod', { env: 'prod' }) },
    true,
  ],
  [
    'the new object is selected',
    { objectSelector: selects('a', '1') },
    { object: object('prod', { a: '1' }) },
    true,
  ],
  [
    'the old object is selected when its labels are removed',
    { objectSelector: selects('a', '1') },
    { object: object('prod'), oldObject: object('prod', { a: '1' }) },
    true,
  ],
  [
    'a deleted object is selected by its labels',
    { objectSelector: selects('a', '1') },
    { oldObject: object('prod', { a: '1' }) },
    true,
  ],
  [
    'neither object is selected',
    { objectSelector: selects('a', '1') },
    { object: object('prod', { a: '2' }), oldObject: object('prod') },
    false,
  ],
  [
    'an object without labels is selected by what it lacks',
    { objectSelector: lacks('a') },
    inNamespace('prod'),
    true,
  ],
  [
    'options of connections have no labels and are not selected',
    { objectSelector: lacks('a') },
    {
      operation: 'CONNECT',
      subresource: 'exec',
      object: { metadata: {} },
      namespace: 'prod',
      requested: testResource({ path: 'v1/pods/exec', hasMetadata: false }),
    },
    false,
  ],
  [
    'an excluded resource does not match',
    { excludeRules: [{ ...everything, resources: ['pods'] }] },
    inNamespace('prod'),
    false,
  ],
  [
    'an object that is not excluded by its name matches',
    { excludeRules: [{ ...everything, resources: ['pods'], resourceNames: ['other'] }] },
    inNamespace('prod'),
    true,
  ],
  ['without a list of rules every resource matches', { rules: undefined }, inNamespace('prod'), true],
];

describe('requests that webhooks and policies receive', () => {
  for (const [what, definition, write, matches] of table)
    it(what, async () => {
      const matcher = new RequestMatcher({ rules: [everything], matchPolicy: 'Equivalent', ...definition });
      const found = await matcher.match(namespaces(), testWrite(write));
      assert.equal(found !== undefined, matches);
    });

  it('a write in a namespace that does not exist is not found when its labels decide', async () => {
    const matcher = new RequestMatcher({
      rules: [everything],
      matchPolicy: 'Exact',
      namespaceSelector: selects('env', 'prod'),
    });
    await assert.rejects(
      async () => matcher.match(namespaces(), testWrite(inNamespace('none'))),
      (error) => error instanceof ApiError && error.status.code === 404,
    );
  });

  for (const resource of [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ])
    it(`writes of ${resource} are never sent`, () => {
      const matcher = new RequestMatcher({ rules: [everything], matchPolicy: 'Equivalent' });
      const requested = testResource({ path: `admissionregistration/v1/${resource}`, namespaced: false });
      const write = testWrite({ group: 'admissionregistration', resource, requested, object: object('') });
      assert.equal(matcher.handles(write), false);
      assert.equal(matcher.match(namespaces(), write), undefined);
    });
});
