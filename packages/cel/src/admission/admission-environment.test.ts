import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dynDecl } from '../decl/build.ts';
import * as types from '../types/type.ts';
import { AdmissionEnvironments } from './admission-environment.ts';
import { compileAny, compileFor } from './compile-for.ts';
import { LazyVariables } from './lazy-variables.ts';
import { applyConfigurationType, jsonPatchType } from './mutation-types.ts';

const environments = new AdmissionEnvironments();
const policy = environments.ofConditions({
  params: dynDecl(),
  hasAuthorizer: true,
  hasNamespace: true,
  variables: new Map([
    ['most', types.int],
    ['names', types.list(types.string)],
  ]),
});
const condition = environments.ofConditions({ hasAuthorizer: true });
const mutation = environments.ofMutations({});

const problemOf = (result: unknown): string =>
  typeof result === 'string' ? (result.split('\n')[0] ?? '') : 'none';

describe('environments of admission', () => {
  for (const [expression, problem] of [
    ['object.spec.replicas <= 5', 'none'],
    ['oldObject == null || object.x == oldObject.x', 'none'],
    ["request.operation == 'CREATE' && request.userInfo.groups.exists(g, g == 'admins')", 'none'],
    ["request.namespace == 'a' && request.dryRun", 'none'],
    ['params.most >= variables.most', 'none'],
    ["namespaceObject.metadata.labels['a'] == 'b'", 'none'],
    ["quantity(object.spec.size).isGreaterThan(quantity('1Gi'))", 'none'],
    ['object.spec.enabled', 'must evaluate to bool'],
    ["'x'", 'must evaluate to bool'],
    ['request.user', "compilation failed: ERROR: <input>:1:8: undefined field 'user'"],
    ['variables.least > 1', "compilation failed: ERROR: <input>:1:10: undefined field 'least'"],
    [
      "variables.names == 'x'",
      "compilation failed: ERROR: <input>:1:17: found no matching overload for '_==_' applied to '(list(string), string)'",
    ],
    [
      'objekt.x == 1',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')",
    ],
  ] as const) {
    it(`a validation is compiled with the types of its variables: ${expression} has the problem ${problem}`, () =>
      assert.equal(problemOf(compileFor(expression, policy, [types.bool])), problem));
  }

  for (const name of ['params', 'variables', 'namespaceObject'] as const) {
    it(`a condition of a webhook has no variable ${name}`, () =>
      assert.match(problemOf(compileAny(`${name} == null`, condition)), /undeclared reference/));
  }

  it('an expression that has several possible results names them all when it has another one', () =>
    assert.equal(
      compileFor('1', policy, [types.string, types.nullType]),
      'must evaluate to one of [string null_type]',
    ));

  it('an expression whose least cost exceeds the limit of an evaluation cannot be used', () => {
    const check = "authorizer.path('/x').check('get').allowed()";
    assert.match(
      problemOf(compileFor(`[${check}, ${check}, ${check}].size() > 1`, policy, [types.bool])),
      /estimated cost exceeds the limit of 1000000/,
    );
  });

  for (const [expression, type, problem] of [
    [
      "Object{spec: Object.spec{replicas: 3, paused: true, selector: {'a': 'b'}}}",
      applyConfigurationType,
      'none',
    ],
    [
      'Object{metadata: Object.metadata{labels: Object.metadata.labels{a: "b"}}}',
      applyConfigurationType,
      'none',
    ],
    [
      "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 1}]",
      types.list(jsonPatchType),
      'none',
    ],
    [
      "[JSONPatch{op: 'add', path: 1}]",
      types.list(jsonPatchType),
      "compilation failed: ERROR: <input>:1:27: expected type of field 'path' is 'string' but provided type is 'int'",
    ],
    [
      "[JSONPatch{opp: 'add'}]",
      types.list(jsonPatchType),
      "compilation failed: ERROR: <input>:1:15: undefined field 'opp'",
    ],
    ['Object.spec{replicas: 3}', applyConfigurationType, 'must evaluate to Object'],
    [
      'Objekt{}',
      applyConfigurationType,
      "compilation failed: ERROR: <input>:1:7: undeclared reference to 'Objekt' (in container '')",
    ],
    ["{'spec': 1}", applyConfigurationType, 'must evaluate to Object'],
    ['[1]', types.list(jsonPatchType), 'must evaluate to list(JSONPatch)'],
  ] as const) {
    it(`a mutation builds typed objects: ${expression} has the problem ${problem}`, () =>
      assert.equal(problemOf(compileFor(expression, mutation, [type])), problem));
  }

  it('a key of a path in a JSON patch is escaped', () => {
    const program = compileFor("jsonpatch.escapeKey('a~/b')", mutation, [types.string]);
    assert.ok(typeof program !== 'string');
    const outcome = program.evaluate({});
    assert.equal(outcome.kind === 'value' && outcome.value, 'a~0~1b');
  });

  it('objects without a namespace have null as their namespace object, and variables are evaluated where they are read', () => {
    const read: string[] = [];
    const variables = new LazyVariables(new Set(['most', 'names']), (name) => {
      read.push(name);
      return 7;
    });
    const program = compileFor('namespaceObject == null && variables.most == 7', policy, [types.bool]);
    assert.ok(typeof program !== 'string');
    const outcome = program.evaluate({ namespaceObject: null, variables });
    assert.equal(outcome.kind === 'value' && outcome.value, true);
    assert.deepEqual(read, ['most']);
  });
});
