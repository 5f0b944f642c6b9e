import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { type Codec, codecCompiler, type DecodeOptions } from '../index.ts';
import { testKind } from '../testing/test-kind.ts';

const names = namesFor('orch');
const { embeddedResource, preserveUnknownFields } = names.schemaExtensions;

const text = { type: 'string' };
const port = {
  type: 'object',
  properties: { name: text, number: { type: 'integer', default: 80 }, protocol: { ...text, default: 'TCP' } },
};
const schema = {
  type: 'object',
  properties: {
    ports: { type: 'array', items: port },
    byName: { type: 'object', additionalProperties: port },
    lists: { type: 'array', items: { type: 'array', items: { ...port, nullable: true } } },
    anything: { type: 'object', additionalProperties: true },
    free: {
      type: 'object',
      [preserveUnknownFields]: true,
      properties: { ports: { type: 'array', items: port } },
    },
    embedded: { type: 'object', [embeddedResource]: true, [preserveUnknownFields]: true },
    last: { type: 'string', default: 'x' },
  },
};

const COUNT = 5000;
const STEPS_OF_A_PIECE = 64;

const listOf = <T>(of: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => of(i));
/** In another order than that of the names. */
const mapOf = <T>(of: (index: number) => T): Record<string, T> =>
  Object.fromEntries(listOf((i) => [`k${(i * 7919) % COUNT}`, of(i)]));
const portOf = (i: number): JsonObject => ({
  ...(i % 3 === 0 ? {} : { number: i }),
  name: `p${i}`,
  ...(i % 5 === 0 ? { unknown: i } : {}),
});

const objects: Readonly<Record<string, JsonObject>> = {
  'a list of objects': { ports: listOf(portOf), last: 'y' },
  'a map of objects': { byName: mapOf(portOf) },
  'names beyond ASCII': {
    byName: Object.fromEntries(listOf((i) => [`${i % 2 === 0 ? '\u{1f600}' : '\uffee'}${i}`, {}])),
  },
  'a list in a list': { lists: [[{ name: 'a' }], listOf((i) => (i % 100 === 0 ? null : portOf(i)))] },
  'a map of anything': { anything: { a: mapOf(portOf), b: listOf(String) } },
  'fields that are preserved': { free: { ports: listOf(portOf), others: [mapOf(portOf), listOf(portOf)] } },
  'an embedded object': {
    embedded: {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'a', labels: mapOf(String) },
      data: mapOf(String),
    },
  },
  'fields that are not described': {
    nothing: listOf(portOf),
    ports: [{ name: 'a', nothing: mapOf(String) }],
  },
  'wrong types': { ports: mapOf(String), byName: listOf(portOf), last: 7 },
  'problems in an embedded object': {
    embedded: { apiVersion: 7, kind: listOf(String), metadata: listOf(String), data: mapOf(String) },
  },
};

const optionsOf: readonly DecodeOptions[] = [{}, { defaults: true, reportUnknown: true }];

describe('custom objects that are read in pieces', () => {
  const codec: Codec = codecCompiler(names).compile(testKind(schema, names));
  const piecesOf = (object: JsonObject): number => {
    let pieces = 1;
    for (const work = codec.decodeInPieces(object); work.next().done !== true; ) pieces += 1;
    return pieces;
  };

  for (const [what, fields] of Object.entries(objects)) {
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, ...fields };

    it(`a custom object is read in pieces as it is read at once: ${what}`, () => {
      for (const options of optionsOf) {
        const pieces = atOnce(codec.decodeInPieces(object, options));
        assert.equal(JSON.stringify(pieces), JSON.stringify(codec.decode(object, options)));
      }
    });
  }

  for (const what of [
    'a list of objects',
    'a map of objects',
    'a list in a list',
    'fields that are preserved',
  ])
    it(`a large custom object is read in pieces of some parts: ${what}`, () => {
      const pieces = piecesOf(objects[what] ?? {});
      assert.ok(pieces >= COUNT / STEPS_OF_A_PIECE, `${pieces} pieces`);
    });

  it('a small custom object is read in one piece', () => {
    assert.equal(piecesOf({ ports: [portOf(1)] }), 1);
  });
});
