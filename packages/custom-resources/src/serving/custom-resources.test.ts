import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import {
  conditionsOf,
  crontab,
  crontabs,
  DEFINITIONS,
  definition,
  established,
  GROUP,
  schemaOf,
  spec,
  status,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

describe('custom resources', () => {
  it('a definition becomes established and its objects are created, read, changed, listed and deleted', async () => {
    await using api = await withCronTabs();
    const created = await api.post(crontabs(), crontab('a'));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.json.spec, { cronSpec: '*', replicas: 1 });
    assert.equal(created.json.metadata.generation, 1);
    const changed = await api.patch(crontabs('a'), { spec: { replicas: 3 } });
    assert.deepEqual([changed.status, changed.json.metadata.generation], [200, 2], changed.text);
    assert.deepEqual((await api.get(crontabs('a'))).json, changed.json);
    const list = await api.get(crontabs());
    assert.deepEqual([list.json.kind, list.json.items.length], ['CronTabList', 1]);
    assert.deepEqual(list.json.items[0].spec, { cronSpec: '*', replicas: 3 });
    assert.equal((await api.delete(crontabs('a'))).status, 200);
    assert.equal((await api.get(crontabs('a'))).status, 404);
  });

  it('an object that breaks its schema is refused with the field and the rule', async () => {
    await using api = await withCronTabs();
    const refused = await api.post(crontabs(), { ...crontab('a'), spec: { cronSpec: '* *', replicas: 0 } });
    assert.equal(refused.status, 422, refused.text);
    const fields = refused.json.details.causes.map(({ field }: { field: string }) => field);
    assert.deepEqual(fields.toSorted(), ['spec.cronSpec', 'spec.replicas']);
  });

  it('fields that the schema does not declare are pruned from stored objects', async () => {
    await using api = await withCronTabs();
    const created = await api.post(crontabs(), {
      ...crontab('a'),
      spec: { cronSpec: '*', other: 1 },
      more: true,
    });
    assert.deepEqual([created.json.spec, 'more' in created.json], [{ cronSpec: '*', replicas: 1 }, false]);
  });

  it('the status subresource writes the status only, and the main resource leaves it as it is', async () => {
    await using api = await withCronTabs();
    const created = await api.post(crontabs(), { ...crontab('a'), status: { phase: 'Sent' } });
    assert.equal(created.json.status, undefined);
    const written = await api.put(crontabs('a', 'v1', '/status'), {
      ...created.json,
      spec: { cronSpec: 'changed' },
      status: { phase: 'Running', replicas: 2 },
    });
    assert.equal(written.status, 200, written.text);
    assert.deepEqual([written.json.spec.cronSpec, written.json.status.phase], ['*', 'Running']);
    assert.equal(written.json.metadata.generation, 1);
    const main = await api.put(crontabs('a'), { ...written.json, status: { phase: 'Other' } });
    assert.deepEqual(main.json.status, written.json.status);
  });

  it('the scale subresource reads and writes the replicas at the declared paths', async () => {
    await using api = await withCronTabs();
    await api.post(crontabs(), crontab('a'));
    const scale = await api.get(crontabs('a', 'v1', '/scale'));
    assert.deepEqual(
      [scale.json.kind, scale.json.apiVersion, scale.json.spec],
      ['Scale', 'autoscaling/v1', { replicas: 1 }],
    );
    const put = await api.put(crontabs('a', 'v1', '/scale'), { ...scale.json, spec: { replicas: 4 } });
    assert.equal(put.status, 200, put.text);
    assert.equal((await api.get(crontabs('a'))).json.spec.replicas, 4);
  });

  it('a rule over a field of the format duration reads every string that the format accepts', async () => {
    const rule = 'self > duration("1s")';
    const dur = {
      type: 'string',
      format: 'duration',
      [namesFor('orch').schemaExtensions.validations]: [{ rule }],
    };
    const spec = { type: 'object', properties: { dur } };
    await using api = await withCronTabs({}, [{ ...v1, schema: schemaOf({ spec }), subresources: {} }]);
    for (const [value, code] of [
      ['1d', 201],
      ['1w', 201],
      ['P1D', 201],
      ['2 hours', 201],
      ['1ms', 422],
      ['soon', 422],
    ] as const) {
      const made = await api.post(`${crontabs()}?dryRun=All`, { ...crontab('a'), spec: { dur: value } });
      assert.equal(made.status, code, `${value}: ${made.text}`);
    }
  });

  it('replicas that no Scale can show are refused in objects', async () => {
    const open = { type: 'object', 'x-orch-preserve-unknown-fields': true };
    await using api = await withCronTabs({}, [{ ...v1, schema: schemaOf({ spec: open, status: open }) }]);
    const scaled = (replicas: unknown): object => ({ spec: { replicas } });
    const causes = ({ json }: Answered): unknown => json.details.causes;
    const refused = await api.post(crontabs(), { ...crontab('a'), ...scaled(-1) });
    assert.deepEqual(causes(refused), [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: -1: should be a non-negative integer',
        field: '.spec.replicas',
      },
    ]);
    assert.equal((await api.post(crontabs(), crontab('a'))).status, 201);
    assert.equal((await api.patch(crontabs('a'), scaled(2 ** 31))).status, 422);
    const status = await api.patch(crontabs('a', 'v1', '/status'), { status: { replicas: 'many' } });
    assert.equal(status.status, 422, status.text);
    assert.equal((await api.patch(crontabs('a'), scaled(2 ** 31 - 1))).status, 200);
  });

  it('finalizers without a domain are kept, as operators have them', async () => {
    await using api = await withCronTabs();
    const finalizers = ['cleanup', 'finalizer.example.com'];
    const created = await api.post(crontabs(), { ...crontab('a'), metadata: { name: 'a', finalizers } });
    assert.deepEqual([created.status, created.json.metadata?.finalizers], [201, finalizers], created.text);
    const malformed = await api.patch(crontabs('a'), { metadata: { finalizers: ['a b'] } });
    assert.equal(malformed.status, 422, malformed.text);
    const inDefinition = await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { metadata: { finalizers } });
    assert.equal(inDefinition.status, 200, inDefinition.text);
  });

  it('a definition can still be changed while its objects are being deleted', async () => {
    await using api = await withCronTabs();
    const finalizers = ['example.com/hold'];
    await api.post(crontabs(), { ...crontab('a'), metadata: { name: 'a', finalizers } });
    assert.equal((await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`)).status, 200);
    const labelled = await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, {
      metadata: { labels: { a: 'b' } },
    });
    assert.deepEqual([labelled.status, labelled.json.metadata?.labels], [200, { a: 'b' }], labelled.text);
  });

  it('a table shows the columns of the definition', async () => {
    await using api = await withCronTabs();
    await api.post(crontabs(), crontab('a', '@daily'));
    const table = await api.get(crontabs(), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    const columns = table.json.columnDefinitions.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      [columns, table.json.rows[0].cells],
      [
        ['Name', 'Spec'],
        ['a', '@daily'],
      ],
    );
  });

  it('deleting a definition deletes its objects first, refuses new ones meanwhile and tells watchers', async () => {
    await using api = await withCronTabs();
    const held = { ...crontab('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    for (const object of [crontab('a'), held]) assert.equal((await api.post(crontabs(), object)).status, 201);
    const watch = await api.watch(`${crontabs()}?watch=true`);
    await watch.until(2);
    assert.equal((await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`)).status, 200);
    await until(
      async () => (await api.get(crontabs('a'))).status === 404,
      'the object without finalizer is gone',
    );
    const terminating = await api.get(`${DEFINITIONS}/crontabs.${GROUP}`);
    assert.ok(conditionsOf(terminating).includes('Terminating=True'), terminating.text);
    assert.equal((await api.post(crontabs(), crontab('late'))).status, 405);
    assert.ok(watch.events.some(({ type, object }) => type === 'DELETED' && object.metadata.name === 'a'));
    await api.patch(crontabs('held'), { metadata: { finalizers: null } });
    await until(async () => {
      api.env.clock.advance(1000);
      return (await api.get(`${DEFINITIONS}/crontabs.${GROUP}`)).status === 404;
    }, 'the definition is gone');
    assert.equal((await api.get(crontabs())).status, 404);
  });

  it('names that another definition of the group has are refused by a condition, until they are free', async () => {
    await using api = await withCronTabs();
    const other = `others.${GROUP}`;
    const taken = { plural: 'others', singular: 'other', kind: 'CronTab', shortNames: [] };
    assert.equal((await api.post(DEFINITIONS, definition([v1], taken, other))).status, 201);
    await until(
      async () => conditionsOf(await api.get(`${DEFINITIONS}/${other}`)).includes('NamesAccepted=False'),
      'the names are refused',
    );
    assert.equal((await api.get(`/apis/${GROUP}/v1/namespaces/default/others`)).status, 404);
    await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    await established(api, other);
    assert.equal((await api.get(`/apis/${GROUP}/v1/namespaces/default/others`)).status, 200);
  });

  it('several versions serve the same objects, each pruned and defaulted by its own schema', async () => {
    const v2 = {
      ...v1,
      name: 'v2',
      storage: false,
      schema: schemaOf({
        spec: {
          type: 'object',
          properties: { cronSpec: { type: 'string' }, zone: { type: 'string', default: 'UTC' } },
        },
      }),
    };
    await using api = await withCronTabs({}, [v1, v2]);
    await api.post(crontabs(), crontab('a'));
    const second = await api.get(crontabs('a', 'v2'));
    assert.deepEqual(
      [second.json.apiVersion, second.json.spec],
      [`${GROUP}/v2`, { cronSpec: '*', zone: 'UTC' }],
    );
    const list = await api.get(crontabs('', 'v2'));
    assert.deepEqual(list.json.items[0].spec, { cronSpec: '*', zone: 'UTC' });
    await api.post(crontabs('', 'v2'), crontab('b', '@hourly', 'v2'));
    assert.deepEqual((await api.get(crontabs('b'))).json.spec, { cronSpec: '@hourly', replicas: 1 });
  });

  for (const [storage, storedVersion] of [
    ['with /status', 'v1'],
    ['without it', 'v2'],
  ] as const) {
    it(`a version without /status writes the status with the object, stored in the one ${storage}`, async () => {
      const { subresources: _subresources, ...plain } = v1;
      const versions = [v1, { ...plain, name: 'v2' }].map((one) => ({
        ...one,
        storage: one.name === storedVersion,
      }));
      await using api = await withCronTabs({}, versions);
      const body = { ...crontab('a', '*', 'v2'), status: { phase: 'made' } };
      const made = await api.post(crontabs('', 'v2'), body);
      assert.equal(made.json.status?.phase, 'made', made.text);
      const written = await api.patch(crontabs('a', 'v2'), { status: { phase: 'written' } });
      assert.deepEqual([written.json.status?.phase, written.json.metadata.generation], ['written', 2]);
      const kept = await api.patch(crontabs('a'), { status: { phase: 'ignored' } });
      assert.deepEqual([kept.json.status?.phase, kept.json.metadata.generation], ['written', 2]);
      const through = await api.patch(crontabs('a', 'v1', '/status'), { status: { phase: 'sent' } });
      assert.deepEqual([through.json.status?.phase, through.json.metadata.generation], ['sent', 2]);
    });
  }

  it('versions of one schema have tables with the columns of each, with and without the objects', async () => {
    const columns = (jsonPath: string) => [{ name: 'C', type: 'string', jsonPath }];
    const first = { ...v1, additionalPrinterColumns: columns('.spec.cronSpec') };
    const second = {
      ...v1,
      name: 'v2',
      storage: false,
      additionalPrinterColumns: columns('.spec.replicas'),
    };
    await using api = await withCronTabs({}, [first, second]);
    await api.post(crontabs(), crontab('a', '@daily'));
    for (const include of ['', '?includeObject=None', '?includeObject=Object'])
      for (const [version, cell] of [
        ['v1', '@daily'],
        ['v2', '1'],
        ['v1', '@daily'],
      ] as const) {
        const table = await api.get(`${crontabs('', version)}${include}`, {
          accept: 'application/json;as=Table;g=meta.orch.io;v=v1',
        });
        assert.deepEqual(table.json.rows[0].cells, ['a', cell], `${version} ${include}`);
      }
  });

  it('a changed schema applies to stored objects and ends watches, which resume where they were', async () => {
    await using api = await withCronTabs();
    const created = await api.post(crontabs(), crontab('a'));
    const watch = await api.watch(
      `${crontabs()}?watch=true&resourceVersion=${created.json.metadata.resourceVersion}`,
    );
    const zone = { type: 'string', default: 'UTC' };
    const schema = schemaOf({ spec: { ...spec, properties: { ...spec.properties, zone } }, status });
    await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { spec: { versions: [{ ...v1, schema }] } });
    await watch.ended;
    await until(async () => (await api.get(crontabs('a'))).json.spec?.zone === 'UTC', 'the default is shown');
    const resumed = await api.watch(
      `${crontabs()}?watch=true&resourceVersion=${created.json.metadata.resourceVersion}`,
    );
    await api.patch(crontabs('a'), { spec: { replicas: 7 } });
    await resumed.until(1);
    assert.deepEqual(resumed.events[0].object.spec, { cronSpec: '*', replicas: 7, zone: 'UTC' });
    resumed.stop();
  });

  it('defaults of a changed schema are in lists, chunks, tables, watches and selections of objects that were stored before', async () => {
    await using api = await withCronTabs();
    for (const name of ['a', 'b']) await api.post(crontabs(), crontab(name));
    const zone = { type: 'string', default: 'UTC' };
    const version = {
      ...v1,
      schema: schemaOf({ spec: { ...spec, properties: { ...spec.properties, zone } }, status }),
      selectableFields: [{ jsonPath: '.spec.zone' }],
      additionalPrinterColumns: [{ name: 'Zone', type: 'string', jsonPath: '.spec.zone' }],
    };
    await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { spec: { versions: [version] } });
    await until(async () => (await api.get(crontabs('a'))).json.spec?.zone === 'UTC', 'the default is shown');
    const zonesOf = ({ json }: Answered): readonly unknown[] =>
      json.items.map((item: { spec: { zone: unknown } }) => item.spec.zone);
    assert.deepEqual(zonesOf(await api.get(crontabs())), ['UTC', 'UTC']);
    assert.deepEqual(zonesOf(await api.get(`${crontabs()}?resourceVersion=0`)), ['UTC', 'UTC']);
    const first = await api.get(`${crontabs()}?limit=1`);
    const next = await api.get(`${crontabs()}?limit=1&continue=${first.json.metadata.continue}`);
    assert.deepEqual([...zonesOf(first), ...zonesOf(next)], ['UTC', 'UTC']);
    assert.deepEqual(zonesOf(await api.get(`${crontabs()}?fieldSelector=spec.zone%3DUTC`)), ['UTC', 'UTC']);
    const accept = `application/json;as=Table;v=v1;g=${namesFor('orch').group('meta')}`;
    const table = await api.get(crontabs(), { accept });
    assert.deepEqual(
      table.json.rows.map(({ cells }: { cells: unknown }) => cells),
      [
        ['a', 'UTC'],
        ['b', 'UTC'],
      ],
    );
    const watch = await api.watch(`${crontabs()}?watch=true&resourceVersion=0`);
    await watch.until(2);
    assert.equal((await api.delete(crontabs('b'))).status, 200);
    await watch.until(3);
    assert.deepEqual(
      watch.events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.spec.zone}`),
      ['ADDED a UTC', 'ADDED b UTC', 'DELETED b UTC'],
    );
    watch.stop();
  });

  it('a second replica serves a definition that the first has just established, and its objects', async () => {
    await using first = await CustomResourcesFixture.open();
    await using second = await CustomResourcesFixture.open({ store: first.model, env: first.env });
    await first.post(DEFINITIONS, definition());
    await established(first);
    const created = await second.post(crontabs(), crontab('a'));
    assert.equal(created.status, 201, created.text);
    assert.equal((await first.get(crontabs('a'))).json.spec.cronSpec, '*');
  });

  it('strategic merge patches are refused with 415, and server-side apply works', async () => {
    await using api = await withCronTabs();
    await api.post(crontabs(), crontab('a'));
    const strategic = await api.send('PATCH', crontabs('a'), {
      body: { spec: { replicas: 2 } },
      contentType: 'application/strategic-merge-patch+json',
    });
    assert.equal(strategic.status, 415);
    const applied = await api.send('PATCH', `${crontabs('b')}?fieldManager=me`, {
      body: JSON.stringify(crontab('b')),
      contentType: 'application/apply-patch+yaml',
    });
    assert.equal(applied.status, 201, applied.text);
    assert.equal(applied.json.metadata.managedFields[0].manager, 'me');
  });
});

describe('names of custom resources', () => {
  it('one of several definitions that are created at once and want the same names is established', async () => {
    await using api = await CustomResourcesFixture.open();
    const plurals = ['firsts', 'seconds', 'thirds', 'fourths'];
    await Promise.all(
      plurals.map((plural) =>
        api.post(DEFINITIONS, definition([v1], { plural, singular: 'one' }, `${plural}.${GROUP}`)),
      ),
    );
    const decided = async (): Promise<readonly (readonly string[])[]> =>
      Promise.all(
        plurals.map(async (plural) => conditionsOf(await api.get(`${DEFINITIONS}/${plural}.${GROUP}`))),
      );
    await until(async () => (await decided()).every((one) => one.length > 0), 'all names are decided on');
    const established = (await decided()).filter((one) => one.includes('Established=True'));
    assert.equal(established.length, 1);
  });
});
