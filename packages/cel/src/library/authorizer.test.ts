import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdmissionEnvironments } from '../admission/admission-environment.ts';
import { compile } from '../program.ts';
import { type AccessCheck, type AccessQuery, AuthorizerValue, ResourceCheckValue } from './authorizer.ts';

const environment = new AdmissionEnvironments().ofConditions({ hasAuthorizer: true });
const pods = { group: '', resource: 'pods', subresource: 'log', namespace: 'shop', name: 'till' };

const variables = (check: AccessCheck) => {
  const authorizer = new AuthorizerValue(check);
  return { authorizer, 'authorizer.requestResource': new ResourceCheckValue(authorizer, pods) };
};

/** The one question that an expression asks. */
function askedBy(expression: string): AccessQuery {
  const queries: AccessQuery[] = [];
  const check: AccessCheck = (query) => {
    queries.push(query);
    return { isAllowed: true, reason: '' };
  };
  const outcome = compile(expression, environment).evaluate(variables(check));
  assert.equal(outcome.kind, 'value', 'message' in outcome ? outcome.message : '');
  const [query, ...more] = queries;
  assert.deepEqual(more, []);
  return query ?? assert.fail('nothing was asked');
}

describe('the authorizer of expressions', () => {
  const anyPods = { group: '', resource: 'pods', subresource: '', namespace: '', name: '' };
  for (const [expression, query] of [
    ["authorizer.group('').resource('pods').check('list').allowed()", { verb: 'list', ...anyPods }],
    [
      "authorizer.group('apps').resource('deployments').namespace('shop').check('get').allowed()",
      { ...anyPods, verb: 'get', group: 'apps', resource: 'deployments', namespace: 'shop' },
    ],
    [
      "authorizer.group('').resource('pods').subresource('log').namespace('shop').name('till').check('get').allowed()",
      { verb: 'get', ...pods },
    ],
    ["authorizer.requestResource.check('sell').allowed()", { verb: 'sell', ...pods }],
    ["authorizer.requestResource.name('x').check('sell').allowed()", { verb: 'sell', ...pods, name: 'x' }],
    ["authorizer.path('/healthz').check('get').allowed()", { verb: 'get', path: '/healthz' }],
    [
      "authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('spec.nodeName=n').check('list').allowed()",
      { verb: 'list', ...anyPods },
    ],
  ] as const) {
    it(`the authorizer is asked for the permission that an expression names: ${expression}`, () =>
      assert.deepEqual(askedBy(expression), { account: undefined, ...query }));
  }

  it('the authorizer is asked for the permissions of a service account that an expression names', () =>
    assert.deepEqual(askedBy("authorizer.serviceAccount('shop', 'till').path('/x').check('get').allowed()"), {
      account: { namespace: 'shop', name: 'till' },
      verb: 'get',
      path: '/x',
    }));

  for (const [decision, expression, value] of [
    [{ isAllowed: true, reason: 'a role' }, 'allowed()', true],
    [{ isAllowed: false, reason: 'a role' }, 'allowed()', false],
    [{ isAllowed: false, reason: 'a role' }, 'reason()', 'a role'],
    [{ isAllowed: false, reason: '' }, 'errored()', false],
    [{ isAllowed: false, reason: '' }, 'error()', ''],
    [{ isAllowed: false, reason: '', error: 'no answer' }, 'errored()', true],
    [{ isAllowed: false, reason: '', error: 'no answer' }, 'error()', 'no answer'],
  ] as const) {
    it(`an expression reads ${JSON.stringify(value)} from ${expression} of the decision ${JSON.stringify(decision)}`, () => {
      const program = compile(`authorizer.path('/x').check('get').${expression}`, environment);
      const outcome = program.evaluate(variables(() => decision));
      assert.deepEqual(outcome.kind === 'value' ? outcome.value : outcome.message, value);
    });
  }

  for (const [expression, message] of [
    ["authorizer.path('').check('get').allowed()", 'path must not be empty'],
    [
      "authorizer.serviceAccount('shop', 'A B').path('/x').check('get').allowed()",
      'Invalid service account name',
    ],
    [
      "authorizer.serviceAccount('a.b', 'till').path('/x').check('get').allowed()",
      'Invalid service account namespace',
    ],
  ] as const) {
    it(`an expression that the authorizer cannot be asked about has an error: ${expression}`, () => {
      const outcome = compile(expression, environment).evaluate(variables(() => assert.fail('was asked')));
      assert.equal(outcome.kind === 'error' ? outcome.message : outcome.kind, message);
    });
  }

  it('the third check of an expression exceeds its cost limit', () => {
    const check = "authorizer.path('/x').check('get').allowed()";
    const cut = (count: number) => {
      let asked = 0;
      const expression = Array.from({ length: count }, () => check).join(' && ');
      const counted = variables(() => {
        asked += 1;
        return { isAllowed: true, reason: '' };
      });
      return [compile(expression, environment).evaluate(counted).kind, asked];
    };
    assert.deepEqual(cut(2), ['value', 2]);
    assert.equal(cut(9)[0], 'limit');
    assert.ok(Number(cut(9)[1]) <= 3, 'checks after the limit are not made');
  });

  it('a check that throws interrupts the evaluation, and no operator absorbs that', () => {
    const interruption = new Error('wait');
    const program = compile(
      "true || [1].exists(x, authorizer.path('/x').check('get').allowed()) || authorizer.path('/y').check('get').allowed()",
      environment,
    );
    const interrupted = compile("authorizer.path('/x').check('get').allowed() || true", environment);
    const interrupting = variables(() => {
      throw interruption;
    });
    assert.equal(program.evaluate(interrupting).kind, 'value');
    assert.throws(() => interrupted.evaluate(interrupting), interruption);
  });
});
