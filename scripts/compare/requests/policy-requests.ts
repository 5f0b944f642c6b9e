import { seededRandom } from '@orch/machinery/testing';
import type { Exchange } from '../exchange.ts';
import { RandomSchemas } from './random-schemas.ts';
import { type RequestCase, sendAll } from './request-case.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

const operands = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
  'variables',
  'authorizer',
  'object.metadata.name',
  'object.spec.replicas',
  'request.name',
  'request.userInfo.username',
  'request.userInfo.groups',
  'request.operation',
  'request.dryRun',
  'request.options',
  'request.kind.group',
  'object.x',
  'namespaceObject.metadata.labels',
  'variables.v',
  'variables.w',
  'params.data',
  '1',
  '1u',
  '1.5',
  '"a"',
  "b'a'",
  'true',
  'null',
  '[1, 2]',
  '{"a": 1}',
  '[]',
  '{}',
  '[1, "a"]',
  'duration("1h")',
  'timestamp("2026-01-01T00:00:00Z")',
  'quantity("1Gi")',
  'ip("1.2.3.4")',
  'cidr("10.0.0.0/8")',
  'url("http://a/b")',
  'semver("1.2.3")',
  'format.dns1123Label()',
  'optional.of(1)',
  'object.?spec',
  'object[?"spec"]',
  'type(1)',
  'int',
  'self',
  'foo',
  'oldSelf',
];
const unary = [
  '!X',
  '-X',
  'size(X)',
  'string(X)',
  'int(X)',
  'bool(X)',
  'has(X)',
  'X.size()',
  'X.matches("a")',
  'X.startsWith("a")',
  'X.lowerAscii()',
  'X.isGreaterThan(quantity("1"))',
  'X.family()',
  'X.getHost()',
  'X.sum()',
  'X.isSorted()',
  'X.all(x, x == x)',
  'X.exists(x, x == 1)',
  'X.map(x, x)',
  'X.filter(x, true)',
  'X.all(k, v, true)',
  'X.find("a")',
  'X.split(",")',
  'X.join(",")',
  'X.hasValue()',
  'X.orValue(1)',
  'X.validate("a")',
  'X.getHours()',
  'X.containsIP("10.0.0.1")',
  'X.major()',
  'X.group("").resource("pods").check("get").allowed()',
  'X.path("/a").check("get").allowed()',
  'X.serviceAccount("a", "b").check("get").reason()',
  'X.requestResource.check("get").errored()',
  'X[0]',
  'X["a"]',
  'X.a',
  'dyn(X)',
  'type(X)',
  'X.format(["a"])',
  'X.reverse()',
  'sets.contains(X, [1])',
  'X.indexOf("a")',
  'X.slice(0, 1)',
  'X.flatten()',
  'lists.range(3)',
  'math.greatest(X, 1)',
  'base64.encode(X)',
  'strings.quote(X)',
  'X.exists_one(x, x == 1)',
  'X.transformList(i, v, v)',
  'cel.bind(y, X, y)',
];
const binary = [
  'X == Y',
  'X != Y',
  'X < Y',
  'X + Y',
  'X && Y',
  'X || Y',
  'X in Y',
  'X % Y',
  'X ? Y : Z',
  'X / Y',
  'X.contains(Y)',
  'X - Y',
  '[X, Y]',
  '{X: Y}',
  'X == Y ? true : false',
];

interface RandomCount {
  readonly count: number;
  readonly seed: number;
}

/** Creates policies and match conditions with random expressions, as dry runs. */
export async function comparePolicyRequests(exchange: Exchange, { count, seed }: RandomCount): Promise<void> {
  exchange.begin('random policies');
  const random = new RandomSchemas(seededRandom(seed));
  await sendAll(
    exchange,
    Array.from({ length: count }, (_, i) => policyRequest(random, i)),
  );
}

function expression(random: RandomSchemas, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return random.pick(operands);
  const inner = (): string => {
    const text = expression(random, depth - 1);
    return /^[\w.]+$|^\w+\(|^\[|^\{|^"/.test(text) ? text : `(${text})`;
  };
  return random.pick(random.chance(0.5) ? unary : binary).replaceAll(/[XYZ]/g, inner);
}

function policyRequest(random: RandomSchemas, i: number): RequestCase {
  const chosen = expression(random, random.pick([1, 2, 2, 3]));
  const boolean = random.chance(0.5) ? chosen : `(${chosen}) == (${expression(random, 1)})`;
  const validation: Record<string, unknown> = { expression: boolean };
  const spec: Record<string, unknown> = {
    matchConstraints: {
      resourceRules: [
        { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
      ],
    },
    validations: [validation],
  };
  if (random.chance(0.3))
    spec['variables'] = [
      { name: random.pick(['v', 'v', 'w', 'a-b', '']), expression: expression(random, 2) },
    ];
  if (random.chance(0.25)) spec['paramKind'] = { apiVersion: 'v1', kind: 'ConfigMap' };
  if (random.chance(0.2))
    validation['messageExpression'] = random.pick([
      expression(random, 1),
      '"a" + object.metadata.name',
      '"a"',
      '1',
    ]);
  if (random.chance(0.1))
    validation['reason'] = random.pick([
      'Forbidden',
      'Unauthorized',
      'Invalid',
      'RequestEntityTooLarge',
      'Foo',
    ]);
  if (random.chance(0.2))
    spec['matchConditions'] = [{ name: random.pick(['a', 'a/b', '']), expression: expression(random, 2) }];
  if (random.chance(0.15))
    spec['auditAnnotations'] = [
      { key: random.pick(['a', 'a/b', '']), valueExpression: expression(random, 1) },
    ];
  return {
    method: 'POST',
    path: `${policies}?dryRun=All`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: `p${i}` },
      spec,
    },
    step: JSON.stringify({ ...spec, matchConstraints: undefined }),
  };
}
