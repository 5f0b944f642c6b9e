import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes, Authorizer, Decision } from '@orch/auth';
import { AdmissionEnvironments } from '@orch/cel';
import { type ApiObject, namesFor } from '@orch/machinery';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import { testWrite } from '../testing/plugin-calls.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes } from '../types.ts';
import { type ConditionsOutcome, MatchConditions } from './match-conditions.ts';
import { WriteVariables } from './write-variables.ts';

const environments = new AdmissionEnvironments();
const names = namesFor('orch');
/** No time passes: on a slow machine, an evaluation would take long enough to give way to other work. */
const clock = { monotonic: () => 0 };

const isAdmin = ({ user, verb }: Attributes): boolean => user.name === 'admin' || verb === 'get';
const decide = (attributes: Attributes): Decision => ({
  verdict: isAdmin(attributes) ? 'allow' : 'noOpinion',
  reason: isAdmin(attributes) ? 'by a role' : '',
});
const authorizer: Authorizer = { authorize: decide };

const pod: ApiObject = {
  metadata: { name: 'till', namespace: 'shop', labels: { a: '1' } },
  spec: { count: 3 },
};
const older: ApiObject = { metadata: { name: 'till', namespace: 'shop' }, spec: { count: 2 } };
const user = { name: 'alice', uid: '', groups: ['staff'], extra: {} };

interface Setting {
  readonly write?: Partial<AdmissionAttributes>;
  readonly authorizer?: Authorizer;
}

async function variablesOf({ write = { object: pod }, authorizer: used = authorizer }: Setting = {}) {
  const attributes = testWrite({ user, ...write });
  const objects = new VersionedObjects(attributes);
  const shared = new WriteVariables({ authorizer: used, names, clock }, attributes, objects);
  return { turn: shared.turn, variables: await shared.in(attributes.requested) };
}

async function outcomeOf(expressions: readonly string[], setting?: Setting): Promise<ConditionsOutcome> {
  const conditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
  const { turn, variables } = await variablesOf(setting);
  return new MatchConditions(conditions, environments).evaluate(variables, turn);
}

const shown = (outcome: ConditionsOutcome): string => {
  if (outcome.kind === 'matches') return 'matches';
  return outcome.kind === 'excluded' ? `excluded by ${outcome.by}` : `failed: ${outcome.message}`;
};

const update = { object: pod, oldObject: older };
const unknownKey = "expression 'object.none == 1' resulted in error: no such key: none";

const table: readonly (readonly [
  what: string,
  expressions: readonly string[],
  write: Partial<AdmissionAttributes>,
  outcome: string,
])[] = [
  ['without conditions', [], update, 'matches'],
  ['when all conditions hold', ['object.spec.count == 3', "request.name == 'till'"], update, 'matches'],
  ['when one does not hold', ['true', 'object.spec.count == 4', 'true'], update, 'excluded by c1'],
  ['by the old object', ['oldObject.spec.count == 2'], update, 'matches'],
  ['when there is no old object', ['oldObject == null'], { object: pod }, 'matches'],
  ['when there is no new object', ['object == null && oldObject != null'], { oldObject: older }, 'matches'],
  ['when one has an error', ['true', 'object.none == 1'], update, `failed: ${unknownKey}`],
  [
    'when several have errors',
    ['object.none == 1', 'object.none == 1'],
    update,
    `failed: [${unknownKey}, ${unknownKey}]`,
  ],
  ['when one is false after errors', ['object.none == 1', 'false'], update, 'excluded by c1'],
  ['when one is false before errors', ['false', 'object.none == 1'], update, 'excluded by c0'],
  ['when a name is generated', ['!has(request.name)'], { object: { metadata: {} } }, 'matches'],
  [
    'by the user',
    [
      "request.userInfo.username == 'alice' && 'staff' in request.userInfo.groups && !has(request.userInfo.extra)",
    ],
    update,
    'matches',
  ],
  [
    'by the operation',
    ["request.operation == 'UPDATE' && request.dryRun && request.namespace == 'shop'"],
    { ...update, dryRun: true },
    'matches',
  ],
  [
    'by the options',
    ["request.options.fieldManager == 'me'"],
    { ...update, options: () => ({ fieldManager: 'me' }) },
    'matches',
  ],
  [
    'by the subresource',
    ["request.subResource == 'status' && request.requestSubResource == 'status'"],
    { ...update, subresource: 'status' },
    'matches',
  ],
  ['without a subresource', ['!has(request.subResource)'], update, 'matches'],
  [
    'by the resource and the kind',
    [
      "request.resource.resource == 'pods' && request.kind == request.requestKind && request.kind.kind == 'Thing'",
    ],
    update,
    'matches',
  ],
  [
    'by what the user may do with the resource of the request',
    ["authorizer.requestResource.check('get').allowed()"],
    update,
    'matches',
  ],
  [
    'by what the user may not do',
    ["authorizer.requestResource.check('sell').allowed()"],
    update,
    'excluded by c0',
  ],
  [
    'by the reason of a decision',
    ["authorizer.path('/x').check('GET').reason() == 'by a role'"],
    update,
    'matches',
  ],
  ['by an expression that is no longer valid', ['removedFunction()'], update, 'failed'],
];

describe('match conditions', () => {
  for (const [what, expressions, write, expected] of table) {
    it(`${what}, the outcome of conditions is: ${expected}`, async () => {
      const outcome = shown(await outcomeOf(expressions, { write }));
      assert.equal(expected === 'failed' ? outcome.slice(0, 6) : outcome, expected);
    });
  }

  it('conditions are evaluated synchronously when no decision is pending', async () => {
    const { turn, variables } = await variablesOf();
    const conditions = new MatchConditions(
      [{ name: 'a', expression: 'object.spec.count == 3' }],
      environments,
    );
    assert.deepEqual(conditions.evaluate(variables, turn), { kind: 'matches' });
  });

  it('conditions of policies have parameters, and others have none', async () => {
    const { turn, variables } = await variablesOf();
    const declared = [{ name: 'a', expression: 'params.most >= object.spec.count' }];
    const withParams = new MatchConditions(declared, environments, { hasParams: true });
    assert.deepEqual(await withParams.evaluate({ ...variables, params: { most: 5 } }, turn), {
      kind: 'matches',
    });
    const without = await new MatchConditions(declared, environments).evaluate(variables, turn);
    assert.match(shown(without), /undeclared reference to 'params'/);
  });

  it('match conditions see objects in the version that the webhook receives', async () => {
    const attributes = testWrite({ user, object: pod });
    const shared = new WriteVariables(
      { authorizer, names, clock },
      attributes,
      new VersionedObjects(attributes),
    );
    const beta = testResource({ path: 'example.com/v1beta1/tills', kind: 'Till' });
    const variables = await shared.in(beta);
    const conditions = new MatchConditions(
      [
        {
          name: 'a',
          expression:
            "object.apiVersion == 'example.com/v1beta1' && request.kind.version == 'v1beta1' && request.requestKind.version == 'v1'",
        },
      ],
      environments,
    );
    assert.deepEqual(await conditions.evaluate(variables, shared.turn), { kind: 'matches' });
  });
});

describe('decisions of the authorizer in conditions', () => {
  it('each question is asked once for a write, and an answer that takes time is awaited', async () => {
    const asked: Attributes[] = [];
    const remote: Authorizer = {
      authorize: async (attributes) => {
        asked.push(attributes);
        await new Promise((resolve) => setImmediate(resolve));
        return decide(attributes);
      },
    };
    const both =
      "authorizer.path('/x').check('get').allowed() && !authorizer.requestResource.check('sell').allowed()";
    assert.equal(shown(await outcomeOf([both, both, 'true'], { authorizer: remote })), 'matches');
    assert.deepEqual(
      asked.map(({ verb }) => verb),
      ['get', 'sell'],
    );
  });

  it('questions about a service account are asked for its user', async () => {
    const asked: Attributes[] = [];
    const recording: Authorizer = {
      authorize: (attributes) => {
        asked.push(attributes);
        return decide(attributes);
      },
    };
    const expression =
      "authorizer.serviceAccount('shop', 'till').group('apps').resource('deployments').namespace('shop').check('get').allowed()";
    assert.equal(shown(await outcomeOf([expression], { authorizer: recording })), 'matches');
    assert.deepEqual(asked, [
      {
        user: {
          name: 'system:serviceaccount:shop:till',
          uid: '',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
          extra: {},
        },
        isResource: true,
        verb: 'get',
        group: 'apps',
        version: '*',
        resource: 'deployments',
        subresource: '',
        namespace: 'shop',
        name: '',
      },
    ]);
  });

  for (const [how, failing] of [
    [
      'throws',
      () => {
        throw new Error('no answer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no answer'))],
  ] as const) {
    it(`an authorizer that ${how} has made no decision, and the condition reads why`, async () => {
      const check = "authorizer.requestResource.check('get')";
      const expression = `!${check}.allowed() && ${check}.errored() && ${check}.error() == 'no answer'`;
      // Three checks exceed the limit of one expression, so that there are several.
      const expressions = [`!${check}.allowed()`, `${check}.errored()`, `${check}.error() == 'no answer'`];
      assert.equal(shown(await outcomeOf(expressions, { authorizer: { authorize: failing } })), 'matches');
      assert.match(
        shown(await outcomeOf([expression], { authorizer: { authorize: failing } })),
        /cost limit exceeded/,
      );
    });
  }
});

describe('conditions that are expensive', () => {
  const list = `[${Array.from({ length: 30 }, (_, i) => i).join()}]`;
  const explosive = ['a', 'b', 'c', 'd', 'e', 'f'].reduceRight(
    (body, name) => `${list}.all(${name}, ${body})`,
    'a + b + c + d + e + f >= 0',
  );

  it('a condition that costs too much is cut off and fails', async () =>
    assert.match(shown(await outcomeOf([explosive])), /failed: expression .* actual cost limit exceeded/));

  it('conditions that cost too much together fail, and the rest is not evaluated', async () => {
    assert.equal(
      shown(await outcomeOf([explosive, explosive, explosive, 'false'])),
      'failed: validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  it('long lists, long strings and patterns of a malicious object are bounded by the same limit', async () => {
    const object = {
      metadata: {},
      spec: { list: Array.from({ length: 20_000 }, (_, i) => i), text: 'a'.repeat(500_000) },
    };
    for (const expression of [
      'object.spec.list.all(a, object.spec.list.exists(b, a == b))',
      "object.spec.text.matches('((a?){50}a{50}){10}b') || object.spec.text.findAll('a.*b|a').size() > 0",
      'object.spec.list.map(a, object.spec.list).size() > 0 && object.spec.list.all(a, !object.spec.text.contains(string(a)))',
      'object.spec.list.all(a, (object.spec.text + object.spec.text).size() > 0)',
    ])
      assert.match(
        shown(await outcomeOf([expression], { write: { object } })),
        /^failed: .*limit exceeded/,
        expression,
      );
  });

  it('other work gets turns while a condition takes long', async () => {
    const { variables } = await variablesOf();
    const conditions = [explosive, 'true'].map((expression, i) => ({ name: `c${i}`, expression }));
    let time = 0;
    const slow = { monotonic: () => (time += 10) };
    const attributes = testWrite({ object: pod });
    const { turn } = new WriteVariables(
      { authorizer, names, clock: slow },
      attributes,
      new VersionedObjects(attributes),
    );
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    const outcome = new MatchConditions(conditions, environments).evaluate(variables, turn);
    assert.ok(outcome instanceof Promise);
    assert.equal(turns, 0);
    await outcome;
    isOver = true;
    // The expensive one is cut off after 20 pieces.
    assert.ok(turns >= 20, String(turns));
  });
});
