import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import type { DecodeOptions } from '../codec.ts';
import { f, items, struct, union } from '../declare.ts';
import { compileCodec } from './compiler.ts';

const Port = struct('test.v1.Port', 'A port.', {
  name: f.string(1),
  number: f.int32(2, { default: 80 }),
  tags: f.map(3, items.string),
});

const Spec = struct('test.v1.Spec', 'Lists and maps.', {
  ports: f.list(1, Port),
  byName: f.map(2, Port),
  groups: f.list(3, struct('test.v1.Group', 'Ports.', { ports: f.list(1, Port), title: f.string(2) })),
  either: f.struct(
    4,
    union('test.v1.PortOrPorts', 'A port, or several.', {
      object: { num: 1, protoName: 'port', schema: Port },
      list: { num: 2, protoName: 'ports', schema: Port },
    }),
    { presence: 'pointer' },
  ),
  last: f.string(5),
  free: f.object(6),
  any: f.json(7),
});

const codec = compileCodec(
  struct('test.v1.Many', 'An object of many parts.', { spec: f.struct(1, Spec) }),
  namesFor('orch'),
);

const COUNT = 5000;
/** Steps between two pieces at most: one for each item or entry, and those of one small value. */
const STEPS_OF_A_PIECE = 64;

const listOf = <T>(of: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => of(i));
const mapOf = <T>(of: (index: number) => T): Record<string, T> =>
  Object.fromEntries(listOf((i) => [`k${i}`, of(i)]));
const port = (i: number): object => ({
  name: `p${i}`,
  ...(i % 3 === 0 ? {} : { number: i }),
  tags: { a: 'b' },
});

const specs: Readonly<Record<string, object>> = {
  'a list': { ports: listOf(port), last: 'x' },
  'a map': { byName: mapOf(port), last: 'x' },
  'a list in an item': { groups: [{ title: 'a', ports: listOf(port) }, { title: 'b' }], last: 'x' },
  'a map in an item': { ports: [port(1), { name: 'q', tags: mapOf(String) }], last: 'x' },
  'a list in a union': { either: listOf(port), last: 'x' },
  'an object in a union': { either: { name: 'e', tags: mapOf(String) } },
  'an object without declared fields': {
    free: { a: { b: mapOf(port) }, c: [null, mapOf(String)] },
    last: 'x',
  },
  'a value without a declared type': { any: [listOf(port), 1, { a: listOf(String) }], last: 'x' },
  'nulls and unknown fields': { first: 1, ports: listOf((i) => (i % 100 === 0 ? null : { x: i })), later: 2 },
  'wrong types': {
    last: 1,
    ports: listOf((i) => (i % 100 === 0 ? 'text' : port(i))),
    byName: mapOf((i) => (i % 100 === 0 ? { number: 'n' } : port(i))),
    either: 7,
    free: listOf(port),
    any: listOf((i) => (i % 100 === 0 ? Number.NaN : i)),
  },
};

const optionsOf: readonly DecodeOptions[] = [{}, { defaults: true, reportUnknown: true }];

describe('decoding in pieces', () => {
  for (const [what, spec] of Object.entries(specs)) {
    it(`an object is decoded in pieces as it is decoded at once: ${what}`, () => {
      for (const options of optionsOf) {
        const pieces = atOnce(codec.decodeInPieces({ spec }, options));
        const whole = codec.decode({ spec }, options);
        assert.equal(JSON.stringify(pieces), JSON.stringify(whole));
      }
    });

    it(`a large object is decoded in pieces of some items: ${what}`, () => {
      let pieces = 1;
      for (const work = codec.decodeInPieces({ spec }); work.next().done !== true; ) pieces += 1;
      assert.ok(pieces >= COUNT / STEPS_OF_A_PIECE, `${pieces} pieces`);
    });
  }

  it('a small object is decoded in one piece', () => {
    assert.equal(codec.decodeInPieces({ spec: { ports: [port(1)] } }).next().done, true);
  });
});
