import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { asObject, asObjects, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { until } from '@orch/machinery/testing';
import { ApiFixture } from '@orch/server/testing';
import {
  operatorModules,
  type PublishedObject,
  publishedDefinitions,
  publishedObjects,
} from './published-definitions.ts';

const names = namesFor('kubernetes');
const definitionsPath = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;

const published = publishedDefinitions(operatorModules);
const skip = published.length === 0 ? 'no Go module registry' : false;

/** Without labels: some are templates. */
const withoutLabels = (definition: JsonObject): JsonObject => {
  const { annotations, name } = asObject(definition['metadata']);
  return { ...definition, metadata: { name, ...(annotations === undefined ? {} : { annotations }) } };
};

/** A version of a published definition. */
interface Kind {
  readonly spec: JsonObject;
  readonly version: JsonObject;
}

const kindKey = (apiVersion: string, kind: unknown): string => `${apiVersion} ${asText(kind)}`;

const kinds = new Map<string, Kind>(
  published.flatMap(({ definition }) => {
    const spec = asObject(definition['spec']);
    const { kind } = asObject(spec['names']);
    return asObjects(spec['versions'])
      .filter(({ served }) => served === true)
      .map((version) => [
        kindKey(`${asText(spec['group'])}/${asText(version['name'])}`, kind),
        { spec, version },
      ]);
  }),
);

const kindOf = ({ apiVersion, kind }: JsonObject): Kind | undefined =>
  kinds.get(kindKey(asText(apiVersion), kind));

/** Files whose examples leave out what their own schemas require. */
const incomplete = [
  'scrapeclass-example-servicemonitor',
  'scrapeclass-example-podmonitor',
  'keda_v1alpha1_scaledjob',
];

const objectsOf = (module: string): readonly PublishedObject[] =>
  publishedObjects(module).filter(
    ({ object, title }) =>
      kindOf(object) !== undefined && !incomplete.some((file) => title.endsWith(`${file}.yaml`)),
  );

/** The objects of each module, whose files are read once. */
const objects = new Map(operatorModules.map((module) => [module, objectsOf(module)]));

/** Reports whether a stored value has everything that was sent. */
function contains(stored: unknown, sent: unknown): boolean {
  if (sent === null) return true;
  if (Array.isArray(sent))
    return (
      Array.isArray(stored) &&
      stored.length === sent.length &&
      sent.every((one, i) => contains(stored[i], one))
    );
  if (!isJsonObject(sent)) return stored === sent;
  return isJsonObject(stored) && Object.entries(sent).every(([name, value]) => contains(stored[name], value));
}

describe('the kinds of published operators on a server', { skip }, () => {
  let api: ApiFixture;
  let count = 0;
  before(async () => {
    api = await ApiFixture.open({ naming: 'kubernetes' });
    for (const { definition, title } of published) {
      const created = await api.post(definitionsPath, withoutLabels(definition));
      assert.equal(created.status, 201, `${title}: ${created.text.slice(0, 1000)}`);
    }
  });
  after(() => api[Symbol.asyncDispose]());

  const create = ({ object }: PublishedObject) => {
    const { spec } = kindOf(object) as Kind;
    const { name: _name, namespace: _namespace, ...metadata } = asObject(object['metadata']);
    const plural = asText(asObject(spec['names'])['plural']);
    const scope = spec['scope'] === 'Namespaced' ? '/namespaces/default' : '';
    const path = `/apis/${asText(object['apiVersion'])}${scope}/${plural}`;
    const name = `published-${count++}`;
    const body = { ...object, metadata: { ...metadata, name } };
    return api
      .post(`${path}?fieldValidation=Strict`, body)
      .then((answer) => ({ answer, path: `${path}/${name}` }));
  };

  it('the kinds of published operators on a server are established, with the approval of those in protected groups', async () => {
    let approved = 0;
    for (const { definition, title } of published) {
      const { name } = asObject(definition['metadata']);
      const conditions = async (): Promise<ReadonlyMap<unknown, unknown>> => {
        const { json } = await api.get(`${definitionsPath}/${asText(name)}`);
        return new Map(asObjects(json.status?.conditions).map(({ type, status }) => [type, status]));
      };
      await until(async () => (await conditions()).get('Established') === 'True', `${title} is established`);
      assert.equal((await conditions()).get('NonStructuralSchema'), undefined, title);
      if (!asText(name).endsWith('.k8s.io')) continue;
      assert.equal((await conditions()).get('KubernetesAPIApprovalPolicyConformant'), 'True', title);
      approved += 1;
    }
    assert.ok(approved > 5, `${approved} definitions are of protected groups`);
  });

  it('the kinds of published operators on a server are described in the documents that explain reads, field by field', async () => {
    const documents = new Map<string, readonly JsonObject[]>();
    for (const [key, { version }] of kinds) {
      const [apiVersion = '', kind] = key.split(' ');
      if (!documents.has(apiVersion)) {
        const { json, status } = await api.get(`/openapi/v3/apis/${apiVersion}`);
        assert.equal(status, 200, apiVersion);
        documents.set(apiVersion, Object.values(json.components.schemas));
      }
      const described = documents
        .get(apiVersion)
        ?.find((schema) =>
          asObjects(schema[names.schemaExtensions.groupVersionKind]).some((one) => one['kind'] === kind),
        );
      const declared = asObject(asObject(version['schema'])['openAPIV3Schema']);
      for (const [field, schema] of Object.entries(asObject(declared['properties']))) {
        if (['apiVersion', 'kind', 'metadata'].includes(field)) continue;
        const shown = asObject(asObject(described?.['properties'])[field]);
        assert.equal(shown['description'], asObject(schema)['description'], `${key}, ${field}`);
        const fieldsOf = (one: JsonObject): string[] => Object.keys(asObject(one['properties'])).sort();
        assert.deepEqual(fieldsOf(shown), fieldsOf(asObject(schema)), `${key}, ${field}`);
      }
    }
    assert.ok(kinds.size > 100, `${kinds.size} kinds`);
  });

  for (const module of operatorModules) {
    const valid = (objects.get(module) ?? []).filter(({ isInvalid }) => !isInvalid);
    if (valid.length === 0) continue;
    it(`sample objects of ${module} are stored as they are, read, changed and deleted`, async () => {
      for (const sample of valid) {
        const { answer, path } = await create(sample);
        assert.equal(answer.status, 201, `${sample.title}: ${answer.text}`);
        const { json } = await api.get(path);
        const {
          apiVersion: _version,
          kind: _kind,
          metadata: _metadata,
          status: _status,
          ...sent
        } = sample.object;
        assert.ok(contains(json, sent), `${sample.title} is stored as ${JSON.stringify(json)}`);
        const changed = await api.patch(path, { metadata: { labels: { changed: 'yes' } } });
        assert.deepEqual([changed.status, changed.json.metadata.labels.changed], [200, 'yes'], sample.title);
        assert.equal((await api.delete(path)).status, 200, sample.title);
      }
    });
  }

  it('the kinds of published operators on a server refuse the objects that projects publish as invalid', async () => {
    const invalid = [...objects.values()].flat().filter(({ isInvalid }) => isInvalid);
    for (const sample of invalid) {
      const { answer } = await create(sample);
      assert.equal(answer.status, 422, `${sample.title}: ${answer.text}`);
      assert.ok(answer.json.details.causes.length > 0, sample.title);
    }
    assert.ok(invalid.length > 25, `${invalid.length} objects`);
  });
});
