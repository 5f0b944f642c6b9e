import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestResource, testResource } from '../testing/versioned-resources.ts';
import type { Operation } from '../types.ts';
import { type MatchPolicy, type ResourceRule, ResourceRules } from './resource-rules.ts';

/** A rule that selects creations of deployments, except for what is given. */
const rule = (differs: Partial<ResourceRule> = {}): ResourceRule => ({
  operations: ['CREATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  scope: '*',
  ...differs,
});

const deployments: TestResource = { path: 'apps/v1/deployments', equivalents: ['extensions/v1beta1'] };
const older: TestResource = { path: 'extensions/v1beta1/deployments', equivalents: ['apps/v1'] };
const pods = (subresource = ''): TestResource => ({
  path: subresource === '' ? 'v1/pods' : `v1/pods/${subresource}`,
});
const any: Partial<ResourceRule> = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'] };

interface Row {
  readonly what: string;
  readonly rules: readonly Partial<ResourceRule>[];
  readonly request: TestResource;
  readonly operation?: Operation;
  readonly name?: string;
  readonly policy?: MatchPolicy;
  /** The matching version; undefined for none. */
  readonly matches: string | undefined;
}

const table: readonly Row[] = [
  { what: 'without rules nothing matches', rules: [], request: deployments, matches: undefined },
  {
    what: 'operation, group, version and resource match',
    rules: [{}],
    request: deployments,
    matches: 'apps/v1',
  },
  {
    what: 'another operation does not match',
    rules: [{}],
    request: deployments,
    operation: 'UPDATE',
    matches: undefined,
  },
  {
    what: 'all operations match',
    rules: [{ operations: ['*'] }],
    request: deployments,
    operation: 'CONNECT',
    matches: 'apps/v1',
  },
  {
    what: 'another group does not match with Exact',
    rules: [{}],
    request: older,
    policy: 'Exact',
    matches: undefined,
  },
  {
    what: 'another version of the group matches its resource only where it is served',
    rules: [{ apiVersions: ['v2'] }],
    request: deployments,
    matches: undefined,
  },
  {
    what: 'with Equivalent a request in another group is converted to the version of the rule',
    rules: [{}],
    request: older,
    matches: 'apps/v1',
  },
  {
    what: 'a request in its own version is not converted, even if an earlier rule selects another version',
    rules: [{}, { apiGroups: ['extensions'], apiVersions: ['v1beta1'] }],
    request: older,
    matches: 'extensions/v1beta1',
  },
  {
    what: 'equivalents follow the order of rules',
    rules: [{ apiVersions: ['v1beta2'] }, { apiVersions: ['v1'] }],
    request: {
      path: 'extensions/v1beta1/deployments',
      equivalents: ['apps/v1', 'apps/v1beta2'],
    },
    matches: 'apps/v1beta2',
  },
  {
    what: 'the core group is the empty string',
    rules: [{ apiGroups: [''], resources: ['pods'] }],
    request: pods(),
    matches: 'v1',
  },
  { what: '* selects all resources', rules: [{ ...any, resources: ['*'] }], request: pods(), matches: 'v1' },
  {
    what: '* selects no subresource',
    rules: [{ ...any, resources: ['*'] }],
    request: pods('status'),
    matches: undefined,
  },
  {
    what: '*/* selects resources',
    rules: [{ ...any, resources: ['*/*'] }],
    request: pods(),
    matches: 'v1',
  },
  {
    what: '*/* selects subresources',
    rules: [{ ...any, resources: ['*/*'] }],
    request: pods('exec'),
    matches: 'v1',
  },
  {
    what: 'pods selects no subresource of pods',
    rules: [{ ...any, resources: ['pods'] }],
    request: pods('status'),
    matches: undefined,
  },
  {
    what: 'pods/* selects every subresource of pods',
    rules: [{ ...any, resources: ['pods/*'] }],
    request: pods('exec'),
    matches: 'v1',
  },
  {
    what: 'pods/* selects pods too',
    rules: [{ ...any, resources: ['pods/*'] }],
    request: pods(),
    matches: 'v1',
  },
  {
    what: '*/scale selects this subresource of every resource',
    rules: [{ ...any, resources: ['*/scale'] }],
    request: { path: 'apps/v1/deployments/scale' },
    matches: 'apps/v1',
  },
  {
    what: '*/scale does not select another subresource',
    rules: [{ ...any, resources: ['*/scale'] }],
    request: { path: 'apps/v1/deployments/status' },
    matches: undefined,
  },
  {
    what: 'pods/exec selects this subresource',
    rules: [{ ...any, resources: ['pods/exec'] }],
    request: pods('exec'),
    operation: 'CONNECT',
    matches: 'v1',
  },
  {
    what: 'scope Namespaced excludes objects of the cluster',
    rules: [{ ...any, resources: ['*'], scope: 'Namespaced' }],
    request: { path: 'v1/nodes', namespaced: false },
    matches: undefined,
  },
  {
    what: 'scope Cluster excludes objects in namespaces',
    rules: [{ ...any, resources: ['*/*'], scope: 'Cluster' }],
    request: pods('status'),
    matches: undefined,
  },
  {
    what: 'namespaces are objects of the cluster',
    rules: [{ ...any, resources: ['*'], scope: 'Cluster' }],
    request: { path: 'v1/namespaces', namespaced: false },
    matches: 'v1',
  },
  {
    what: 'a rule with names selects objects with these names',
    rules: [{ resourceNames: ['a', 'b'] }],
    request: deployments,
    name: 'b',
    matches: 'apps/v1',
  },
  {
    what: 'a rule with names selects no others',
    rules: [{ resourceNames: ['a', 'b'] }],
    request: deployments,
    name: 'c',
    matches: undefined,
  },
  {
    what: 'a rule with names selects no object whose name is not generated yet',
    rules: [{ resourceNames: ['a'] }],
    request: deployments,
    name: '',
    matches: undefined,
  },
  {
    what: 'a rule with names may match while the name is not known',
    rules: [{ resourceNames: ['a'] }],
    request: deployments,
    matches: 'apps/v1',
  },
];

describe('rules of webhooks and policies', () => {
  for (const { what, rules, request, operation = 'CREATE', name, policy = 'Equivalent', matches } of table)
    it(what, () => {
      const compiled = new ResourceRules(rules.map(rule), policy);
      const requested = testResource(request);
      const found = compiled.match({ operation, requested, ...(name === undefined ? {} : { name }) });
      const { group, version } = found?.resource ?? { group: '', version: undefined };
      assert.equal(group === '' ? version : `${group}/${version}`, matches);
    });
});
