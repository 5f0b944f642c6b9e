import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson, specOf } from '@orch/machinery/json';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { flowSchemas } from './index.ts';

const v1beta3 = writePath(undefined, '1.27');
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

describe('flow schemas', () => {
  const rule = {
    subjects: [{ kind: 'User', user: { name: 'u' } }],
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['m'] }],
  };
  const spec = { priorityLevelConfiguration: { name: 'p' }, matchingPrecedence: 5, rules: [rule] };
  const create = (set: Readonly<Record<string, unknown>>) => {
    const input: Record<string, unknown> = cloneJson({ metadata: { name: 'f' }, spec });
    for (const [at, value] of Object.entries(set)) setPath(input, at, value);
    return causes(v1beta3.create(flowSchemas, input).errors);
  };
  const at = 'spec.rules[0]';
  for (const [title, set, expected] of [
    ['are valid', {}, []],
    [
      'come after the one that is exempt',
      { 'spec.matchingPrecedence': 1 },
      ['FieldValueInvalid spec.matchingPrecedence'],
    ],
    [
      'tell flows apart in a known way',
      { 'spec.distinguisherMethod': {} },
      ['FieldValueNotSupported spec.distinguisherMethod.type'],
    ],
    [
      'name subjects by the field of their kind',
      { [`${at}.subjects[0]`]: { kind: 'Group', user: { name: 'u' } } },
      [`FieldValueRequired ${at}.subjects[0].group`, `FieldValueForbidden ${at}.subjects[0].user`],
    ],
    [
      'have no further errors in a field of another kind',
      {
        [`${at}.subjects[0]`]: {
          ...{ kind: 'User', user: { name: 'u' }, group: {} },
          serviceAccount: { namespace: 'A_', name: '' },
        },
      },
      [`FieldValueForbidden ${at}.subjects[0].group`, `FieldValueForbidden ${at}.subjects[0].serviceAccount`],
    ],
    [
      'have no further errors in a subject of an unknown kind',
      { [`${at}.subjects[0]`]: { kind: 'Role', serviceAccount: { namespace: 'A_', name: 'b c' } } },
      [`FieldValueNotSupported ${at}.subjects[0].kind`],
    ],
    [
      'name subjects at all',
      { [`${at}.subjects[0]`]: { kind: 'ServiceAccount', serviceAccount: {} } },
      [
        `FieldValueRequired ${at}.subjects[0].serviceAccount.namespace`,
        `FieldValueRequired ${at}.subjects[0].serviceAccount.name`,
      ],
    ],
    [
      'name service accounts as they are named',
      { [`${at}.subjects[0]`]: { kind: 'ServiceAccount', serviceAccount: { namespace: 'A', name: 'B' } } },
      [
        `FieldValueInvalid ${at}.subjects[0].serviceAccount.namespace`,
        `FieldValueInvalid ${at}.subjects[0].serviceAccount.name`,
      ],
    ],
    [
      'may name all service accounts of a namespace',
      { [`${at}.subjects[0]`]: { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } } },
      [],
    ],
    [
      'say all alone',
      { [`${at}.resourceRules[0].verbs`]: ['*', 'get'] },
      [`FieldValueInvalid ${at}.resourceRules[0].verbs`],
    ],
    [
      'speak of known verbs',
      { [`${at}.resourceRules[0].verbs`]: ['get', 'post'] },
      [`FieldValueNotSupported ${at}.resourceRules[0].verbs`],
    ],
    [
      'speak of known verbs on paths',
      { [`${at}.nonResourceRules`]: [{ verbs: ['head'], nonResourceURLs: ['/'] }] },
      [`FieldValueNotSupported ${at}.nonResourceRules[0].verbs`],
    ],
    [
      'speak of the cluster or of namespaces',
      { [`${at}.resourceRules[0].namespaces`]: [] },
      [`FieldValueRequired ${at}.resourceRules[0].namespaces`],
    ],
    [
      'may speak of the cluster only',
      { [`${at}.resourceRules[0].namespaces`]: [], [`${at}.resourceRules[0].clusterScope`]: true },
      [],
    ],
    [
      'name namespaces as they are named',
      { [`${at}.resourceRules[0].namespaces`]: ['A'] },
      [`FieldValueInvalid ${at}.resourceRules[0].namespaces[0]`],
    ],
    ...(['', 'a', '/a b', '/a//b', '/a*', '/*/a', '/a/**'] as const).map(
      (url) =>
        [
          `do not speak of the path ${JSON.stringify(url)}`,
          { [`${at}.nonResourceRules`]: [{ verbs: ['get'], nonResourceURLs: [url] }] },
          [`FieldValueInvalid ${at}.nonResourceRules[0].nonResourceURLs[0]`],
        ] as const,
    ),
    ...(['/', '/a', '/a/*', '/*', '*'] as const).map(
      (url) =>
        [
          `may speak of the path ${url}`,
          { [`${at}.nonResourceRules`]: [{ verbs: ['get'], nonResourceURLs: [url] }] },
          [],
        ] as const,
    ),
  ] as const) {
    it(title, () => assert.deepEqual(create(set), expected));
  }

  it('flow schemas keep their status, which only /status writes', () => {
    const { object } = v1beta3.create(flowSchemas, {
      metadata: { name: 'f' },
      spec,
      status: { conditions: [{}] },
    });
    assert.deepEqual(object['status'], {});
    const conditions = [{ type: 'Dangling', status: 'False', lastTransitionTime: null }];
    const next = { ...object, spec: { ...spec, matchingPrecedence: 7 }, status: { conditions } };
    const main = v1beta3.update(flowSchemas, object, next);
    assert.deepEqual([specOf(main.object)['matchingPrecedence'], main.object['status']], [7, {}]);
    const through = v1beta3.update(flowSchemas, object, next, 'status');
    assert.deepEqual(
      [specOf(through.object)['matchingPrecedence'], through.object['status']],
      [5, { conditions }],
    );
    const twice = { ...object, status: { conditions: [...conditions, ...conditions, {}] } };
    assert.deepEqual(causes(v1beta3.update(flowSchemas, object, twice, 'status').errors), [
      'FieldValueDuplicate status.conditions[1].type',
      'FieldValueRequired status.conditions[2].type',
    ]);
  });
});
