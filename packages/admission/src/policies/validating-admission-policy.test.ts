import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, namesFor } from '@orch/machinery';
import { testWrite } from '../testing/plugin-calls.ts';
import {
  alice,
  type BindingSpec,
  PolicyCluster,
  type PolicySpec,
  pod,
  pods,
  rule,
} from '../testing/policy-cluster.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes } from '../types.ts';

const names = namesFor('orch');
const few = rule('object.spec.replicas <= 2');
const configMap = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const limit = { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } };
const byMap = { ...configMap, ...rule('object.spec.replicas <= int(params.data.most)') };
const byLimit = { ...limit, ...rule('object.spec.replicas <= params.most') };
const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };

const paramRef = (ref: object): BindingSpec => ({
  paramRef: { parameterNotFoundAction: 'Deny', ...ref },
});
const failed = '422 Invalid: failed expression: ';
const unevaluated = (expression: string, why: string) =>
  `422 Invalid: expression '${expression}' resulted in error: ${why}`;
const unbound = '422 Invalid: failed to configure binding: ';
const noParams = `${unbound}no params found for policy binding with \`Deny\` parameterNotFoundAction`;

const decisions: readonly (readonly [
  what: string,
  policy: PolicySpec,
  binding: BindingSpec,
  outcome: string,
  write?: Partial<AdmissionAttributes>,
])[] = [
  ['a validation that holds admits', rule('object.spec.replicas <= 3'), {}, 'admitted'],
  ['a validation that does not hold refuses', few, {}, `${failed}object.spec.replicas <= 2`],
  [
    'the first of several validations that do not hold is the reason',
    { validations: [{ expression: 'true' }, { expression: 'false', message: 'b' }, { expression: 'false' }] },
    {},
    '422 Invalid: b',
  ],
  [
    'the message is that of the validation',
    rule('false', { message: ' too many ' }),
    {},
    '422 Invalid: too many',
  ],
  [
    'the message expression takes precedence over the message',
    rule('false', { message: 'm', messageExpression: "'has ' + string(object.spec.replicas)" }),
    {},
    '422 Invalid: has 3',
  ],
  [
    'a message expression with an error is replaced by the message',
    rule('false', { message: 'm', messageExpression: 'string(object.spec.none)' }),
    {},
    '422 Invalid: m',
  ],
  ...(["''", "'a\\nb'", "'  '"] as const).map(
    (messageExpression) =>
      [
        `a message ${messageExpression} that cannot be shown is replaced by the expression`,
        rule('1 > 2', { messageExpression }),
        {},
        `${failed}1 > 2`,
      ] as const,
  ),
  [
    'Forbidden is answered with 403',
    rule('false', { message: 'm', reason: 'Forbidden' }),
    {},
    '403 Forbidden: m',
  ],
  [
    'Unauthorized is answered with 401',
    rule('false', { message: 'm', reason: 'Unauthorized' }),
    {},
    '401 Unauthorized: m',
  ],
  [
    'RequestEntityTooLarge is answered with 413',
    rule('false', { message: 'm', reason: 'RequestEntityTooLarge' }),
    {},
    '413 RequestEntityTooLarge: m',
  ],
  [
    'an expression with an error refuses with the failure policy Fail',
    rule('object.spec.none == 1'),
    {},
    unevaluated('object.spec.none == 1', 'no such key: none'),
  ],
  [
    'an expression with an error admits with the failure policy Ignore',
    { ...rule('object.spec.none == 1'), failurePolicy: 'Ignore' },
    {},
    'admitted',
  ],
  [
    'a validation that does not hold refuses with the failure policy Ignore too',
    { ...few, failurePolicy: 'Ignore' },
    {},
    `${failed}object.spec.replicas <= 2`,
  ],
  [
    'another resource does not concern a policy',
    few,
    {},
    'not handled',
    { resource: 'secrets', object: pod() },
  ],
  [
    'a subresource does not concern a policy for the resource',
    few,
    {},
    'not handled',
    { subresource: 'status', object: pod() },
  ],
  [
    'a subresource concerns a policy with a rule for it',
    { ...few, matchConstraints: { resourceRules: [{ ...pods, resources: ['pods/status'] }] } },
    {},
    `${failed}object.spec.replicas <= 2`,
    { subresource: 'status', object: pod() },
  ],
  [
    'an object without the labels of the policy does not match',
    { ...few, matchConstraints: { resourceRules: [pods], objectSelector: { matchLabels: { a: 'b' } } } },
    {},
    'admitted',
  ],
  [
    'an excluded resource does not match',
    { ...few, matchConstraints: { resourceRules: [pods], excludeResourceRules: [pods] } },
    {},
    'admitted',
  ],
  [
    'match conditions that do not hold exclude',
    { ...few, matchConditions: [{ name: 'a', expression: 'false' }] },
    {},
    'admitted',
  ],
  [
    'match conditions with errors refuse',
    { ...few, matchConditions: [{ name: 'a', expression: 'object.none' }] },
    {},
    '422 Invalid: must evaluate to bool',
  ],
  [
    'the binding restricts the policy',
    few,
    { matchResources: { namespaceSelector: { matchLabels: { env: 'test' } } } },
    'admitted',
  ],
  [
    'a binding without rules has those of the policy',
    few,
    { matchResources: { namespaceSelector: { matchLabels: { env: 'prod' } } } },
    `${failed}object.spec.replicas <= 2`,
  ],
  [
    'a binding with other rules excludes',
    few,
    { matchResources: { resourceRules: [{ ...pods, operations: ['DELETE'] }] } },
    'admitted',
  ],
  ['a binding of another policy has no effect', few, { policyName: 'other' }, 'not handled'],
  ['a binding without actions refuses', few, { validationActions: [] }, `${failed}object.spec.replicas <= 2`],
  [
    'the old object is known',
    rule('object.spec.replicas >= oldObject.spec.replicas'),
    {},
    `${failed}object.spec.replicas >= oldObject.spec.replicas`,
    { object: pod({ replicas: 1 }), oldObject: pod() },
  ],
  [
    'a deletion has no object',
    rule('object == null && oldObject.spec.replicas == 3'),
    {},
    'admitted',
    { oldObject: pod() },
  ],
  ['the namespace is known', rule("namespaceObject.metadata.labels['env'] == 'prod'"), {}, 'admitted'],
  [
    'an object of the cluster has no namespace',
    {
      ...rule('namespaceObject == null'),
      matchConstraints: { resourceRules: [{ ...pods, resources: ['nodes'] }] },
    },
    {},
    'admitted',
    {
      resource: 'nodes',
      requested: testResource({ path: 'v1/nodes', namespaced: false }),
      object: { metadata: { name: 'n' } },
    },
  ],
  [
    'the request is known',
    rule("request.userInfo.username == 'alice' && request.name == 'p'"),
    {},
    'admitted',
  ],
  ['the authorizer is asked', rule("authorizer.requestResource.check('audit').allowed()"), {}, 'admitted'],
  [
    'what the authorizer does not permit refuses',
    rule("authorizer.requestResource.check('sell').allowed()", { message: 'no' }),
    {},
    '422 Invalid: no',
  ],
  [
    'variables refer to earlier variables',
    {
      ...rule('variables.twice == 6'),
      variables: [
        { name: 'count', expression: 'object.spec.replicas' },
        { name: 'twice', expression: 'variables.count * 2' },
      ],
    },
    {},
    'admitted',
  ],
  [
    'a variable with an error that is not read does not matter',
    { ...rule('true || variables.bad'), variables: [{ name: 'bad', expression: 'object.none == 1' }] },
    {},
    'admitted',
  ],
  [
    'a variable with an error that is read is an error',
    { ...rule('variables.bad'), variables: [{ name: 'bad', expression: 'object.none == 1' }] },
    {},
    unevaluated('variables.bad', 'composited variable "bad" fails to evaluate: no such key: none'),
  ],
  ['a parameter is named', byMap, paramRef({ name: 'five' }), 'admitted'],
  [
    'a validation is evaluated with the parameter',
    byMap,
    paramRef({ name: 'two' }),
    `${failed}object.spec.replicas <= int(params.data.most)`,
  ],
  ['a parameter of the cluster is named', byLimit, paramRef({ name: 'four' }), 'admitted'],
  [
    'a parameter in another namespace is named',
    byMap,
    paramRef({ name: 'five', namespace: 'shop' }),
    'admitted',
  ],
  ['a parameter that does not exist refuses with Deny', byMap, paramRef({ name: 'none' }), noParams],
  [
    'a parameter in a namespace that has none refuses with Deny',
    byMap,
    paramRef({ name: 'five', namespace: 'other' }),
    noParams,
  ],
  [
    'a parameter that does not exist is skipped with Allow',
    byMap,
    paramRef({ name: 'none', parameterNotFoundAction: 'Allow' }),
    'admitted',
  ],
  [
    'a parameter that does not exist admits with the failure policy Ignore',
    { ...byMap, failurePolicy: 'Ignore' },
    paramRef({ name: 'none' }),
    'admitted',
  ],
  [
    'each selected parameter must be satisfied',
    byMap,
    paramRef({ selector: { matchLabels: { set: 'a' } } }),
    `${failed}object.spec.replicas <= int(params.data.most)`,
  ],
  [
    'a selector that selects nothing refuses with Deny',
    byMap,
    paramRef({ selector: { matchLabels: { set: 'x' } } }),
    noParams,
  ],
  ['a binding without parameters has null', { ...configMap, ...rule('params == null') }, {}, 'admitted'],
  [
    'a kind that is not known refuses',
    { ...byMap, paramKind: { apiVersion: 'none.example.com/v1', kind: 'None' } },
    paramRef({ name: 'a' }),
    `${unbound}paramKind kind \`none.example.com/v1, Kind=None\` not known`,
  ],
  [
    'a namespace for parameters of the cluster refuses',
    byLimit,
    paramRef({ name: 'four', namespace: 'shop' }),
    `${unbound}paramRef.namespace must not be provided for a cluster-scoped \`paramKind\``,
  ],
  [
    'a parameter in the namespace of an object of the cluster refuses',
    { ...configMap, ...rule('true'), matchConstraints: { resourceRules: [everything] } },
    paramRef({ name: 'five' }),
    `${unbound}cannot use namespaced paramRef in policy binding that matches cluster-scoped resources`,
    { resource: 'nodes', namespace: '', object: { metadata: { name: 'n' } } },
  ],
  [
    'a parameter for a namespace is read from this namespace',
    { ...configMap, ...rule("params.data.most == '2'"), matchConstraints: { resourceRules: [everything] } },
    paramRef({ name: 'two' }),
    'admitted',
    { resource: 'namespaces', namespace: '', name: 'shop', object: { metadata: { name: 'shop' } } },
  ],
];

describe('the plugin ValidatingAdmissionPolicy', () => {
  for (const [what, policy, binding, outcome, write] of decisions)
    it(what, async () => {
      const cluster = new PolicyCluster().policy(policy).binding(binding);
      assert.equal((await cluster.write(write)).refusal, outcome);
    });

  it('the message of a refusal names the object, the policy and the binding', async () => {
    const cluster = new PolicyCluster().policy(few).binding();
    await assert.rejects(
      async () => cluster.plugin.validate?.(testWrite({ user: alice, object: pod() })),
      (error) => {
        assert.ok(error instanceof ApiError);
        const why =
          "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.spec.replicas <= 2";
        assert.equal(error.status.message, `pods "p" is forbidden: ${why}`);
        assert.deepEqual(error.status.details, { name: 'p', kind: 'pods', causes: [{ message: why }] });
        return true;
      },
    );
  });

  it('a policy without a binding has no effect', async () =>
    assert.equal((await new PolicyCluster().policy(few).write()).refusal, 'not handled'));

  it('each of several bindings decides with its parameters and actions', async () => {
    const cluster = new PolicyCluster()
      .policy(byMap)
      .binding({ ...paramRef({ name: 'two' }), validationActions: ['Warn', 'Audit'] }, 'warns')
      .binding(paramRef({ name: 'five' }), 'denies');
    const { refusal, warnings, annotations } = await cluster.write();
    const message = 'failed expression: object.spec.replicas <= int(params.data.most)';
    assert.equal(refusal, 'admitted');
    assert.deepEqual(warnings, [
      `Validation failed for ValidatingAdmissionPolicy 'p' with binding 'warns': ${message}`,
    ]);
    assert.deepEqual(JSON.parse(annotations[names.auditAnnotations.policyFailure] ?? ''), [
      { message, policy: 'p', binding: 'warns', expressionIndex: 0, validationActions: ['Warn', 'Audit'] },
    ]);
    assert.equal((await cluster.write({ object: pod({ replicas: 9 }) })).refusal, `422 Invalid: ${message}`);
  });

  it('audit annotations have the name of the policy, and values of several parameters are joined', async () => {
    const cluster = new PolicyCluster()
      .policy({
        ...configMap,
        auditAnnotations: [
          { key: 'most', valueExpression: "'most ' + params.data.most" },
          { key: 'none', valueExpression: 'null' },
          { key: 'empty', valueExpression: "' '" },
          { key: 'long', valueExpression: `'${'é'.repeat(4000)}' + '${'é'.repeat(4000)}'` },
        ],
      })
      .binding(paramRef({ selector: {} }));
    const { refusal, annotations } = await cluster.write();
    assert.equal(refusal, 'admitted');
    assert.deepEqual(
      Object.entries(annotations).map(([key, value]) => [key, value.slice(0, 20), Buffer.byteLength(value)]),
      [
        ['p/most', 'most 2, most 5', 14],
        ['p/long', 'é'.repeat(20), 10 * 1024],
      ],
    );
  });

  it('an audit annotation with an error refuses, and is left out with the failure policy Ignore', async () => {
    const annotated = { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.none)' }] };
    const closed = new PolicyCluster().policy(annotated).binding({ validationActions: ['Audit'] });
    assert.equal((await closed.write()).refusal, unevaluated('string(object.none)', 'no such key: none'));
    const open = new PolicyCluster().policy({ ...annotated, failurePolicy: 'Ignore' }).binding();
    assert.deepEqual(await open.write(), { refusal: 'admitted', warnings: [], annotations: {} });
  });

  it('a change of a policy or a binding is in effect from the next write on', async () => {
    const cluster = new PolicyCluster().policy(few);
    assert.equal((await cluster.write()).refusal, 'not handled');
    cluster.binding();
    assert.equal((await cluster.write()).refusal, `${failed}object.spec.replicas <= 2`);
    cluster.policy(rule('object.spec.replicas <= 3'));
    assert.equal((await cluster.write()).refusal, 'admitted');
    cluster.policy(few, 'second').binding({ policyName: 'second' }, 'of-second');
    assert.equal((await cluster.write()).refusal, `${failed}object.spec.replicas <= 2`);
    cluster.source.delete('validatingadmissionpolicies.admissionregistration', 'second');
    cluster.source.delete('validatingadmissionpolicybindings.admissionregistration', 'b');
    assert.equal((await cluster.write()).refusal, 'not handled');
  });

  it('decisions are counted by policy, binding, error and action', async () => {
    const cluster = new PolicyCluster()
      .policy(few)
      .binding()
      .binding({ validationActions: ['Warn'] }, 'c');
    await cluster.write();
    cluster.policy({ ...rule('object.none == 1'), failurePolicy: 'Ignore' });
    await cluster.write();
    const total = /^apiserver_validating_admission_policy_check_total(\{.*)$/gm;
    assert.deepEqual([...cluster.env.metrics.text().matchAll(total)].map(([, series]) => series).toSorted(), [
      '{policy="p",policy_binding="b",error_type="invalid_error",enforcement_action="allow"} 1',
      '{policy="p",policy_binding="b",error_type="no_error",enforcement_action="deny"} 1',
      '{policy="p",policy_binding="c",error_type="invalid_error",enforcement_action="allow"} 1',
      '{policy="p",policy_binding="c",error_type="no_error",enforcement_action="warn"} 1',
    ]);
  });
});

describe('matches of policies', () => {
  it('writes that a policy and a binding match are counted, whatever the policy decides', async () => {
    const cluster = new PolicyCluster()
      .policy(few)
      .binding()
      .binding({ matchResources: { resourceRules: [{ ...pods, resources: ['secrets'] }] } }, 'of-secrets');
    assert.match((await cluster.write()).refusal, /failed expression/);
    cluster.policy(rule('true'));
    assert.equal((await cluster.write()).refusal, 'admitted');
    const total = /^apiserver_admission_policy_matches_total(\{.*)$/gm;
    assert.deepEqual(
      [...cluster.env.metrics.text().matchAll(total)].map(([, series]) => series),
      ['{policy="p",policy_binding="b",type="validating"} 2'],
    );
  });
});

describe('expressions of policies that are expensive', () => {
  const list = `[${Array.from({ length: 30 }, (_, i) => i).join()}]`;
  const explosive = ['a', 'b', 'c', 'd', 'e', 'f'].reduceRight(
    (body, name) => `${list}.all(${name}, ${body})`,
    'a + b + c + d + e + f >= 0',
  );
  const outOfBudget =
    '422 Invalid: validation failed due to running out of cost budget, no further validation rules will be run';

  it('an expression that costs too much is cut off and refuses', async () => {
    const { refusal } = await new PolicyCluster().policy(rule(explosive)).binding().write();
    assert.match(refusal, /actual cost limit exceeded$/);
  });

  it('expressions that cost too much together refuse, and the rest is not evaluated', async () => {
    const validations = Array.from({ length: 30 }, () => ({ expression: explosive }));
    const { refusal } = await new PolicyCluster().policy({ validations }).binding().write();
    assert.equal(refusal, outOfBudget);
  });

  it('variables that cost too much together refuse', async () => {
    const variables = Array.from({ length: 40 }, (_, i) => ({ name: `v${i}`, expression: explosive }));
    const expression = variables.map(({ name }) => `variables.${name}`).join(' || ');
    const { refusal } = await new PolicyCluster()
      .policy({ variables, ...rule(expression) })
      .binding()
      .write();
    assert.equal(refusal, outOfBudget);
  });

  it('a long chain of variables is evaluated', async () => {
    const variables = Array.from({ length: 500 }, (_, i) => ({
      name: `v${i}`,
      expression: i === 0 ? 'object.spec.replicas' : `variables.v${i - 1} + 1`,
    }));
    const cluster = new PolicyCluster().policy({ variables, ...rule('variables.v499 == 502') }).binding();
    assert.equal((await cluster.write()).refusal, 'admitted');
  });
});
