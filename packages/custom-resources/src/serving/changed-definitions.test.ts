import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import {
  conditionsOf,
  crontab,
  crontabs,
  DEFINITION_VERSION,
  DEFINITIONS,
  established,
  GROUP,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const path = `${DEFINITIONS}/crontabs.${GROUP}`;
const v2 = { ...v1, name: 'v2', storage: false };
const conditionOf = ({ json }: Answered, wanted: string): Record<string, string> | undefined =>
  json.status?.conditions?.find(({ type }: Record<string, string>) => type === wanted);

describe('a definition that changes while its objects are watched', () => {
  it('a definition that changes while its objects are watched ends the watches of a version that is no longer served; that version is gone and others resume', async () => {
    await using api = await withCronTabs({}, [v1, v2]);
    for (let i = 0; i < 50; i++) await api.post(crontabs(), crontab(`c${i}`));
    const { resourceVersion } = (await api.get(crontabs('', 'v2'))).json.metadata;
    const from = `watch=true&resourceVersion=${resourceVersion}`;
    const removed = await api.watch(`${crontabs('', 'v2')}?${from}`);
    const kept = await api.watch(`${crontabs()}?${from}`);
    await api.patch(path, { spec: { versions: [v1, { ...v2, served: false }] } });
    await removed.ended;
    await kept.ended;
    await until(async () => (await api.get(crontabs('', 'v2'))).status === 404, 'the version is not served');
    assert.equal((await api.get(`${crontabs('', 'v2')}?${from}`)).status, 404);
    assert.equal((await api.post(crontabs(), crontab('late'))).status, 201);
    const resumed = await api.watch(`${crontabs()}?${from}`);
    await resumed.until(1);
    assert.deepEqual([resumed.events[0].type, resumed.events[0].object.metadata.name], ['ADDED', 'late']);
    resumed.stop();
    assert.equal((await api.get(crontabs())).json.items.length, 51);
  });

  it('a definition that changes while its objects are watched serves a version again, with the objects that it had', async () => {
    await using api = await withCronTabs({}, [v1, { ...v2, served: false }]);
    await api.post(crontabs(), crontab('a'));
    assert.equal((await api.get(crontabs('', 'v2'))).status, 404);
    await api.patch(path, { spec: { versions: [v1, v2] } });
    await until(async () => (await api.get(crontabs('', 'v2'))).status === 200, 'the version is served');
    const { items } = (await api.get(crontabs('', 'v2'))).json;
    assert.deepEqual([items.length, items[0].apiVersion], [1, `${GROUP}/v2`]);
  });

  it('a changed definition may change the storage version: objects remain readable, and the new version is recorded as stored', async () => {
    await using api = await withCronTabs({}, [v1, v2]);
    await api.post(crontabs(), crontab('a'));
    await api.patch(path, {
      spec: {
        versions: [
          { ...v1, storage: false },
          { ...v2, storage: true },
        ],
      },
    });
    await until(
      async () => (await api.get(path)).json.status.storedVersions.length === 2,
      'both versions are recorded',
    );
    assert.equal((await api.get(crontabs('a', 'v2'))).json.apiVersion, `${GROUP}/v2`);
    assert.equal((await api.post(crontabs(), crontab('b'))).status, 201);
    assert.equal((await api.get(crontabs())).json.items.length, 2);
    const removed = await api.patch(path, { spec: { versions: [{ ...v2, storage: true }] } });
    assert.equal(removed.status, 422, removed.text);
    assert.match(removed.text, /status\.storedVersions\[0\]/);
  });

  it('a definition that changes while its objects are watched keeps its scope and kind once it is established', async () => {
    await using api = await withCronTabs();
    for (const spec of [{ scope: 'Cluster' }, { names: { kind: 'Other' } }]) {
      const refused = await api.patch(path, { spec });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.text, /field is immutable/);
    }
  });
});

const OLDER_VERSION = namesFor('orch').apiVersion('apiextensions', 'v1beta1');
const OLDER = `/apis/${OLDER_VERSION}/customresourcedefinitions`;

/** A definition in v1beta1 that declares the common parts of all versions once, and needs no structural schema. */
const older = (spec: object): object => ({
  apiVersion: OLDER_VERSION,
  kind: 'CustomResourceDefinition',
  metadata: { name: `crontabs.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    version: 'v1',
    ...spec,
  },
});

describe('definitions in v1beta1 of a release that has it', () => {
  const common = {
    validation: {
      openAPIV3Schema: {
        properties: { spec: { properties: { cronSpec: { type: 'string' }, replicas: { type: 'integer' } } } },
      },
    },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    additionalPrinterColumns: [{ name: 'Spec', type: 'string', JSONPath: '.spec.cronSpec' }],
  };

  it('definitions in v1beta1 of a release that has it are served with their schema, subresources and columns, keep unknown fields, and are read in v1', async () => {
    await using api = await CustomResourcesFixture.open({ release: '1.21' });
    const created = await api.post(OLDER, older({ ...common, preserveUnknownFields: true }));
    assert.equal(created.status, 201, created.text);
    await established(api);
    const inV1 = (await api.get(path)).json;
    assert.deepEqual(
      inV1.spec.versions.map(
        ({ name, schema, subresources, additionalPrinterColumns }: Record<string, unknown>) => ({
          name,
          schema,
          subresources,
          additionalPrinterColumns,
        }),
      ),
      [
        {
          name: 'v1',
          schema: common.validation,
          subresources: common.subresources,
          additionalPrinterColumns: [{ name: 'Spec', type: 'string', jsonPath: '.spec.cronSpec' }],
        },
      ],
    );
    const inBeta = (await api.get(`${OLDER}/crontabs.${GROUP}`)).json;
    assert.deepEqual(
      [inBeta.spec.version, inBeta.spec.validation, inBeta.spec.additionalPrinterColumns],
      ['v1', common.validation, common.additionalPrinterColumns],
    );
    const object = await api.post(crontabs(), { ...crontab('a'), other: { x: 1 } });
    assert.equal(object.status, 201, object.text);
    assert.deepEqual(object.json.other, { x: 1 });
    const wrong = await api.post(crontabs(), { ...crontab('b'), spec: { cronSpec: 1 } });
    assert.equal(wrong.status, 422, wrong.text);
    assert.equal((await api.get(crontabs('a', 'v1', '/scale'))).status, 200);
    const table = await api.get(crontabs(), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    assert.deepEqual(table.json.rows[0].cells, ['a', '*']);
  });

  it('definitions in v1beta1 of a release that has it have the condition NonStructuralSchema until their schema is structural', async () => {
    await using api = await CustomResourcesFixture.open({ release: '1.21' });
    await api.post(OLDER, older({ ...common, preserveUnknownFields: true }));
    await established(api);
    const found = conditionOf(await api.get(path), 'NonStructuralSchema');
    assert.deepEqual([found?.['status'], found?.['reason']], ['True', 'Violations']);
    assert.match(
      found?.['message'] ?? '',
      /^\[spec\.preserveUnknownFields: Invalid value: true: must be false, spec\.versions\[0\]\.schema\.openAPIV3Schema\.(properties\[spec\]\.)?type: Required value/,
    );
    const structural = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { cronSpec: { type: 'string' } } } },
    };
    const changed = await api.patch(`${OLDER}/crontabs.${GROUP}`, {
      spec: { preserveUnknownFields: false, validation: { openAPIV3Schema: structural } },
    });
    assert.equal(changed.status, 200, changed.text);
    await until(
      async () => conditionOf(await api.get(path), 'NonStructuralSchema') === undefined,
      'the condition is removed',
    );
    assert.ok(conditionsOf(await api.get(path)).includes('Established=True'));
  });

  it('definitions in v1beta1 of a release that has it are refused in v1 with what only v1beta1 allows, and v1beta1 is absent in later releases', async () => {
    await using api = await CustomResourcesFixture.open({ release: '1.24' });
    assert.equal((await api.post(OLDER, older(common))).status, 404);
    const { spec } = older({}) as { spec: { version?: string } };
    const refused = await api.post(DEFINITIONS, {
      ...older({}),
      apiVersion: DEFINITION_VERSION,
      spec: {
        ...spec,
        preserveUnknownFields: true,
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /spec\.preserveUnknownFields/);
    assert.match(refused.text, /schemas are required/);
  });
});
