import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { encodeJson, type JsonObject } from '@orch/machinery/json';
import { PackedSchema } from './packed-schema.ts';

const names = namesFor('orch');

const described = (count: number): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `field${i}`,
      { type: 'string', description: `The field number ${i} of the operator, which is optional.` },
    ]),
  ),
});

describe('the packed schema of a version', () => {
  it('the packed schema of a version takes less than a tenth of the JSON text of a described schema', () => {
    const schema = described(400);
    const { size } = new PackedSchema(schema, names);
    assert.ok(size > 0 && size * 10 < encodeJson(schema).length, `${size} bytes`);
  });

  it('the packed schema of a version has the same document as the definition', () => {
    assert.deepEqual(new PackedSchema(described(3), names).document(), described(3));
  });

  it('the packed schema of a version is read in as many more pieces as it has more fields, and once only', () => {
    const piecesOf = (schema: PackedSchema): number => {
      const reading = schema.reading();
      for (let pieces = 1; ; pieces++) if (reading.next().done === true) return pieces;
    };
    const [small, large] = [1000, 4000].map((count) => new PackedSchema(described(count), names));
    assert.ok(small !== undefined && large !== undefined);
    const ratio = piecesOf(large) / piecesOf(small);
    assert.ok(ratio > 3 && ratio < 5, `${ratio}`);
    assert.equal(piecesOf(large), 1);
  });

  it('the packed schema of a version is the same value for a reader in pieces and for one at once in between', () => {
    const schema = new PackedSchema(described(1000), names);
    const reading = schema.reading();
    reading.next();
    const read = schema.structural();
    assert.equal(atOnce(reading), read);
    assert.equal(schema.structural(), read);
  });

  it('a packed schema equals another schema exactly when both have the same text', () => {
    const schema = new PackedSchema(described(3), names);
    const none = new PackedSchema(undefined, names);
    assert.equal(schema.equals(new PackedSchema(described(3), names)), true);
    assert.equal(schema.equals(new PackedSchema(described(4), names)), false);
    assert.equal(schema.equals(none), false);
    assert.equal(none.equals(schema), false);
    assert.equal(none.equals(new PackedSchema(undefined, names)), true);
  });
});
