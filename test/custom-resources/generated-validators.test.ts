import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { customResource } from '@orch/custom-resources';
import { namesFor } from '@orch/machinery';
import { asObject, asObjects, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { type Codec, codecCompiler } from '@orch/schema';
import { formatSamples, RandomStructural, testKind } from '@orch/schema/testing';
import { type Validate, validatorsOf } from './generated-modules.ts';
import { operatorModules, publishedDefinitions, publishedObjects } from './published-definitions.ts';
import { written } from './written-definition.ts';

const names = namesFor('kubernetes');
const compiler = codecCompiler(names);
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);
const SCHEMAS = Number(process.env['STRUCTURAL_SCHEMAS'] ?? 100);

/** A schema without expressions, which the server alone evaluates. */
function withoutExpressions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExpressions);
  if (!isJsonObject(schema)) return schema;
  const left = Object.entries(schema).filter(([name]) => name !== names.schemaExtensions.validations);
  return Object.fromEntries(left.map(([name, value]) => [name, withoutExpressions(value)]));
}

const definitionOf = (schemas: readonly JsonObject[]): JsonObject => ({
  apiVersion: names.apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'a.b',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: schemas.map((schema, i) => ({
      name: `v${i + 1}`,
      served: true,
      schema: { openAPIV3Schema: schema },
    })),
  },
});

/** The fields that a server refuses. */
function refusedFields(object: JsonObject, codec: Codec): readonly string[] {
  const { problems, value } = codec.decode(object, { defaults: true });
  const mistyped = problems.filter(({ kind }) => kind === 'type').map(({ field }) => field);
  const fields = mistyped.length > 0 ? mistyped : codec.validate(value).map(({ field }) => field);
  // Some rules of the server name the fields of a map as items.
  const plain = fields.map((field) => field.replace(/\[([^\]]*[^\]\d][^\]]*)\]/g, '.$1'));
  return [...new Set(plain)].sort();
}

const hasCombinations = (schema: JsonObject): boolean =>
  /"(allOf|anyOf|oneOf|not)":/.test(JSON.stringify(schema));

interface Compared {
  readonly validate: Validate;
  readonly codec: Codec;
  readonly schema: JsonObject;
  readonly title: string;
}

/** Validators check neither the metadata of embedded objects nor the fields of the scale, whose paths have a leading dot. */
const isChecked = (field: string, schema: JsonObject): boolean =>
  !field.startsWith('.') &&
  (!/(^|\.)metadata(\.|$)/.test(field) ||
    !JSON.stringify(schema).includes(names.schemaExtensions.embeddedResource));

/** Reports whether the object was refused, by both in the same fields. */
function isRefused(object: JsonObject, { codec, schema, title, validate }: Compared): boolean {
  const refused = refusedFields(object, codec).filter((field) => isChecked(field, schema));
  const found = [...new Set(validate(object).map(({ path }) => path))].sort();
  const text = `${title} of ${JSON.stringify(object)}: ${JSON.stringify(validate(object))}`;
  // A server reports combinations of schemas without a field, and the violations of one alternative.
  if (hasCombinations(schema)) assert.equal(found.length > 0, refused.length > 0, text);
  else assert.deepEqual(found, refused, text);
  return refused.length > 0;
}

/** Those with the most formats, patterns and examples; PUBLISHED=all selects every module. */
const modules = operatorModules.filter(
  (module) => process.env['PUBLISHED'] === 'all' || /gateway-api|cert-manager|keda/.test(module),
);
const published = publishedDefinitions(modules);

/** The example objects of the modules by their version and kind. */
const examples = Map.groupBy(
  modules.flatMap(publishedObjects).map(({ object }) => object),
  ({ apiVersion, kind }) => JSON.stringify({ apiVersion, kind }),
);

/** The versions of a definition that are served, with what the server validates by. */
function versionsOf(definition: JsonObject) {
  const { object } = written(definition);
  const { names: served, versions } = asObject(object['spec']);
  const schemas = new Map(
    asObjects(versions).map((version) => [version['name'], objectAt(version, 'schema', 'openAPIV3Schema')]),
  );
  return customResource({ ...object, status: { acceptedNames: asObject(served) } }, names)
    .versions.filter(({ served }) => served)
    .flatMap(({ name, type: { group, kind, versions: kinds } }) =>
      kinds.map(({ schema }) => ({
        name,
        schema: schemas.get(name) ?? {},
        codec: compiler.compile(schema),
        type: { apiVersion: `${group}/${name}`, kind },
      })),
    );
}

describe('generated validators compared with the validation of the server', () => {
  it(`a validator accepts what the server accepts and refuses what it refuses, seed ${first}`, async () => {
    const schemas: JsonObject[] = [];
    for (let seed = first; seed < first + SCHEMAS; seed++)
      schemas.push(
        withoutExpressions(new RandomStructural(seededRandom(seed), names).rootSchema()) as JsonObject,
      );
    const validators = await validatorsOf(definitionOf(schemas));
    let refused = 0;
    for (const [i, schema] of schemas.entries()) {
      const codec = compiler.compile(testKind(schema, names));
      const random = new RandomStructural(seededRandom(first + i), names);
      const validate = validators.get(`v${i + 1}`);
      assert.ok(validate !== undefined);
      for (let n = 0; n < 8; n++) {
        const fields = random.objectValue(schema);
        const object = { ...fields, apiVersion: `a.b/v${i + 1}`, kind: 'Thing', metadata: {} };
        const title = `seed ${first + i}: ${JSON.stringify(schema)}`;
        if (isRefused(object, { validate, codec, schema, title })) refused++;
      }
    }
    assert.ok(refused > SCHEMAS && refused < 7 * SCHEMAS, `${refused} objects were refused`);
  });

  it('a validator accepts and refuses the same texts of each format as the server', async () => {
    const properties = Object.fromEntries(
      formatSamples.map(({ format }) => [format, { type: 'string', format }]),
    );
    const validators = await validatorsOf(definitionOf([{ type: 'object', properties }]));
    const type = { apiVersion: 'a.b/v1', kind: 'Thing' };
    for (const { accepted, format, refused } of formatSamples)
      for (const text of [...accepted, ...refused]) {
        const found = validators.get('v1')?.({ ...type, [format]: text });
        assert.equal(found?.length, refused.includes(text) ? 1 : 0, `${format}: ${JSON.stringify(text)}`);
      }
  });

  it('a validator is loaded without running code that a definition contains', async () => {
    const code = ['\n', '\r', '\u2028', '\u2029', '*/', "'", '`', '"', '/', '${', '\\', '//'].map(
      (end) => `${end};globalThis.wasRun=true;/*\u2028;globalThis.wasRun=true;//`,
    );
    const hostile = (text: string): JsonObject => ({
      type: 'string',
      description: text,
      default: text,
      enum: [text],
      // The second has no counterpart in this language.
      anyOf: [{ pattern: text.replace(/[*/]/g, '') }, { pattern: `\\Q${text}` }],
    });
    const properties = Object.fromEntries(code.map((text) => [text, hostile(text)]));
    const [, , other = ''] = code;
    const validators = await validatorsOf(definitionOf([{ type: 'object', description: other, properties }]));
    assert.equal(validators.get('v1')?.({ kind: other })[0]?.path, 'kind');
    assert.equal('wasRun' in globalThis, false);
  });

  it('a validator of a published definition agrees with the server about random objects and the examples of its project', {
    skip: published.length === 0 ? 'no Go module registry' : false,
  }, async () => {
    let [versions, refused, accepted] = [0, 0, 0];
    for (const [i, { definition, title }] of published.entries()) {
      const plain = withoutExpressions(definition) as JsonObject;
      const validators = await validatorsOf(plain);
      for (const { name, schema, codec, type } of versionsOf(plain)) {
        const validate = validators.get(name);
        assert.ok(validate !== undefined, title);
        const compared = { validate, codec, schema, title };
        const random = new RandomStructural(seededRandom(first + i), names);
        for (let n = 0; n < 4; n++)
          if (isRefused({ ...random.objectValue(schema), ...type, metadata: {} }, compared)) refused++;
        for (const example of examples.get(JSON.stringify(type)) ?? [])
          if (!isRefused(example, compared)) accepted++;
        versions++;
      }
    }
    assert.ok(versions > 20 && refused > versions, `${refused} objects of ${versions} versions were refused`);
    assert.ok(accepted > 30, `${accepted} examples were accepted`);
  });
});
