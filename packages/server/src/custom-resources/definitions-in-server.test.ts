import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFINITION_VERSION,
  DEFINITIONS,
  defineCronTabs,
  established,
  GROUP,
} from '@orch/custom-resources/testing';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { ApiFixture } from '../testing/index.ts';

const cronTabs = `${DEFINITIONS}/crontabs.${GROUP}`;

describe('custom resources together with discovery and built-in objects', () => {
  it('discovery names the resource in both forms, and no longer after the definition was deleted', async () => {
    await using api = await defineCronTabs(await ApiFixture.open());
    const { resources } = (await api.get(`/apis/${GROUP}/v1`)).json;
    assert.deepEqual(
      resources.map(({ name }: { name: string }) => name),
      ['crontabs', 'crontabs/scale', 'crontabs/status'],
    );
    assert.deepEqual([resources[0].shortNames, resources[0].singularName], [['ct'], 'crontab']);
    const aggregated = await api.get('/apis', {
      accept: 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList',
    });
    const groups = (answer: Answered) =>
      answer.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    assert.ok(groups(aggregated).includes(GROUP));
    await api.delete(cronTabs);
    await until(async () => (await api.get(`/apis/${GROUP}/v1`)).status === 404, 'the group is gone');
    const after = await api.get('/apis', {
      accept: 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList',
    });
    assert.equal(groups(after).includes(GROUP), false);
  });

  it('a definition changes short names and categories in discovery and in its accepted names', async () => {
    await using api = await defineCronTabs(await ApiFixture.open());
    await api.patch(cronTabs, {
      spec: { names: { shortNames: ['cron', 'cr'], categories: ['all'], singular: 'tab' } },
    });
    const resourceOf = async () => (await api.get(`/apis/${GROUP}/v1`)).json.resources[0];
    await until(
      async () => (await resourceOf()).shortNames?.includes('cron') === true,
      'the names are served',
    );
    const { categories, shortNames, singularName } = await resourceOf();
    assert.deepEqual([categories, shortNames, singularName], [['all'], ['cron', 'cr'], 'tab']);
    const { acceptedNames } = (await api.get(cronTabs)).json.status;
    assert.deepEqual([acceptedNames.shortNames, acceptedNames.singular], [['cron', 'cr'], 'tab']);
  });

  it('the removal of a definition leaves objects alone of a resource that the release has itself', async () => {
    const old = await ApiFixture.open({ release: '1.17' });
    const group = old.names.group('flowcontrol');
    const plural = 'flowschemas';
    const path = `${DEFINITIONS}/${plural}.${group}`;
    const taken = {
      apiVersion: DEFINITION_VERSION,
      kind: 'CustomResourceDefinition',
      metadata: {
        name: `${plural}.${group}`,
        annotations: { [old.names.annotations.apiApproved]: 'unapproved, a test' },
      },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, singular: 'flowschema', kind: 'FlowSchema' },
        versions: [
          {
            name: 'v1custom',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
          },
        ],
      },
    };
    const created = await old.post(DEFINITIONS, taken);
    assert.equal(created.status, 201, created.text);
    await established(old, `${plural}.${group}`);
    await old[Symbol.asyncDispose]();
    await using api = await ApiFixture.open({ release: '1.24', store: old.model, env: old.env });
    const schemas = `/apis/${group}/v1beta2/${plural}`;
    const before = (await api.get(schemas)).json.items.length;
    await api.delete(path);
    await until(async () => (await api.get(path)).status === 404, 'the definition is removed');
    assert.ok(before > 5);
    assert.equal((await api.get(schemas)).json.items.length, before);
  });
});
