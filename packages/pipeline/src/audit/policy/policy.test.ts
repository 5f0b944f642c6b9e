import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes, UserInfo } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import type { AuditLevel } from '../event/types.ts';
import { defaultAuditPolicy } from './default-policy.ts';
import { auditPolicyEvaluator } from './policy.ts';
import { readAuditPolicy } from './read-policy.ts';

const names = namesFor('orch');
const user: UserInfo = { name: 'alice', uid: '', groups: ['dev', 'all'], extra: {} };

const resource = (verb: string, path: string, group = ''): Attributes => {
  const [namespace = '', plural = '', name = '', subresource = ''] = path.split(':');
  return {
    user,
    isResource: true,
    verb,
    group,
    version: 'v1',
    resource: plural,
    subresource,
    namespace,
    name,
  };
};
const path = (at: string, verb = 'get'): Attributes => ({ user, isResource: false, verb, path: at });

const fileOf = (text: string) => ({ text, file: 'policy.yaml' });
const policyOf = (rules: string): string => `apiVersion: audit.orch.io/v1\nkind: Policy\n${rules}`;
const evaluatorOf = (rules: string) =>
  auditPolicyEvaluator(readAuditPolicy(fileOf(policyOf(rules)), names, ['v1']));

describe('rules of an audit policy', () => {
  const rows: readonly [string, string, Attributes, AuditLevel][] = [
    [
      'the first rule that matches decides',
      '[{level: None, users: [alice]}, {level: Request}]',
      path('/a'),
      'None',
    ],
    ['no rule is no event', '[{level: Request, users: [bob]}]', path('/a'), 'None'],
    ['one group of many is enough', '[{level: Request, userGroups: [x, dev]}]', path('/a'), 'Request'],
    ['no group of those named', '[{level: Request, userGroups: [x]}]', path('/a'), 'None'],
    ['a verb', '[{level: Request, verbs: [list]}]', resource('get', 'a:pods:p'), 'None'],
    ['a verb of a path', '[{level: Request, verbs: [get]}]', path('/a'), 'Request'],
    [
      'a resource',
      '[{level: Request, resources: [{resources: [pods]}]}]',
      resource('get', 'a:pods:p'),
      'Request',
    ],
    [
      'a resource without its subresources',
      '[{level: Request, resources: [{resources: [pods]}]}]',
      resource('get', 'a:pods:p:log'),
      'None',
    ],
    [
      'a subresource',
      '[{level: Request, resources: [{resources: [pods/log]}]}]',
      resource('get', 'a:pods:p:log'),
      'Request',
    ],
    [
      'every subresource',
      '[{level: Request, resources: [{resources: ["pods/*"]}]}]',
      resource('get', 'a:pods:p:log'),
      'Request',
    ],
    [
      'every subresource, and not the resource',
      '[{level: Request, resources: [{resources: ["pods/*"]}]}]',
      resource('get', 'a:pods:p'),
      'None',
    ],
    [
      'the subresource of every resource',
      '[{level: Request, resources: [{resources: ["*/status"]}]}]',
      resource('get', 'a:pods:p:status'),
      'Request',
    ],
    [
      'a star takes in subresources',
      '[{level: Request, resources: [{resources: ["*"]}]}]',
      resource('get', 'a:pods:p:log'),
      'Request',
    ],
    [
      'a whole group',
      '[{level: Request, resources: [{group: apps}]}]',
      resource('get', 'a:deployments:d', 'apps'),
      'Request',
    ],
    ['another group', '[{level: Request, resources: [{group: apps}]}]', resource('get', 'a:pods:p'), 'None'],
    [
      'a name',
      '[{level: Request, resources: [{resources: [pods], resourceNames: [p]}]}]',
      resource('get', 'a:pods:p'),
      'Request',
    ],
    [
      'another name',
      '[{level: Request, resources: [{resources: [pods], resourceNames: [p]}]}]',
      resource('get', 'a:pods:q'),
      'None',
    ],
    ['a namespace', '[{level: Request, namespaces: [a]}]', resource('get', 'a:pods:p'), 'Request'],
    ['no namespace', '[{level: Request, namespaces: [""]}]', resource('get', ':nodes:n'), 'Request'],
    [
      'the rule is for cluster-scoped objects, and the request has a namespace',
      '[{level: Request, namespaces: [""]}]',
      resource('get', 'a:pods:p'),
      'None',
    ],
    ['resources are not paths', '[{level: Request, namespaces: [a]}]', path('/a'), 'None'],
    ['a path', '[{level: Request, nonResourceURLs: [/version]}]', path('/version'), 'Request'],
    [
      'the beginning of a path',
      '[{level: Request, nonResourceURLs: ["/health*"]}]',
      path('/healthz/x'),
      'Request',
    ],
    ['every path', '[{level: Request, nonResourceURLs: ["*"]}]', path('/x'), 'Request'],
    [
      'paths are not resources',
      '[{level: Request, nonResourceURLs: ["*"]}]',
      resource('get', 'a:pods:p'),
      'None',
    ],
  ];
  for (const [title, rules, attributes, level] of rows) {
    it(`the rules match: ${title}`, () => {
      assert.equal(evaluatorOf(`rules: ${rules}`)(attributes).level, level);
    });
  }

  it('omitted stages of rule and policy are combined, and the rule overrides managed fields', () => {
    const evaluate = evaluatorOf(
      'omitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n- level: Request\n  users: [alice]\n  omitStages: [Panic]\n  omitManagedFields: false\n',
    );
    const decision = evaluate(path('/'));
    assert.deepEqual([...decision.omitStages], ['RequestReceived', 'Panic']);
    assert.equal(decision.omitManagedFields, false);
  });

  const bad: readonly [string, string, RegExp][] = [
    ['an unknown field', 'rules:\n- level: None\n  user: [a]\n', /^line 5: rules\[0\]\.user: unknown field/],
    [
      'an unknown level',
      'rules:\n- level: None\n- level: Some\n',
      /^line 5: rules\[1\]\.level: must be one of/,
    ],
    ['no level', 'rules:\n- users: [a]\n', /^line 4: rules\[0\]\.level: must be one of/],
    ['no rules', 'omitStages: []\n', /rules: must have at least one rule/],
    ['an unknown stage', 'omitStages: [Later]\nrules: [{level: None}]\n', /^line 3: omitStages\[0\]/],
    [
      'a string for a list',
      'rules:\n- level: None\n  users: alice\n',
      /^line 5: rules\[0\]\.users: must be a list/,
    ],
    [
      'paths besides resources',
      'rules:\n- level: None\n  namespaces: [a]\n  nonResourceURLs: [/a]\n',
      /^line 6: .*must not be combined with/,
    ],
    [
      'a star within a path',
      'rules:\n- level: None\n  nonResourceURLs: ["/a*/b"]\n',
      /^line 5: .*at its end only/,
    ],
    [
      'a path without a slash',
      'rules:\n- level: None\n  nonResourceURLs: [version]\n',
      /^line 5: .*must begin with a slash/,
    ],
    [
      'names of no resource',
      'rules:\n- level: None\n  resources:\n  - resourceNames: [a]\n',
      /^line 6: .*needs resources/,
    ],
    [
      'a group with a version',
      'rules:\n- level: None\n  resources: [{group: apps/v1}]\n',
      /^line 5: .*without a version/,
    ],
    ['a repeated field', 'rules:\n- level: None\n  level: Request\n', /line \d+: .*is repeated/],
    ['no YAML', 'rules: [', /line \d+, column/],
  ];
  for (const [title, text, problem] of bad) {
    it(`an invalid policy is refused with its line: ${title}`, () => {
      assert.throws(
        () => readAuditPolicy(fileOf(policyOf(text)), names, ['v1']),
        (error) => error instanceof ConfigFileError && problem.test(error.message),
      );
    });
  }

  it('a policy is read in versions of the release only', () => {
    const text = 'apiVersion: audit.orch.io/v1beta1\nkind: Policy\nrules: [{level: None}]\n';
    assert.throws(() => readAuditPolicy(fileOf(text), names, ['v1']), /^ConfigFileError: line 1: apiVersion/);
    assert.equal(readAuditPolicy(fileOf(text), names, ['v1', 'v1beta1']).rules.length, 1);
  });
});

describe('default audit policy of the server', () => {
  const evaluate = auditPolicyEvaluator(defaultAuditPolicy(names));
  const identity = names.group('authentication');
  const rows: readonly [Attributes, AuditLevel][] = [
    [resource('create', 'a:secrets:s'), 'Metadata'],
    [resource('patch', 'a:configmaps:s'), 'Metadata'],
    [resource('create', 'a:serviceaccounts:s:token'), 'Metadata'],
    [resource('create', ':tokenreviews', identity), 'Metadata'],
    [resource('create', 'a:pods:p:exec'), 'Metadata'],
    [resource('create', 'a:pods:p'), 'Request'],
    [resource('list', 'a:pods'), 'Metadata'],
    [path('/readyz/ping'), 'None'],
  ];
  for (const [attributes, level] of rows) {
    it(`the level is ${level} for ${attributes.verb} ${attributes.isResource ? `${attributes.resource}/${attributes.subresource}` : attributes.path}`, () => {
      assert.equal(evaluate(attributes).level, level);
    });
  }
});
