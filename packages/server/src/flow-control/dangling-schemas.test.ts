import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { ApiFixture, type ApiFixtureOptions } from '../testing/index.ts';

const { signal } = new AbortController();

/** A replica that keeps the conditions of flow schemas. */
class ConditionsApi implements AsyncDisposable {
  readonly api: ApiFixture;
  readonly #path: string;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(api: ApiFixture, version: string) {
    this.api = api;
    this.#path = `/apis/${api.names.apiVersion('flowcontrol', version)}`;
    this.#running = api.runTask('conditions of flow schemas', this.#stop.signal);
  }

  static async open(options: ApiFixtureOptions = {}, version = 'v1beta2'): Promise<ConditionsApi> {
    return new ConditionsApi(await ApiFixture.open(options), version);
  }

  schemaPath(name: string): string {
    return `${this.#path}/flowschemas/${name}`;
  }

  async schema(name: string, level: string): Promise<void> {
    const spec = { priorityLevelConfiguration: { name: level }, matchingPrecedence: 1000, rules: [] };
    const { status, text } = await this.api.post(`${this.#path}/flowschemas`, { metadata: { name }, spec });
    assert.equal(status, 201, text);
  }

  async level(name: string): Promise<void> {
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    const { status, text } = await this.api.post(`${this.#path}/prioritylevelconfigurations`, {
      metadata: { name },
      spec,
    });
    assert.equal(status, 201, text);
  }

  deleteLevel(name: string): Promise<unknown> {
    return this.api.delete(`${this.#path}/prioritylevelconfigurations/${name}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: an object whose fields the tests know.
  async got(name: string): Promise<any> {
    return (await this.api.get(this.schemaPath(name))).json;
  }

  /** Waits until the condition has a status, and returns the schema. */
  async untilDangling(name: string, status: 'True' | 'False'): Promise<Awaited<ReturnType<this['got']>>> {
    await until(
      async () => (await this.got(name)).status?.conditions?.[0]?.status === status,
      `the condition of ${name} is ${status}`,
    );
    return this.got(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.api[Symbol.asyncDispose]();
  }
}

describe('the condition Dangling of flow schemas', () => {
  for (const naming of ['orch', 'kubernetes'] as const)
    for (const [release, version] of [
      ['1.20', 'v1beta1'],
      ['1.24', 'v1beta2'],
      ['1.27', 'v1beta3'],
    ] as const)
      it(`a schema of ${release} without its level is dangling under the naming ${naming}, and its manager is known`, async () => {
        await using replica = await ConditionsApi.open({ naming, release }, version);
        await replica.schema('mine', 'later');
        await replica.schema('found', 'catch-all');
        const { metadata, status } = await replica.untilDangling('mine', 'True');
        const [{ type, reason, message, lastTransitionTime }] = status.conditions;
        assert.deepEqual([type, reason], ['Dangling', 'NotFound']);
        assert.match(message, /"later" does not exist/);
        assert.match(lastTransitionTime, /^\d{4}-.*Z$/);
        const owner = metadata.managedFields.find(({ manager }: { manager?: string }) =>
          manager?.startsWith('api-priority-and-fairness-config-consumer'),
        );
        assert.deepEqual(Object.keys(owner.fieldsV1), ['f:status']);
        const found = await replica.untilDangling('found', 'False');
        assert.equal(found.status.conditions[0].reason, 'Found');
      });

  it('a condition follows its level, and the level that the schema names', async () => {
    await using replica = await ConditionsApi.open();
    await replica.schema('mine', 'later');
    await replica.untilDangling('mine', 'True');
    await replica.level('later');
    const { status } = await replica.untilDangling('mine', 'False');
    assert.equal(status.conditions.length, 1);
    await replica.deleteLevel('later');
    await replica.untilDangling('mine', 'True');
    const spec = { priorityLevelConfiguration: { name: 'catch-all' } };
    await replica.api.patch(replica.schemaPath('mine'), { spec });
    await replica.untilDangling('mine', 'False');
  });

  it('schemas that exist before the start get their condition, and other conditions stay', async () => {
    await using api = await ApiFixture.open();
    const path = `/apis/${api.names.apiVersion('flowcontrol', 'v1beta2')}/flowschemas`;
    const spec = { priorityLevelConfiguration: { name: 'none' }, matchingPrecedence: 5, rules: [] };
    await api.post(path, { metadata: { name: 'old' }, spec });
    const lastTransitionTime = '2020-01-01T00:00:00Z';
    const conditions = [{ type: 'Other', status: 'True', reason: 'R', message: 'm', lastTransitionTime }];
    assert.equal((await api.patch(`${path}/old/status`, { status: { conditions } })).status, 200);
    await using replica = await ConditionsApi.open({ store: api.model });
    await until(
      async () => (await replica.got('old')).status.conditions.length === 2,
      'the condition is added',
    );
    const { status } = await replica.got('old');
    assert.deepEqual(
      status.conditions.map(({ type }: { type: string }) => type),
      ['Other', 'Dangling'],
    );
  });

  it('several replicas write a condition once for each change of a level', async () => {
    await using first = await ConditionsApi.open();
    await using second = await ConditionsApi.open({ store: first.api.model });
    await using third = await ConditionsApi.open({ store: first.api.model });
    await first.schema('mine', 'later');
    await first.untilDangling('mine', 'True');
    await second.level('later');
    await third.untilDangling('mine', 'False');
    for (let i = 0; i < 5; i++) {
      await first.deleteLevel('later');
      await second.untilDangling('mine', 'True');
      await third.level('later');
      await first.untilDangling('mine', 'False');
    }
    const revision = await first.api.model.currentRevision(signal);
    // Every replica sees this change of the schema, and finds its condition right.
    for (const [i, replica] of [first, second, third].entries()) {
      await replica.api.patch(replica.schemaPath('mine'), { metadata: { labels: { a: String(i) } } });
      for (const other of [first, second, third]) await other.untilDangling('mine', 'False');
    }
    assert.equal(await first.api.model.currentRevision(signal), revision + 3);
  });
});
