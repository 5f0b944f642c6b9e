import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import type { MutatingAdmissionPolicySpec } from '@orch/kinds/admissionregistration';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { objectsOfKinds } from '../testing/kind-objects.ts';
import { handlesWrite, mutated, testWrite } from '../testing/plugin-calls.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes, Reinvocation } from '../types.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy.ts';

const user = { name: 'alice', uid: '', groups: [], extra: {} };
const pods = { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const pod: ApiObject = {
  metadata: { name: 'p', namespace: 'shop', labels: { a: '1' } },
  spec: { replicas: 3 },
};

type PolicySpec = Partial<MutatingAdmissionPolicySpec>;

const apply = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const label = (key: string, value: string) =>
  apply(`Object{metadata: Object.metadata{labels: {'${key}': ${value}}}}`);

/** The plugin over a cluster with some policies, each bound. */
function pluginOf(policies: readonly PolicySpec[], binding: object = {}) {
  const source = new MemoryObjectSource();
  source.put('namespaces', { metadata: { name: 'shop' } });
  source.put('configmaps', { metadata: { name: 'm', namespace: 'shop' }, data: { zone: 'z1' } });
  policies.forEach((spec, i) => {
    const metadata = { name: `p${i}`, uid: `p${i}`, generation: 1 };
    source.put('mutatingadmissionpolicies.admissionregistration', {
      metadata,
      spec: {
        matchConstraints: { resourceRules: [pods] },
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        ...spec,
      },
    });
    source.put('mutatingadmissionpolicybindings.admissionregistration', {
      metadata,
      spec: { policyName: `p${i}`, ...binding },
    });
  });
  return mutatingAdmissionPolicy({
    ...testEnv(),
    source,
    names: namesFor('orch'),
    authorizer: { authorize: () => ({ verdict: 'noOpinion', reason: '' }) },
    resourcesOf: () => [],
    objectsOf: objectsOfKinds(source, { 'v1 ConfigMap': { resource: 'configmaps', namespaced: true } }),
  });
}

interface Setting {
  readonly binding?: object;
  readonly write?: Partial<AdmissionAttributes>;
  readonly reinvocation?: Reinvocation;
}

/** The labels and the specification after the policies, or the refusal. */
async function resultOf(
  policies: readonly PolicySpec[],
  { binding, write, reinvocation }: Setting = {},
): Promise<unknown> {
  try {
    const attributes = testWrite({ user, object: pod, ...write });
    const { object } = await mutated(pluginOf(policies, binding), attributes, reinvocation);
    return { ...object?.metadata.labels, ...(object?.['spec'] as object) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status.code} ${error.message}`;
  }
}

const refused = (message: string): string => `403 policy 'p0' with binding 'p0' denied request: ${message}`;

const decisions: readonly (readonly [
  what: string,
  policies: readonly PolicySpec[],
  result: unknown,
  setting?: Setting,
])[] = [
  ['an apply configuration is merged', [{ mutations: [label('b', "'2'")] }], { a: '1', b: '2', replicas: 3 }],
  [
    'a JSON patch is applied',
    [
      {
        mutations: [
          patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 1}]"),
        ],
      },
    ],
    { a: '1', replicas: 4 },
  ],
  ...["'/spec/replicas'", "'/spec/none'"].map(
    (path) =>
      [
        `a JSON patch whose test of ${path} does not hold leaves the object unchanged, and later mutations are applied`,
        [
          {
            mutations: [
              patch(
                `[JSONPatch{op: 'add', path: '/spec/x', value: 1}, JSONPatch{op: 'test', path: ${path}, value: 9}]`,
              ),
              label('b', "'2'"),
            ],
          },
        ],
        { a: '1', b: '2', replicas: 3 },
      ] as const,
  ),
  [
    'mutations see what the ones before them have changed',
    [{ mutations: [label('b', "'2'"), label('c', "object.metadata.labels['b'] + '!'")] }],
    { a: '1', b: '2', c: '2!', replicas: 3 },
  ],
  [
    'policies see what the ones before them have changed, in order of their names',
    [{ mutations: [label('b', "'2'")] }, { mutations: [label('c', "object.metadata.labels['b']")] }],
    { a: '1', b: '2', c: '2', replicas: 3 },
  ],
  [
    'variables and the request are known',
    [
      {
        variables: [{ name: 'who', expression: 'request.userInfo.username' }],
        mutations: [label('by', 'variables.who')],
      },
    ],
    { a: '1', by: 'alice', replicas: 3 },
  ],
  [
    'parameters are known',
    [{ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [label('zone', 'params.data.zone')] }],
    { a: '1', zone: 'z1', replicas: 3 },
    { binding: { paramRef: { name: 'm', parameterNotFoundAction: 'Deny' } } },
  ],
  [
    'a parameter that does not exist refuses with Deny',
    [{ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [label('zone', 'params.data.zone')] }],
    refused(
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    ),
    { binding: { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } } },
  ],
  [
    'match conditions that do not hold exclude',
    [
      {
        matchConditions: [{ name: 'a', expression: 'object.spec.replicas > 3' }],
        mutations: [label('b', "'2'")],
      },
    ],
    { a: '1', replicas: 3 },
  ],
  [
    'an expression with an error refuses',
    [{ mutations: [label('b', 'object.none')] }],
    refused(
      "expression 'Object{metadata: Object.metadata{labels: {'b': object.none}}}' resulted in error: no such key: none",
    ),
  ],
  [
    'an expression with an error changes nothing with the failure policy Ignore',
    [{ failurePolicy: 'Ignore', mutations: [label('b', 'object.none')] }],
    { a: '1', replicas: 3 },
  ],
  [
    'a JSON patch of a field that does not exist refuses',
    [{ mutations: [patch("[JSONPatch{op: 'remove', path: '/spec/none'}]")] }],
    'JSON Patch',
  ],
  ...(["name: 'q'", "namespace: 'q'", "uid: 'q'", "resourceVersion: '1'"] as const).map(
    (field) =>
      [
        `a policy cannot set the ${field} of an object`,
        [{ mutations: [apply(`Object{metadata: Object.metadata{${field}}}`)] }],
        refused(`must not change metadata.${field.split(':')[0]}`),
      ] as const,
  ),
  [
    'a policy cannot change the kind of an object',
    [{ mutations: [patch("[JSONPatch{op: 'replace', path: '/kind', value: 'Other'}]")] }],
    refused('must not change kind'),
  ],
  [
    'a policy cannot remove the metadata of an object',
    [{ mutations: [patch("[JSONPatch{op: 'remove', path: '/metadata'}]")] }],
    refused('must not remove metadata'),
  ],
  [
    'a policy that changes nothing leaves the object as it is',
    [{ mutations: [label('a', "'1'")] }],
    { a: '1', replicas: 3 },
  ],
  [
    'a policy is not applied to the second call of plugins',
    [{ mutations: [label('b', "'2'")] }],
    { a: '1', replicas: 3 },
    { reinvocation: { isSecond: true, request: () => {} } },
  ],
  [
    'a policy that may be reinvoked is applied to the second call of plugins',
    [{ reinvocationPolicy: 'IfNeeded', mutations: [label('b', "'2'")] }],
    { a: '1', b: '2', replicas: 3 },
    { reinvocation: { isSecond: true, request: () => {} } },
  ],
  ...(
    [
      [
        'the error of an expression',
        label('b', 'string(int(object.spec.pin))'),
        `expression 'Object{metadata: Object.metadata{labels: {'b': string(int(object.spec.pin))}}}' resulted in error`,
      ],
      [
        'a patch that cannot be applied',
        patch("[JSONPatch{op: 'remove', path: '/spec/' + object.spec.pin}]"),
        'JSON Patch: it cannot be applied',
      ],
      [
        'a change of the identity',
        patch("[JSONPatch{op: 'replace', path: '/metadata/name', value: object.spec.pin}]"),
        'must not change metadata.name',
      ],
    ] as const
  ).map(
    ([what, mutation, message]) =>
      [
        `the values of an object that holds credentials are withheld with ${what}`,
        [{ mutations: [mutation] }],
        refused(message),
        {
          write: {
            object: { ...pod, spec: { pin: 'canary' } },
            requested: testResource({ path: 'v1/pods', holdsCredentials: true }),
          },
        },
      ] as const,
  ),
  [
    'a policy receives objects in the version that it matches',
    [
      {
        matchConstraints: { resourceRules: [{ ...pods, apiVersions: ['v1beta1'] }] },
        mutations: [label('version', 'object.apiVersion')],
      },
    ],
    { a: '1', version: 'v1beta1', replicas: 3 },
    { write: { requested: testResource({ path: 'v1/pods', equivalents: ['v1beta1'] }) } },
  ],
];

describe('the plugin MutatingAdmissionPolicy', () => {
  for (const [what, policies, result, setting] of decisions)
    it(what, async () => {
      const found = await resultOf(policies, setting);
      if (result === 'JSON Patch') assert.match(String(found), /denied request: JSON Patch: /);
      else assert.deepEqual(found, result);
    });

  it('a changed object is passed to all plugins again, and an unchanged one is not', async () => {
    for (const [value, requests] of [
      ['1', 0],
      ['2', 1],
    ] as const) {
      let found = 0;
      const reinvocation = {
        isSecond: false,
        request: () => {
          found += 1;
        },
      };
      await resultOf([{ mutations: [label('a', `'${value}'`)] }], { reinvocation });
      assert.equal(found, requests);
    }
  });

  it('a deletion has no object that could be changed', async () => {
    const plugin = pluginOf([
      {
        matchConstraints: { resourceRules: [{ ...pods, operations: ['*'] }] },
        mutations: [label('b', "'2'")],
      },
    ]);
    const write = testWrite({ user, oldObject: pod });
    assert.equal(handlesWrite(plugin, write), true);
    assert.equal((await mutated(plugin, write)).refusal, undefined);
    assert.deepEqual(pod.metadata.labels, { a: '1' });
  });
});
