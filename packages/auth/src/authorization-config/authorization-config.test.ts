import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock, recordedLog } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import type { Attributes, Authorizer } from '../types.ts';
import { readAuthorizationConfiguration } from './read-configuration.ts';
import { conditionalAuthorizer } from './review-conditions.ts';

const names = namesFor('orch');
const apiVersion = names.apiVersion('apiserverconfig', 'v1');

const read = (authorizers: unknown, changes: object = {}) =>
  readAuthorizationConfiguration({
    text: encodeYaml({ apiVersion, kind: 'AuthorizationConfiguration', authorizers, ...changes }),
    file: 'authz.yaml',
    names,
  });

const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/a.conf' },
};
const hook = (changes: object = {}, name = 'hook') => ({
  type: 'Webhook',
  name,
  webhook: { ...webhook, ...changes },
});
const conditions = (...expressions: readonly string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});

describe('an authorization configuration', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    it(`an authorization configuration may have the version ${version}`, () => {
      const entries = read([{ type: 'RBAC', name: 'rbac' }], {
        apiVersion: names.apiVersion('apiserverconfig', version),
      });
      assert.deepEqual(entries, [{ type: 'RBAC', name: 'rbac' }]);
    });

  it('an authorization configuration has authorizers in their order, with several webhooks', () => {
    const entries = read([
      hook({ ...conditions('true'), failurePolicy: 'NoOpinion', authorizedTTL: '1m' }, 'first'),
      { type: 'Node', name: 'node' },
      hook({ cacheAuthorizedRequests: false, subjectAccessReviewVersion: 'v1beta1' }, 'second'),
    ]);
    const shown = entries.map((entry) => {
      if (entry.type !== 'Webhook') return entry;
      const { connection, conditions: compiled, ...rest } = entry.webhook;
      return [entry.name, connection.text(), compiled.map(({ source }) => source), rest];
    });
    assert.deepEqual(shown, [
      [
        'first',
        '/a.conf',
        ['true'],
        {
          authorizedTtlMs: 60_000,
          unauthorizedTtlMs: 30_000,
          timeoutMs: 3000,
          version: 'v1',
          onFailure: 'noOpinion',
        },
      ],
      { type: 'Node', name: 'node' },
      [
        'second',
        '/a.conf',
        [],
        {
          authorizedTtlMs: 0,
          unauthorizedTtlMs: 30_000,
          timeoutMs: 3000,
          version: 'v1beta1',
          onFailure: 'deny',
        },
      ],
    ]);
  });

  for (const [what, authorizers, message] of [
    ['no authorizers', [], /authorizers: at least one authorizer is required/],
    ['an unknown type', [{ type: 'X', name: 'x' }], /authorizers\[0\]\.type: must be one of /],
    ['no name', [{ type: 'RBAC' }], /authorizers\[0\]\.name: a name is required/],
    ['an invalid name', [{ type: 'RBAC', name: 'A_' }], /name: .*lower case/],
    ['a name twice', [hook(), hook()], /authorizers\[1\]\.name: "hook" is repeated/],
    [
      'a local authorizer twice',
      [
        { type: 'RBAC', name: 'a' },
        { type: 'RBAC', name: 'b' },
      ],
      /authorizers\[1\]\.type: RBAC is repeated/,
    ],
    [
      'a webhook without settings',
      [{ type: 'Webhook', name: 'a' }],
      /webhook: is required with the type Webhook/,
    ],
    ['settings of a webhook elsewhere', [{ ...hook(), type: 'RBAC' }], /webhook: needs the type Webhook/],
    ['an unknown field', [hook({ ttl: '1s' })], /unknown field "ttl"/],
    ['no timeout', [hook({ timeout: undefined })], /webhook\.timeout: is required/],
    [
      'a timeout that is too long',
      [hook({ timeout: '31s' })],
      /timeout: must be greater than zero, and at most 30s/,
    ],
    ['a TTL of zero', [hook({ authorizedTTL: '0s' })], /authorizedTTL: must be greater than zero/],
    ['a TTL that is not a duration', [hook({ unauthorizedTTL: 'x' })], /unauthorizedTTL: must be a duration/],
    [
      'no version of reviews',
      [hook({ subjectAccessReviewVersion: undefined })],
      /must be one of v1, v1beta1/,
    ],
    [
      'no failure policy',
      [hook({ failurePolicy: undefined })],
      /failurePolicy: must be one of NoOpinion, Deny/,
    ],
    [
      'a relative path',
      [hook({ connectionInfo: { ...webhook.connectionInfo, kubeConfigFile: 'a' } })],
      /must be an absolute path/,
    ],
    [
      'the server as its own webhook',
      [hook({ connectionInfo: { type: 'InClusterConfig' } })],
      /connectionInfo\.type: InClusterConfig is not possible/,
    ],
    [
      'conditions without a version',
      [hook({ matchConditions: [{ expression: 'true' }] })],
      /matchConditionSubjectAccessReviewVersion: must be one of v1/,
    ],
    [
      'a condition of another type',
      [hook(conditions('request.user'))],
      /matchConditions\[0\]\.expression: must evaluate to bool/,
    ],
    [
      'a condition twice',
      [hook(conditions('true', 'true'))],
      /matchConditions\[1\]\.expression: the expression is repeated/,
    ],
    [
      'a condition over an unknown field',
      [hook(conditions('request.none == 1'))],
      /compilation failed: .*undefined field 'none'/s,
    ],
    [
      'too many conditions',
      [
        hook(
          conditions(
            ...Array(65)
              .keys()
              .map((n) => `${n} == 0`),
          ),
        ),
      ],
      /matchConditions: must have at most 64 items/,
    ],
  ] as const)
    it(`an authorization configuration is refused with ${what}`, () => {
      assert.throws(() => read(authorizers), { name: 'ConfigFileError', message });
    });
});

const user = { name: 'ann', uid: '7', groups: ['dev'], extra: { scope: ['a'] } };
const pods: Attributes = {
  user,
  isResource: true,
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
};
const path: Attributes = { user, isResource: false, verb: 'get', path: '/metrics' };

/** The verdict of an authorizer with conditions that allows everything, asked twice, its metrics and log. */
function decide(
  attributes: Attributes,
  expressions: readonly string[],
  onFailure: 'deny' | 'noOpinion' = 'deny',
) {
  const [entry] = read([hook(conditions(...expressions))]);
  assert.ok(entry?.type === 'Webhook');
  const metrics = createMetrics();
  const clock = new FakeClock();
  const { log, entries } = recordedLog(clock);
  const allowing: Authorizer = { authorize: () => ({ verdict: 'allow', reason: '' }) };
  const authorizer = conditionalAuthorizer({
    authorizer: allowing,
    conditions: entry.webhook.conditions,
    onFailure,
    name: entry.name,
    metrics,
    clock,
    log,
  });
  const decide = () => authorizer.authorize(attributes, { signal: new AbortController().signal });
  decide();
  const decision = decide();
  assert.ok('verdict' in decision);
  const counts = (name: string): boolean =>
    metrics
      .text()
      .includes(`apiserver_authorization_match_condition_${name}_total{type="Webhook",name="hook"} 2\n`);
  return { ...decision, excluded: counts('exclusions'), failed: counts('evaluation_errors'), entries };
}

const missing = 'request.nonResourceAttributes.path == ""';

describe('conditions of an authorization webhook', () => {
  for (const [what, attributes, expressions, verdict] of [
    [
      'all conditions are true',
      pods,
      ["request.resourceAttributes.namespace == 'a'", "'dev' in request.groups"],
      'allow',
    ],
    ['an attribute is an empty string', pods, ["request.resourceAttributes.subresource == ''"], 'allow'],
    [
      'the request is about a resource',
      pods,
      ['has(request.resourceAttributes)', '!has(request.nonResourceAttributes)'],
      'allow',
    ],
    [
      'the request is about a path',
      path,
      ["request.nonResourceAttributes.path.startsWith('/met')", '!has(request.resourceAttributes)'],
      'allow',
    ],
    [
      'conditions read the user',
      pods,
      ["request.user == 'ann' && request.uid == '7' && request.extra.scope == ['a']"],
      'allow',
    ],
    ['a condition is false', pods, ['true', "request.user != 'ann'"], 'noOpinion'],
    ['a condition is false, and another has an error', pods, [missing, 'request.user == ""'], 'noOpinion'],
    ['a condition has an error', pods, ['true', missing], 'deny'],
  ] as const)
    it(`when ${what}, the verdict is ${verdict}`, () => {
      const decision = decide(attributes, expressions);
      assert.equal(decision.verdict, verdict);
      assert.deepEqual([decision.excluded, decision.failed], [verdict === 'noOpinion', verdict === 'deny']);
    });

  it('an error counts as no opinion with that failure policy', () => {
    const decision = decide(pods, [missing], 'noOpinion');
    assert.deepEqual([decision.verdict, decision.failed], ['noOpinion', true]);
    assert.match(decision.reason, /^the conditions of the authorization webhook hook cannot be evaluated$/);
  });

  it('an error is named in one line of the log for several requests, and neither it nor the expression in the reason', () => {
    const { reason, entries } = decide(pods, [missing]);
    assert.doesNotMatch(reason, /nonResourceAttributes|no such key/);
    assert.equal(entries.length, 1);
    assert.equal(entries[0]?.['webhook'], 'hook');
    assert.match(String(entries[0]?.['error']), /nonResourceAttributes\.path.*no such key/);
  });

  it('conditions that cost too much together are an error', () => {
    const many = { ...pods, user: { ...user, groups: Array<string>(180).fill('x'.repeat(30)) } };
    const square = (n: number): string =>
      `request.groups.all(x, request.groups.all(y, x + y + '${n}' != ''))`;
    const decision = decide(many, [...Array(6).keys()].map(square));
    assert.equal(decision.verdict, 'deny');
    assert.match(String(decision.entries[0]?.['error']), /running out of cost budget/);
  });
});
