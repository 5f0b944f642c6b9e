import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtinTypes, runtimeConfig } from '@orch/apis';
import {
  DEFINITIONS,
  definition,
  established,
  GROUP,
  schemaOf,
  spec,
  v1,
} from '@orch/custom-resources/testing';
import { namesFor } from '@orch/machinery';
import { FakeClock, until } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { ApiFixture, type ApiFixtureOptions } from '../testing/index.ts';

const names = namesFor('orch');
const isEnabled = runtimeConfig(['api/all=true'], builtinTypes, names);
const apiVersion = names.apiVersion('admissionregistration', 'v1');
const POLICIES = `/apis/${apiVersion}/validatingadmissionpolicies`;

const deployments = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const pods = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const cronTabs = { apiGroups: [GROUP], apiVersions: ['v1'], resources: ['crontabs'] };

interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
}

const policy = (name: string, rules: readonly Rule[], fields: object): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: rules.map((rule) => ({ ...rule, operations: ['*'] })) },
    ...fields,
  },
});

const validation = (expression: string): object => ({ validations: [{ expression }] });

/** An API that checks policies. */
class CheckingApi implements AsyncDisposable {
  readonly api: ApiFixture;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(api: ApiFixture) {
    this.api = api;
    this.#running = api.runTask('policy type checks', this.#stop.signal);
  }

  static async open(options: ApiFixtureOptions = {}): Promise<CheckingApi> {
    return new CheckingApi(await ApiFixture.open({ isEnabled, ...options }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.api[Symbol.asyncDispose]();
  }
}

interface Status {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly Warning[] };
}
interface Warning {
  readonly fieldRef: string;
  readonly warning: string;
}

const statusOf = async (api: ApiFixture, name: string): Promise<Status> =>
  (await api.get(`${POLICIES}/${name}`)).json.status ?? {};

const create = async (api: ApiFixture, object: object): Promise<void> => {
  const { status, text } = await api.post(POLICIES, object);
  assert.equal(status, 201, text);
};

/** The status once a generation was observed. */
async function observed(api: ApiFixture, name: string, generation = 1): Promise<Status> {
  await until(
    async () => (await statusOf(api, name)).observedGeneration === generation,
    `generation ${generation} of ${name} is observed`,
  );
  return statusOf(api, name);
}

const warningsOf = ({ typeChecking }: Status): readonly Warning[] => typeChecking?.expressionWarnings ?? [];

/** Waits until the first warning contains a string. */
const untilWarned = (api: ApiFixture, name: string, text: string): Promise<void> =>
  until(
    async () => warningsOf(await statusOf(api, name))[0]?.warning.includes(text) === true,
    `${name} has a warning with ${text}`,
  );

interface Row {
  readonly what: string;
  readonly rules: readonly Rule[];
  readonly fields: object;
  /** Paths of the expressions with warnings, and parts of these. */
  readonly warned: readonly (readonly [fieldRef: string, ...parts: readonly string[]])[];
}

const misspelt = validation('object.spec.replcas <= 5');

const table: readonly Row[] = [
  {
    what: 'an expression that fits the kind has no warning',
    rules: [deployments],
    fields: validation('object.spec.replicas <= 5 && (oldObject == null || oldObject.metadata.name != "")'),
    warned: [],
  },
  {
    what: 'a warning names the kind, the position and the field, and shows the expression',
    rules: [deployments],
    fields: misspelt,
    warned: [
      [
        'spec.validations[0].expression',
        "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replcas'\n | object.spec.replcas <= 5\n | ...........^",
      ],
    ],
  },
  {
    what: 'values of a wrong type have a warning',
    rules: [deployments],
    fields: validation("object.spec.replicas == 'a'"),
    warned: [
      ['spec.validations[0].expression', "found no matching overload for '_==_' applied to '(int, string)'"],
    ],
  },
  {
    what: 'oldObject has the type of the object',
    rules: [deployments],
    fields: validation('oldObject.spec.replcas == 1'),
    warned: [['spec.validations[0].expression', "undefined field 'replcas'"]],
  },
  {
    what: 'each kind that does not fit has a line',
    rules: [{ ...deployments, resources: ['deployments', 'statefulsets', 'daemonsets'] }],
    fields: validation('object.spec.replicas <= 5 && object.spec.serviceName != ""'),
    warned: [
      [
        'spec.validations[0].expression',
        "apps/v1, Kind=DaemonSet: ERROR: <input>:1:12: undefined field 'replicas'",
        "apps/v1, Kind=Deployment: ERROR: <input>:1:41: undefined field 'serviceName'",
      ],
    ],
  },
  {
    what: 'the core group is checked',
    rules: [pods],
    fields: validation('object.spec.containers.all(c, c.imge != "")'),
    warned: [['spec.validations[0].expression', 'v1, Kind=Pod', "undefined field 'imge'"]],
  },
  {
    what: 'messages, variables, audit annotations and match conditions are checked too',
    rules: [deployments],
    fields: {
      variables: [
        { name: 'most', expression: 'object.spec.mst' },
        { name: 'name', expression: 'object.metadata.name' },
      ],
      validations: [{ expression: 'variables.name == 1', messageExpression: "'is ' + string(object.spce)" }],
      auditAnnotations: [{ key: 'a', valueExpression: 'string(object.sepc)' }],
      matchConditions: [{ name: 'm', expression: 'object.spc == null' }],
    },
    warned: [
      ['spec.variables[0].expression', "undefined field 'mst'"],
      ['spec.validations[0].expression', "'_==_' applied to '(string, int)'"],
      ['spec.validations[0].messageExpression', "undefined field 'spce'"],
      ['spec.auditAnnotations[0].valueExpression', "undefined field 'sepc'"],
      ['spec.matchConditions[0].expression', "undefined field 'spc'"],
    ],
  },
  {
    what: 'parameters have the type of their kind',
    rules: [deployments],
    fields: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...validation("params == null || params.dta.most == '1'"),
    },
    warned: [['spec.validations[0].expression', "undefined field 'dta'"]],
  },
  {
    what: 'parameters of a kind that is not served have any type',
    rules: [deployments],
    fields: {
      paramKind: { apiVersion: 'absent.example.com/v1', kind: 'Limit' },
      ...validation('params.any.field == 1'),
    },
    warned: [],
  },
  {
    what: 'rules with all groups are not checked',
    rules: [{ ...deployments, apiGroups: ['*'] }],
    fields: misspelt,
    warned: [],
  },
  {
    what: 'rules with all versions are not checked',
    rules: [{ ...deployments, apiVersions: ['*'] }],
    fields: misspelt,
    warned: [],
  },
  {
    what: 'all resources, and subresources, are not checked',
    rules: [
      { ...deployments, resources: ['*'] },
      { ...deployments, resources: ['deployments/scale'] },
    ],
    fields: misspelt,
    warned: [],
  },
  {
    what: 'a rule without wildcards is checked beside one with a wildcard',
    rules: [{ ...deployments, apiGroups: ['*'] }, deployments],
    fields: misspelt,
    warned: [['spec.validations[0].expression', "undefined field 'replcas'"]],
  },
  {
    what: 'kinds that are not served are not checked',
    rules: [{ ...deployments, resources: ['absents'] }],
    fields: misspelt,
    warned: [],
  },
];

describe('type checks of admission policies', () => {
  let checking: CheckingApi;
  let api: ApiFixture;
  before(async () => {
    checking = await CheckingApi.open();
    ({ api } = checking);
  });
  after(() => checking[Symbol.asyncDispose]());

  for (const [i, { what, rules, fields, warned }] of table.entries())
    it(what, async () => {
      await create(api, policy(`row${i}`, rules, fields));
      const status = await observed(api, `row${i}`);
      const warnings = warningsOf(status);
      assert.deepEqual(
        warnings.map(({ fieldRef }) => fieldRef),
        warned.map(([fieldRef]) => fieldRef),
      );
      for (const [n, [, ...parts]] of warned.entries())
        for (const part of parts) assert.ok(warnings[n]?.warning.includes(part), warnings[n]?.warning);
      if (warned.length === 0) assert.deepEqual(status.typeChecking, {});
    });

  it('a corrected policy loses its warnings, and a client cannot write them', async () => {
    await create(api, policy('corrected', [deployments], misspelt));
    assert.equal(warningsOf(await observed(api, 'corrected')).length, 1);
    await api.patch(`${POLICIES}/corrected`, {
      spec: validation('object.spec.replicas <= 5'),
      status: { typeChecking: { expressionWarnings: [{ fieldRef: 'a', warning: 'b' }] } },
    });
    assert.deepEqual((await observed(api, 'corrected', 2)).typeChecking, {});
  });

  it('a policy with many kinds and expressions has a bounded number of warnings of bounded size', async () => {
    const groups = Array.from({ length: 200 }, (_, i) => `g${i}.example.com`);
    const expression = Array.from({ length: 30 }, (_, i) => `object.wrong${i} == 1`).join(' || ');
    const rules = [
      { ...deployments, resources: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'] },
      { apiGroups: groups, apiVersions: groups, resources: groups },
    ];
    await create(
      api,
      policy('large', rules, { validations: Array.from({ length: 60 }, () => ({ expression })) }),
    );
    const warnings = warningsOf(await observed(api, 'large'));
    assert.equal(warnings.length, 50);
    for (const { warning } of warnings) assert.ok(warning.length < 4 * 1200, `${warning.length}`);
  });
});

describe('type checks of admission policies about custom resources', () => {
  const wrong = validation('object.spec.cronSpce == "*"');

  it('a policy is checked again when a definition of its group appears, changes or is deleted', async () => {
    await using checking = await CheckingApi.open();
    const { api } = checking;
    await create(api, policy('crontabs', [cronTabs], wrong));
    assert.deepEqual((await observed(api, 'crontabs')).typeChecking, {});
    await api.post(DEFINITIONS, definition());
    await established(api);
    await untilWarned(
      api,
      'crontabs',
      `${GROUP}/v1, Kind=CronTab: ERROR: <input>:1:12: undefined field 'cronSpce'`,
    );
    const renamed = { ...spec, properties: { cronSpce: { type: 'string' } }, required: [] };
    const changed = { ...v1, schema: schemaOf({ spec: renamed }) };
    await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { spec: { versions: [changed] } });
    const untilFitting = (): Promise<void> =>
      until(
        async () => warningsOf(await statusOf(api, 'crontabs')).length === 0,
        'the policy has no warnings',
      );
    await untilFitting();
    await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { spec: { versions: [v1] } });
    await untilWarned(api, 'crontabs', "undefined field 'cronSpce'");
    await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    await untilFitting();
  });

  it('a custom kind is a kind of parameters', async () => {
    await using checking = await CheckingApi.open();
    const { api } = checking;
    await api.post(DEFINITIONS, definition());
    await established(api);
    const paramKind = { apiVersion: `${GROUP}/v1`, kind: 'CronTab' };
    const fields = { paramKind, ...validation('object.spec.replicas <= params.spec.replcas') };
    await create(api, policy('params', [deployments], fields));
    const [warning] = warningsOf(await observed(api, 'params'));
    assert.match(warning?.warning ?? '', /undefined field 'replcas'/);
  });

  it('two replicas write the result once and do not overwrite each other', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    await using first = await CheckingApi.open({ store });
    await using second = await CheckingApi.open({ store, seed: 2 });
    const [one, two] = [first.api, second.api];
    await create(one, policy('shared', [deployments], misspelt));
    await observed(two, 'shared');
    const { json: written } = await one.get(`${POLICIES}/shared`);
    await create(one, policy('later', [deployments], misspelt));
    await observed(one, 'later');
    await two.settled();
    const { json: kept } = await two.get(`${POLICIES}/shared`);
    assert.equal(kept.metadata.resourceVersion, written.metadata.resourceVersion);
  });
});
