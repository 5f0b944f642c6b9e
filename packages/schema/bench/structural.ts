/**
 * Speed of custom kinds compared with built-in kinds of the same fields: `scripts/node packages/schema/bench/structural.ts [kinds]`.
 * Each kind has 200 fields in 20 structs; so many kinds of each sort are used in turns. Times are the best of many short rounds
 * of CPU, in microseconds per object.
 */
import { type ApiObject, namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import {
  type Codec,
  codecCompiler,
  f,
  readStructural,
  type StructSchema,
  struct,
  structuralKind,
} from '../src/index.ts';

const ROUNDS = 50;
const PER_ROUND = 500;
const WARM_UP = 100;
const count = Number(process.argv[2] ?? 1);

const names = namesFor('kubernetes');
const { validations } = names.schemaExtensions;
const structs = Array.from({ length: 20 }, (_, i) => `part${String(i).padStart(2, '0')}`);
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
/** Names of the fields of a struct: those of other kinds are others. */
const fieldsOf = (kind: number): readonly string[] => letters.map((letter) => `${letter}${kind}`);

/** Even fields are strings, odd ones numbers; the last of each struct has a default. */
const isText = (i: number): boolean => i % 2 === 0;
const hasDefault = (i: number): boolean => i === letters.length - 1;

const Metadata = struct('test.v1.Metadata', '', { name: f.string(1) });

function builtIn(kind: number): StructSchema {
  const field = (i: number) =>
    isText(i)
      ? f.string(i + 1, { maxBytes: 64 })
      : f.int32(i + 1, { min: 0, max: 1000, ...(hasDefault(i) ? { default: 7 } : {}) });
  const part = struct(
    `test.v1.Part${kind}`,
    '',
    Object.fromEntries(fieldsOf(kind).map((name, i) => [name, field(i)])),
  );
  const spec = struct(
    `test.v1.Spec${kind}`,
    '',
    Object.fromEntries(structs.map((name, i) => [name, f.struct(i + 1, part, { presence: 'always' })])),
  );
  const fields = { metadata: f.struct(1, Metadata, { presence: 'always' }), spec: f.struct(2, spec) };
  return struct(`test.v1.BuiltIn${kind}`, '', fields, { typeMeta: true });
}

/** Ten rules, one of them about changes. */
const rulesOf = ([a, b, c, d]: readonly string[]): readonly JsonObject[] =>
  [
    `self.part00.${b} <= self.part00.${d}`,
    `self.part01.${a}.startsWith('a value')`,
    `self.part02.${b} + self.part02.${d} < 2000`,
    `self.part03.${c} != 'x' || self.part03.${b} == 1`,
    `has(self.part04.${d}) ? self.part04.${d} >= 0 : true`,
    `self.part05.${a} == oldSelf.part05.${a}`,
    `self.part06.${b} > 0 || self.part06.${d} > 0`,
    `self.part07.${a}.size() <= 64 && self.part07.${c}.size() <= 64`,
    `!(self.part08.${a} in ['x', 'y', 'z'])`,
    `self.part09.${b} in [101, 102, 103]`,
  ].map((rule) => ({ rule }));

function custom(kind: number, rules: readonly JsonObject[]): StructSchema {
  const field = (i: number): JsonObject =>
    isText(i)
      ? { type: 'string', maxLength: 64 }
      : { type: 'integer', minimum: 0, maximum: 1000, ...(hasDefault(i) ? { default: 7 } : {}) };
  const part = {
    type: 'object',
    properties: Object.fromEntries(fieldsOf(kind).map((name, i) => [name, field(i)])),
  };
  const properties = Object.fromEntries(structs.map((name) => [name, part]));
  const spec = { type: 'object', properties, ...(rules.length === 0 ? {} : { [validations]: rules }) };
  const structural = readStructural({ type: 'object', properties: { spec } }, names);
  return structuralKind({
    name: `a.b.v1.Custom${kind}`,
    doc: '',
    metadata: Metadata,
    structural: () => structural,
  });
}

const objectWith = (spec: JsonObject): string =>
  JSON.stringify({ kind: 'Custom', apiVersion: 'a.b/v1', metadata: { name: 'x' }, spec });

/** A kind, an object of it as sent and as read, and the same with one field changed. */
interface Subject {
  readonly codec: Codec;
  readonly text: string;
  /** As `text`, with the fields of each struct in another order. */
  readonly reversed: string;
  readonly value: ApiObject;
  readonly changed: ApiObject;
}

function subjectOf(schema: StructSchema, kind: number): Subject {
  const entries = fieldsOf(kind)
    .map((name, i) => [name, isText(i) ? `a value of ${name}` : 100 + i] as const)
    .filter((_field, i) => !hasDefault(i));
  const part = Object.fromEntries(entries);
  const parts = Object.fromEntries(structs.map((name) => [name, part]));
  const other = Object.fromEntries([...entries].reverse());
  const text = objectWith(parts);
  const codec = codecCompiler(names).compile(schema);
  const read = (from: string): ApiObject => codec.decode(JSON.parse(from), { defaults: true }).value;
  // The first objects of a kind are laid out in other ways than all later ones.
  for (let i = 0; i < WARM_UP; i++) read(text);
  return {
    codec,
    text,
    reversed: objectWith(Object.fromEntries(structs.map((name) => [name, other]))),
    value: read(text),
    changed: read(objectWith({ ...parts, part10: { ...part, [`b${kind}`]: 1 } })),
  };
}

function measure(subjects: readonly Subject[], run: (subject: Subject) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < PER_ROUND; i++) run(subjects[i % subjects.length] as Subject);
    // Only the sum is exact: the system estimates how it divides.
    const { system, user } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / PER_ROUND);
  }
  return best;
}

const subjectsOf = (make: (kind: number) => StructSchema): readonly Subject[] =>
  Array.from({ length: count }, (_, kind) => subjectOf(make(kind), kind));
const sorts = [
  subjectsOf(builtIn),
  subjectsOf((kind) => custom(kind, [])),
  subjectsOf((kind) => custom(kind, rulesOf(fieldsOf(kind)))),
];

function row(what: string, run: (subject: Subject) => unknown): void {
  const [own = 0, ...others] = sorts.map((subjects) => measure(subjects, run));
  const cells = others.map((time) => `${time.toFixed(1).padStart(8)} ${(time / own).toFixed(2)}×`);
  console.log(`${what.padEnd(34)}${own.toFixed(1).padStart(8)}${cells.join('')}`);
}

const decoded = ({ codec }: Subject, text: string): ApiObject =>
  codec.decode(JSON.parse(text), { defaults: true }).value;

console.log(`${sorts[0]?.[0]?.text.length} bytes, µs CPU                 built-in  custom       ten rules`);
row('parse', ({ text }) => JSON.parse(text));
row('parse, decode with defaults', (subject) => decoded(subject, subject.text));
row('the same, fields in reverse', (subject) => decoded(subject, subject.reversed));
row('validate a creation', ({ codec, value }) => codec.validate(value));
row('validate an update', ({ changed, codec, value }) => codec.validate(changed, value));
row('all of an update', (subject) => subject.codec.validate(decoded(subject, subject.text), subject.changed));
