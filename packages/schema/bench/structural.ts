/**
 * Speed of custom kinds beside a built-in kind of the same fields: `scripts/node packages/schema/bench/structural.ts`. The
 * kind has 200 fields in 20 structs. Times are the best of several ROUNDS of CPU, in microseconds per object.
 */
import { type JsonObject, namesFor } from '@orch/machinery';
import { codecCompiler, f, readStructural, type StructSchema, struct, structuralKind } from '../src/index.ts';

const ROUNDS = 7;
const PER_ROUND = 1_500;
const names = namesFor('kubernetes');
const structs = Array.from({ length: 20 }, (_, i) => `part${String(i).padStart(2, '0')}`);
const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** Even fields are strings, odd ones numbers; the last of each struct has a default. */
const isText = (i: number): boolean => i % 2 === 0;

const Metadata = struct('test.v1.Metadata', '', { name: f.string(1) });

function builtIn(): StructSchema {
  const part = struct(
    'test.v1.Part',
    '',
    Object.fromEntries(
      fields.map((name, i) => [
        name,
        isText(i)
          ? f.string(i + 1, { maxBytes: 64 })
          : f.int32(i + 1, { min: 0, max: 1000, ...(name === 'j' ? { default: 7 } : {}) }),
      ]),
    ),
  );
  const spec = struct(
    'test.v1.Spec',
    '',
    Object.fromEntries(structs.map((name, i) => [name, f.struct(i + 1, part, { presence: 'always' })])),
  );
  const declared = { metadata: f.struct(1, Metadata, { presence: 'always' }), spec: f.struct(2, spec) };
  return struct('test.v1.BuiltIn', '', declared, { typeMeta: true });
}

function custom(): StructSchema {
  const field = (name: string, i: number): JsonObject =>
    isText(i)
      ? { type: 'string', maxLength: 64 }
      : { type: 'integer', minimum: 0, maximum: 1000, ...(name === 'j' ? { default: 7 } : {}) };
  const part = {
    type: 'object',
    properties: Object.fromEntries(fields.map((name, i) => [name, field(name, i)])),
  };
  const spec = { type: 'object', properties: Object.fromEntries(structs.map((name) => [name, part])) };
  const structural = readStructural({ type: 'object', properties: { spec } }, names);
  return structuralKind({ name: 'a.b.v1.Custom', doc: '', metadata: Metadata, structural: () => structural });
}

const part = Object.fromEntries(
  fields.filter((name) => name !== 'j').map((name, i) => [name, isText(i) ? `a value of ${name}` : 100 + i]),
);
const input = JSON.stringify({
  kind: 'Custom',
  apiVersion: 'a.b/v1',
  metadata: { name: 'x' },
  spec: Object.fromEntries(structs.map((name) => [name, part])),
});

function measure(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < PER_ROUND; i++) run();
    best = Math.min(best, process.cpuUsage(start).user / PER_ROUND);
  }
  return best;
}

const kinds = [builtIn(), custom()].map((schema) => {
  const codec = codecCompiler(names).compile(schema);
  const { value } = codec.decode(JSON.parse(input), { defaults: true });
  const changed = codec.decode(JSON.parse(input.replace('100', '101')), { defaults: true }).value;
  return { codec, value, changed };
});
const row = (what: string, run: (kind: (typeof kinds)[number]) => unknown): void => {
  const [own = 0, other = 0] = kinds.map((kind) => measure(() => run(kind)));
  console.log(
    `${what.padEnd(34)}${own.toFixed(1).padStart(8)}${other.toFixed(1).padStart(8)} µs  ${(other / own).toFixed(2)}×`,
  );
};

console.log(`${input.length} bytes${' '.repeat(22)}built-in  custom`);
row('decode with defaults', ({ codec }) => codec.decode(JSON.parse(input), { defaults: true }));
row('validate a creation', ({ codec, value }) => codec.validate(value));
row('validate an update', ({ changed, codec, value }) => codec.validate(changed, value));
row('a write: all of it', ({ codec, value }) => {
  const read = codec.decode(JSON.parse(input), { defaults: true }).value;
  return codec.validate(read, value);
});
