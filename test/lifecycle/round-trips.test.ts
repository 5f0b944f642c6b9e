import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindsOf } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { cborFromJson, readCbor, writeCbor } from '@orch/machinery/cbor';
import { encodeJson, parseJson } from '@orch/machinery/json';
import { encodeYaml, parseYaml } from '@orch/machinery/yaml';
import { codecCompiler, protobufCompiler, type StructSchema } from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';

const names = namesFor('kubernetes');
const codecs = codecCompiler(names);
const messages = protobufCompiler(names);

const DEPTH = 5;
const RUNS = 12;

/** Every schema once, with all kinds that have it; tables have no Protobuf encoding. */
function schemas(): ReadonlyMap<StructSchema, readonly string[]> {
  const found = new Map<StructSchema, string[]>();
  for (const { group, version, kind, schema } of kindsOf()) {
    const title = `${group === '' ? '' : `${group}/`}${version} ${kind}`;
    found.set(schema, [...(found.get(schema) ?? []), title]);
  }
  return found;
}

/** A value as the text of a response or a file has it. */
const jsonOf = (value: object): object => parseJson(encodeJson(value)) as object;

describe('round trips of generated objects', () => {
  for (const [schema, kinds] of schemas()) {
    const codec = codecs.compile(schema);
    const hasProtobuf = !kinds.includes('meta/v1 Table');
    it(`generated ${kinds.join(', ')} is equal after a round trip through JSON, YAML, CBOR and Protobuf`, () => {
      fc.assert(
        fc.property(arbitraryInput(schema, DEPTH), (input) => {
          const { value } = codec.decode(input);
          const json = jsonOf(value);
          assert.deepEqual(jsonOf(codec.decode(json).value), json, 'JSON');
          const fromYaml = parseYaml(Buffer.from(encodeYaml(value)));
          assert.deepEqual(jsonOf(fromYaml as object), json, 'YAML');
          assert.deepEqual(jsonOf(readCbor(writeCbor(value)) as object), json, 'CBOR');
          assert.deepEqual(
            jsonOf(readCbor(cborFromJson(encodeJson(value))) as object),
            json,
            'CBOR from JSON',
          );
          if (hasProtobuf) {
            const message = messages.compile(schema);
            const { kind: _kind, apiVersion: _apiVersion, ...read } = message.decode(message.encode(value));
            assert.deepEqual(jsonOf(codec.decode({ ...read, ...typeMetaOf(value) }).value), json, 'Protobuf');
          }
          const { value: complete } = codec.decode(value, { defaults: true });
          const again = codec.decode(complete, { defaults: true });
          assert.deepEqual(jsonOf(again.value), jsonOf(complete), 'defaults are filled in once');
        }),
        { numRuns: RUNS },
      );
    });
  }
});

/** Kind and version, which are not part of a message. */
const typeMetaOf = ({
  kind,
  apiVersion,
}: {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
}): object => ({
  ...(kind === undefined ? {} : { kind }),
  ...(apiVersion === undefined ? {} : { apiVersion }),
});
