import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { crontab, crontabs, definition, GROUP } from '@orch/custom-resources/testing';
import { type Names, namesFor, namings } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { until } from '@orch/machinery/testing';
import { ApiFixture } from '../testing/index.ts';

const text = { type: 'string' };
const keyed = { type: 'object', required: ['k'], properties: { k: text } };

type Extensions = Names['schemaExtensions'];

/** A field with each extension that schemas of definitions may have. */
const fieldsOf = (x: Extensions): Readonly<Record<string, JsonObject>> => ({
  [x.listType]: { type: 'array', [x.listType]: 'set', items: text },
  [x.listMapKeys]: { type: 'array', [x.listType]: 'map', [x.listMapKeys]: ['k'], items: keyed },
  [x.mapType]: { type: 'object', [x.mapType]: 'atomic', properties: { a: text } },
  [x.preserveUnknownFields]: { type: 'object', [x.preserveUnknownFields]: true },
  [x.embeddedResource]: { type: 'object', [x.embeddedResource]: true, properties: { spec: text } },
  [x.intOrString]: { [x.intOrString]: true },
  [x.validations]: { type: 'integer', [x.validations]: [{ rule: 'self > 0' }] },
});

/** As documents of OpenAPI v2 have it, which knows no schema of several types and nothing below what is preserved. */
const inV2: Readonly<Record<string, (x: Extensions) => JsonObject>> = {
  'int-or-string': (x) => ({ [x.intOrString]: true }),
  'preserve-unknown-fields': (x) => ({ [x.preserveUnknownFields]: true }),
};

const schemaWith = (fields: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: Object.fromEntries(Object.values(fields).map((field, i) => [`f${i}`, field])),
    },
  },
});

for (const naming of namings) {
  const names = namesFor(naming);
  const other = namesFor(naming === 'orch' ? 'kubernetes' : 'orch').schemaExtensions;
  const extensions = names.schemaExtensions;
  const fields = fieldsOf(extensions);
  const apiVersion = names.apiVersion('apiextensions', 'v1');
  const definitions = `/apis/${apiVersion}/customresourcedefinitions`;
  const definitionOf = (openAPIV3Schema: JsonObject): object => ({
    ...definition([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]),
    apiVersion,
  });

  describe(`extensions of schemas under the naming ${naming}`, () => {
    let api: ApiFixture;
    let stored: JsonObject;
    const documents: Record<string, JsonObject> = {};
    before(async () => {
      api = await ApiFixture.open({ naming, release: '1.25' });
      const created = await api.post(definitions, definitionOf(schemaWith(fields)));
      assert.equal(created.status, 201, created.text);
      const path = `${definitions}/crontabs.${GROUP}`;
      await until(async () => (await api.get(crontabs())).status === 200, 'the definition is served');
      stored = (await api.get(path)).json.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
      const v2 = (await api.get('/openapi/v2')).json;
      const v3 = (await api.get(`/openapi/v3/apis/${GROUP}/v1`)).json;
      for (const [version, schemas] of [
        ['v2', v2.definitions],
        ['v3', v3.components.schemas],
      ] as const)
        documents[version] = schemas['com.example.stable.v1.CronTab'];
    });
    after(() => api[Symbol.asyncDispose]());

    for (const [index, extension] of Object.keys(fields).entries()) {
      const field = `f${index}`;
      const published = (version: string): JsonObject => {
        const found = documents[version] as {
          properties: { spec: { properties: Record<string, JsonObject> } };
        };
        return found.properties.spec.properties[field] ?? {};
      };

      it(`${extension} is stored as it was written`, () =>
        assert.deepEqual(stored[field], fields[extension]));

      it(`${extension} is published in OpenAPI v2 and v3 with its value`, () => {
        for (const version of ['v2', 'v3'])
          assert.deepEqual(published(version)[extension], fields[extension]?.[extension], version);
        const short = inV2[extension.replace(/^x-[a-z]+-/, '')];
        if (short !== undefined) assert.deepEqual(published('v2'), short(extensions));
      });
    }

    it('documents have no extension of the other naming', () => {
      const own = extensions.listType.slice(0, -'list-type'.length);
      for (const document of Object.values(documents)) {
        const found = new Set(JSON.stringify(document).match(/"x-[a-z-]+"/g));
        assert.ok(found.size >= Object.keys(fields).length);
        for (const name of found) assert.ok(name.startsWith(`"${own}`), name);
      }
    });

    it('extensions take effect on objects', async () => {
      const write = (spec: JsonObject) => api.post(crontabs(), { ...crontab('a'), spec });
      for (const [spec, path] of [
        [{ f0: ['a', 'a'] }, 'spec.f0[1]'],
        [{ f1: [{ k: 'a' }, { k: 'a' }] }, 'spec.f1[1]'],
        [{ f4: {} }, 'spec.f4.apiVersion'],
        [{ f5: true }, 'spec.f5'],
        [{ f6: 0 }, 'spec.f6'],
      ] as const) {
        const { status, json } = await write(spec);
        assert.equal(status, 422);
        const causes: readonly { readonly field: string }[] = json.details.causes;
        assert.ok(
          causes.some((cause) => cause.field === path),
          JSON.stringify(json),
        );
      }
      const { status, json } = await write({ f3: { free: [1] }, f5: 'text', f6: 1, f7: 1 });
      assert.equal(status, 201);
      assert.deepEqual(json.spec, { f3: { free: [1] }, f5: 'text', f6: 1 });
    });

    for (const [extension, field] of Object.entries(fieldsOf(other))) {
      // A schema without its extensions has to have a type.
      const schema = schemaWith({ field: { ...field, type: field['type'] ?? 'string' } });

      it(`${extension}, of the other naming, is an unknown field of a definition, which is reported`, async () => {
        const body = { ...definitionOf(schema), metadata: { name: `others.${GROUP}` }, spec: others(schema) };
        const write = (query: string) => api.send('POST', `${definitions}?${query}`, { body });
        const dropped = await write('dryRun=All&fieldValidation=Warn');
        assert.equal(dropped.status, 201, dropped.text);
        assert.equal(hasField(dropped.json.spec, extension), false);
        assert.match(String(dropped.headers['Warning']), new RegExp(`unknown field .*${extension}`));
        const strict = await write('fieldValidation=Strict');
        assert.equal(strict.status, 400, strict.text);
        assert.match(strict.json.message, new RegExp(extension));
      });
    }

    const others = (schema: JsonObject): object => {
      const { spec } = definitionOf(schema) as { readonly spec: object };
      return { ...spec, names: { plural: 'others', kind: 'Other' } };
    };
  });
}

function hasField(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasField(one, name));
  return (
    isJsonObject(value) && Object.entries(value).some(([key, one]) => key === name || hasField(one, name))
  );
}
