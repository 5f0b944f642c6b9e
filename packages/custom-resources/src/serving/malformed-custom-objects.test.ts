import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { DEFAULT_STORE_PREFIX } from '@orch/registry';
import { crontab, crontabs, DEFINITIONS, GROUP, schemaOf, v1, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const signal = new AbortController().signal;
const template = { type: 'object', 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true };
const schema = schemaOf({
  spec: {
    type: 'object',
    properties: { cronSpec: { type: 'string' }, template, templates: { type: 'array', items: template } },
  },
});
const withTemplate = { ...v1, schema };
const noTemplate = {
  ...v1,
  name: 'v0',
  storage: false,
  schema: schemaOf({ spec: { type: 'object', 'x-orch-preserve-unknown-fields': true } }),
};

/** Stores bytes as another server would have. */
async function store(api: CustomResourcesFixture, name: string, object: object): Promise<void> {
  const key = `${DEFAULT_STORE_PREFIX}crontabs.${GROUP}/default/${name}`;
  const { ok } = await api.model.commit(
    { op: 'create', key, value: Buffer.from(JSON.stringify(object)) },
    signal,
  );
  assert.ok(ok);
}

const stored = (name: string, parts: { metadata?: object; spec?: object; version?: string }): object => ({
  apiVersion: `${GROUP}/${parts.version ?? 'v1'}`,
  kind: 'CronTab',
  metadata: {
    name,
    namespace: 'default',
    uid: `00000000-0000-4000-8000-00000000000${name.length}`,
    ...parts.metadata,
  },
  spec: { cronSpec: '*', ...parts.spec },
});

const malformed = {
  apiVersion: 7,
  kind: ['x'],
  metadata: { name: 'inner', labels: 'x', annotations: { a: 'b' } },
  data: 1,
};

describe('custom objects that another server stored with malformed metadata', () => {
  const cases: readonly (readonly [title: string, parts: Parameters<typeof stored>[1], expected: object])[] =
    [
      [
        'metadata of the object',
        {
          metadata: {
            labels: 'x',
            annotations: { a: 'b' },
            finalizers: 'y',
            generation: 'z',
            ownerReferences: [1],
          },
        },
        { metadata: { annotations: { a: 'b' } }, spec: { cronSpec: '*' } },
      ],
      [
        'metadata of an embedded object',
        { spec: { template: malformed } },
        {
          spec: {
            cronSpec: '*',
            template: { metadata: { name: 'inner', annotations: { a: 'b' } }, data: 1 },
          },
        },
      ],
      [
        'metadata of an embedded object that is not an object',
        { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: 'x' } } },
        { spec: { cronSpec: '*', template: { apiVersion: 'v1', kind: 'Pod' } } },
      ],
      [
        'metadata of embedded objects in a list',
        { spec: { templates: [malformed, { apiVersion: 'v1', kind: 'Pod' }] } },
        {
          spec: {
            cronSpec: '*',
            templates: [
              { metadata: { name: 'inner', annotations: { a: 'b' } }, data: 1 },
              { apiVersion: 'v1', kind: 'Pod' },
            ],
          },
        },
      ],
    ];
  for (const [title, parts, expected] of cases) {
    for (const version of ['v1', 'v0']) {
      it(`custom objects that another server stored with malformed metadata are read without what is malformed, next to others: ${title}, stored in ${version}`, async () => {
        await using api = await withCronTabs({}, [withTemplate, noTemplate]);
        assert.equal((await api.post(crontabs(), crontab('good'))).status, 201);
        await store(api, 'bad', stored('bad', { ...parts, version }));
        const got = await api.get(crontabs('bad'));
        assert.equal(got.status, 200, got.text);
        assert.deepEqual(pick(got.json, expected), expected);
        const list = await api.get(crontabs());
        assert.deepEqual(
          list.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
          ['bad', 'good'],
        );
        assert.deepEqual(pick(list.json.items[0], expected), expected);
        const table = await api.get(crontabs(), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
        assert.equal(table.json.rows.length, 2);
        const watch = await api.watch(`${crontabs()}?watch=true`);
        await watch.until(2);
        assert.deepEqual(pick(watch.events[0].object, expected), expected);
        watch.stop();
        const changed = await api.patch(crontabs('bad'), { spec: { cronSpec: '@daily' } });
        assert.ok([200, 422].includes(changed.status), changed.text);
        assert.equal((await api.delete(crontabs('bad'))).status, 200);
        assert.equal((await api.get(crontabs('bad'))).status, 404);
      });
    }
  }

  it('custom objects that another server stored with malformed metadata do not keep the definition from being deleted', async () => {
    await using api = await withCronTabs({}, [withTemplate]);
    await store(
      api,
      'bad',
      stored('bad', { metadata: { labels: 'x', finalizers: 'y' }, spec: { template: malformed } }),
    );
    await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    await until(async () => {
      api.env.clock.advance(1000);
      return (await api.get(`${DEFINITIONS}/crontabs.${GROUP}`)).status === 404;
    }, 'the definition is removed');
  });

  it('custom objects that another server stored with malformed metadata keep the definition when they cannot be read at all, until they are removed explicitly', async () => {
    await using api = await withCronTabs({}, [withTemplate]);
    await store(api, 'worse', { apiVersion: 1, metadata: 'x' });
    await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    const definition = async () => {
      api.env.clock.advance(1000);
      return await api.get(`${DEFINITIONS}/crontabs.${GROUP}`);
    };
    for (let round = 0; round < 50; round++) assert.equal((await definition()).status, 200);
    const removed = await api.delete(
      `${crontabs('worse')}?ignoreStoreReadErrorWithClusterBreakingPotential=true`,
    );
    assert.equal(removed.status, 200, removed.text);
    await until(async () => (await definition()).status === 404, 'the definition is removed');
  });
});

const always = new Set(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']);

/** The fields of an object that `expected` has, without the metadata that every object has. */
function pick(value: Record<string, object>, expected: object): unknown {
  const own = (metadata: object = {}): object =>
    Object.fromEntries(Object.entries(metadata).filter(([name]) => !always.has(name)));
  return Object.fromEntries(
    Object.keys(expected).map((key) => [key, key === 'metadata' ? own(value[key]) : value[key]]),
  );
}
