import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { customResource } from '@orch/custom-resources';
import { type ApiObject, namesFor } from '@orch/machinery';
import { asObject, asObjects, isJsonObject, type JsonObject, specOf } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { codecCompiler } from '@orch/schema';
import { RandomStructural } from '@orch/schema/testing';
import { operatorModules, publishedDefinitions } from './published-definitions.ts';
import { assertSame, noReference, type Request } from './reference.ts';
import { written } from './written-definition.ts';

const names = namesFor('kubernetes');
const compiler = codecCompiler(names);
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);

const published = publishedDefinitions(operatorModules);
const skip = published.length === 0 ? 'no Go module registry' : false;

const accepted = (object: ApiObject): ApiObject => ({
  ...object,
  status: { acceptedNames: specOf(object)['names'] },
});

/** Random objects for the schema of every version of a definition, and updates of them. */
function randomWrites(definition: JsonObject, seed: number): readonly Request[] {
  const random = new RandomStructural(seededRandom(seed), names);
  const typeMeta = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' },
  };
  const object = (value: unknown): JsonObject => ({ ...(isJsonObject(value) ? value : {}), ...typeMeta });
  return asObjects(asObject(definition['spec'])['versions']).map((version) => {
    const schema = asObject(asObject(version['schema'])['openAPIV3Schema']);
    const old = object(random.objectValue(schema));
    return { schema, writes: [{ object: old }, { object: object(random.changed(old, schema)), old }] };
  });
}

describe('definitions published by operators', { skip }, () => {
  it('the definitions are found in the published packages', () =>
    assert.ok(published.length > 50, `${published.length}`));

  for (const { definition, title } of published) {
    it(`${title} is accepted, and compiles in all versions`, () => {
      const { object, violations } = written(definition);
      assert.deepEqual(
        violations.map(({ field, message }) => `${field}: ${message}`),
        [],
      );
      for (const { type } of customResource(accepted(object), names).versions) {
        const [version] = type.versions;
        assert.ok(version !== undefined);
        const codec = compiler.compile(version.schema);
        const kind = { apiVersion: `${type.group}/${version.version}`, kind: type.kind };
        const sample = codec.decode({ ...kind, metadata: { name: 'x' }, spec: {} }, { defaults: true });
        assert.deepEqual(sample.problems, []);
        codec.validate(sample.value);
        assert.equal(type.table?.cells(sample.value, names).length, type.table?.columns.length);
      }
    });
  }

  it('the definitions give the reference the same objects and violations for random objects', {
    skip: noReference,
  }, () => {
    const requests = published.flatMap(({ definition }, i) => randomWrites(definition, first + i));
    assertSame(requests, (i) => `request ${i} of seed ${first}`);
  });
});
