import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { f, struct } from '../declare.ts';
import type { PostponedChecks } from '../schema.ts';
import { compileCodec } from './compiler.ts';

const Port = struct('test.v1.Port', 'A port.', {
  name: f.string(1, { required: true }),
  number: f.int32(2, { max: 65_535, immutable: true }),
});

const codec = compileCodec(
  struct('test.v1.Many', 'An object of many parts.', {
    ports: f.list(1, Port, { uniqueBy: 'name' }),
    byName: f.map(2, Port, { keyFormat: 'dns1123label' }),
    groups: f.list(3, struct('test.v1.Group', 'Ports.', { ports: f.list(1, Port) })),
  }),
  namesFor('orch'),
);

const COUNT = 5000;
const PARTS_OF_A_PIECE = 64;

const port = (i: number, more = 0): object =>
  i % 97 === 0 ? { number: 70_000 } : { name: `p${i % 4900}`, number: i % 50 === 0 ? i + more : i };
const listOf = (more: number): object[] => Array.from({ length: COUNT }, (_, i) => port(i, more));

const objects: Readonly<Record<string, (more: number) => object>> = {
  'a list': (more) => ({ ports: listOf(more) }),
  'a map': (more) => ({
    byName: Object.fromEntries(listOf(more).map((item, i) => [`${i % 50 === 1 ? 'wrong.' : ''}k${i}`, item])),
  }),
  'a list in an item': (more) => ({
    groups: [{ ports: [port(0)] }, { ports: listOf(more) }, { ports: [{}] }],
  }),
};

describe('validation in pieces', () => {
  for (const [what, make] of Object.entries(objects)) {
    it(`a large object has the same violations in pieces as at once, on creation and on update: ${what}`, () => {
      const value = make(0) as ApiObject;
      for (const old of [undefined, make(1) as ApiObject]) {
        const postponed: PostponedChecks = [];
        const found = [...codec.validate(value, old, postponed, true)];
        let pieces = 1;
        for (const check of postponed) {
          const counted = function* () {
            for (;;) {
              const step = check.next();
              if (step.done === true) return step.value;
              pieces += 1;
              yield;
            }
          };
          found.push(...atOnce(counted()));
        }
        const whole = codec.validate(value, old);
        assert.ok(whole.length > 50 && whole.length < 1000, `${whole.length} violations`);
        assert.deepEqual(textsOf(found), textsOf(whole));
        assert.ok(pieces >= COUNT / PARTS_OF_A_PIECE, `${pieces} pieces`);
      }
    });
  }

  it('the parts of an object are visited at once unless they may be postponed', () => {
    const postponed: PostponedChecks = [];
    codec.validate({ ports: listOf(0) } as unknown as ApiObject, undefined, postponed);
    assert.deepEqual(postponed, []);
  });
});

const textsOf = (errors: ReturnType<typeof codec.validate>): readonly string[] =>
  errors.map((error) => `${error.field}: ${error.message}`).sort();
