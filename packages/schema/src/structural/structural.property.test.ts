import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ApiObject, namesFor } from '@orch/machinery';
import { isJsonObject, type JsonObject, setField } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { codecCompiler } from '../index.ts';
import { RandomStructural } from '../testing/random-structural.ts';
import { SlowStructural } from '../testing/slow-structural.ts';
import { testKind } from '../testing/test-kind.ts';

const names = namesFor('orch');
const slow = new SlowStructural(names);
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);
const schemas = Number(process.env['STRUCTURAL_SCHEMAS'] ?? 1000);

/** A schema without the keywords that the slow reference does not support. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isJsonObject(schema)) return schema;
  const left = Object.entries(schema).filter(
    ([name]) => name !== 'format' && name !== names.schemaExtensions.validations,
  );
  return Object.fromEntries(left.map(([name, value]) => [name, name === 'default' ? value : plain(value)]));
}

const isKnown = (schema: JsonObject): boolean =>
  !JSON.stringify(schema).includes(names.schemaExtensions.embeddedResource);

/** The same value with the fields of all objects in reverse. */
function inReverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReverse);
  if (!isJsonObject(value)) return value;
  const reversed = {};
  for (const [name, field] of Object.entries(value).reverse()) setField(reversed, name, inReverse(field));
  return reversed;
}

const withoutType = ({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  ...rest
}: JsonObject): JsonObject => rest;

describe('structural schemas compared with a slow and obvious reference', () => {
  it('the compiled schema and the reference decode and validate random objects equally', () => {
    let compared = 0;
    for (let seed = first; seed < first + schemas; seed++) {
      const random = new RandomStructural(seededRandom(seed), names);
      const schema = plain(random.rootSchema()) as JsonObject;
      if (!isKnown(schema)) continue;
      const codec = codecCompiler(names).compile(testKind(schema, names));
      for (let i = 0; i < 4; i++) {
        const object = random.objectValue(schema);
        const title = `seed ${seed}: ${JSON.stringify(schema)} of ${JSON.stringify(object)}`;
        const read = (from: JsonObject): ApiObject =>
          codec.decode({ kind: 'C', apiVersion: 'a.b/v1', ...from }, { defaults: true }).value;
        const value = read(object);
        const expected = slow.stored(object, schema) as JsonObject;
        assert.deepEqual(
          JSON.parse(JSON.stringify(withoutType(value))),
          JSON.parse(JSON.stringify(expected)),
          title,
        );
        assert.equal(JSON.stringify(read(inReverse(object) as JsonObject)), JSON.stringify(value), title);
        const violations = codec.validate(value);
        assert.equal(violations.length === 0, slow.isValid(expected, schema), title);
        const changed = random.changed(object, schema);
        const old = isJsonObject(changed) ? read(changed) : value;
        const brought = codec.validate(value, old);
        assert.deepEqual(
          brought,
          violations.filter((one) => brought.some((other) => isDeepStrictEqual(one, other))),
          title,
        );
        compared++;
      }
    }
    assert.ok(compared > schemas);
  });
});
