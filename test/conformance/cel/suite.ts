import assert from 'node:assert/strict';
import {
  ArrayList,
  CelSyntaxError,
  type CelType,
  compile,
  compileUnchecked,
  type DeclType,
  Double,
  Duration,
  EntryMap,
  Environment,
  equalValues,
  librariesOf,
  none,
  type Outcome,
  type Program,
  plainFormatting,
  stringReversal,
  Timestamp,
  TypeValue,
  typeNameOf,
  types,
  Uint,
  type Value,
  valueDecl,
} from '@orch/cel';
import { atOnce } from '@orch/machinery/concurrency';

/** A test of the published suite, in the JSON form of its message. */
export interface SuiteTest {
  readonly file: string;
  readonly section: string;
  readonly test: {
    readonly name: string;
    readonly expr: string;
    readonly container?: string;
    readonly disableCheck?: boolean;
    readonly checkOnly?: boolean;
    readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: Json } }[];
    readonly bindings?: Readonly<Record<string, { readonly value: Json }>>;
    readonly value?: Json;
    readonly typedResult?: { readonly result?: Json; readonly deducedType: Json };
    readonly evalError?: Json;
  };
}

type Json = Readonly<Record<string, unknown>>;

/** A message or other value that this environment does not have. */
class Unsupported extends Error {}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: types.bool,
  INT64: types.int,
  UINT64: types.uint,
  DOUBLE: types.double,
  STRING: types.string,
  BYTES: types.bytes,
  TIMESTAMP: types.timestamp,
  DURATION: types.duration,
};

function typeOf(json: Json): CelType {
  const [kind = 'dyn'] = Object.keys(json);
  const value = json[kind] as Json & string;
  switch (kind) {
    case 'primitive':
    case 'wellKnown': {
      const type = primitives[value];
      if (type === undefined) throw new Unsupported(value);
      return type;
    }
    case 'listType':
      return types.list(typeOf((value['elemType'] ?? {}) as Json));
    case 'mapType':
      return types.map(typeOf(value['keyType'] as Json), typeOf(value['valueType'] as Json));
    case 'null':
      return types.nullType;
    case 'type':
      return types.typeOfType(Object.keys(value).length === 0 ? undefined : typeOf(value));
    case 'abstractType':
      return types.opaque(
        value['name'] as string,
        ...((value['parameterTypes'] ?? []) as Json[]).map(typeOf),
      );
    case 'dyn':
      return types.dyn;
    case 'messageType':
      if (value === 'google.protobuf.Duration') return types.duration;
      if (value === 'google.protobuf.Timestamp') return types.timestamp;
      throw new Unsupported(`the message ${value}`);
    default:
      throw new Unsupported(kind);
  }
}

function doubleOf(value: unknown): Double {
  return new Double(Number(value));
}

function mapOf(entries: readonly Json[]): EntryMap {
  const map = new EntryMap();
  for (const { key, value } of entries) map.add(celValue(key as Json), celValue(value as Json));
  return map;
}

const intOf = (text: string): Value => {
  const value = BigInt(text);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};

export function celValue(json: Json): Value {
  const [kind = ''] = Object.keys(json);
  const value = json[kind];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value as boolean | string;
    case 'int64Value':
      return intOf(value as string);
    case 'uint64Value':
      return new Uint(BigInt(value as string));
    case 'doubleValue':
      return doubleOf(value);
    case 'bytesValue':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'listValue':
      return new ArrayList((((value as Json)['values'] ?? []) as Json[]).map(celValue));
    case 'mapValue':
      return mapOf(((value as Json)['entries'] ?? []) as Json[]);
    case 'typeValue':
      return new TypeValue(value as string);
    case 'objectValue':
      return messageOf(value as Json);
    default:
      throw new Unsupported(kind);
  }
}

/** The messages that have a separate type in the language. */
function messageOf(message: Json): Value {
  const name = String(message['@type']).split('/').at(-1);
  const value = message['value'];
  switch (name) {
    case 'google.protobuf.Timestamp': {
      const [whole = '', fraction = ''] = String(value).replace('Z', '').split('.');
      return new Timestamp(Date.parse(`${whole}Z`) / 1000, Number(fraction.padEnd(9, '0')));
    }
    case 'google.protobuf.Duration': {
      const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(String(value)) ?? [];
      const nanos = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
      return new Duration(sign === '-' ? -nanos : nanos);
    }
    case 'google.protobuf.Int64Value':
    case 'google.protobuf.Int32Value':
      return intOf(String(value));
    case 'google.protobuf.UInt64Value':
    case 'google.protobuf.UInt32Value':
      return new Uint(BigInt(String(value)));
    case 'google.protobuf.DoubleValue':
    case 'google.protobuf.FloatValue':
      return doubleOf(value);
    case 'google.protobuf.StringValue':
    case 'google.protobuf.BoolValue':
      return value as string | boolean;
    default:
      throw new Unsupported(name ?? '');
  }
}

/** Why a test fails; undefined when it passes. */
export function failureOf({ test }: SuiteTest): string | undefined {
  try {
    return run(test);
  } catch (error) {
    if (error instanceof Unsupported || error instanceof CelSyntaxError) return error.message;
    throw error;
  }
}

const libraries = [
  ...librariesOf('1.99').filter(({ name }) => name !== plainFormatting.name),
  plainFormatting,
  stringReversal,
];

function environmentFor(test: SuiteTest['test']): Environment {
  const environment = new Environment({
    libraries,
    quotedFields: true,
    ...(test.container === undefined ? {} : { container: test.container }),
  });
  const declared = (test.typeEnv ?? []).flatMap(({ name, ident }): [string, DeclType][] =>
    ident === undefined ? [] : [[name, valueDecl(typeOf(ident.type))]],
  );
  const bound = Object.keys(test.bindings ?? {}).map((name): [string, DeclType] => [
    name,
    valueDecl(types.dyn),
  ]);
  return environment.extend({ ...Object.fromEntries(bound), ...Object.fromEntries(declared) });
}

function run(test: SuiteTest['test']): string | undefined {
  const environment = environmentFor(test);
  const build = test.disableCheck === true ? compileUnchecked : compile;
  let program: ReturnType<typeof compile>;
  try {
    program = build(test.expr, environment);
  } catch (error) {
    // An expression that must fail may be refused before it is evaluated.
    if (error instanceof CelSyntaxError && test.evalError !== undefined) return undefined;
    throw error;
  }
  const deduced = test.typedResult === undefined ? undefined : typeOf(test.typedResult.deducedType);
  if (deduced !== undefined) {
    const [found, expected] = [program.resultType, deduced].map(types.formatType);
    if (found !== expected) return `its type is ${found}, not ${expected}`;
  }
  if (test.checkOnly === true) return undefined;
  const bindings = Object.entries(test.bindings ?? {}).map(([name, { value }]) => [name, celValue(value)]);
  const outcome = outcomeOf(program, Object.fromEntries(bindings));
  if (test.evalError !== undefined) return outcome.kind === 'error' ? undefined : 'it does not fail';
  if (outcome.kind !== 'value') return outcome.message;
  const expected = test.value ?? test.typedResult?.result;
  return matches(outcome.value, expected === undefined ? true : celValue(expected));
}

/** The outcome in pieces as short as possible: they take the same way through an expression, and more. */
function outcomeOf(program: Program, values: Readonly<Record<string, unknown>>): Outcome {
  const first = program.begin(values, 1);
  const outcome = first.kind === 'unfinished' ? atOnce(first.rest()) : first;
  const { kind, cost } = program.evaluate(values);
  assert.deepEqual([outcome.kind, outcome.cost], [kind, cost]);
  return outcome;
}

function matches(found: Value, expected: Value): string | undefined {
  const [foundType, expectedType] = [found, expected].map((each) =>
    each === none ? 'none' : typeNameOf(each),
  );
  if (foundType !== expectedType) return `a ${foundType}, not a ${expectedType}`;
  if (equalValues(found, expected)) return undefined;
  const isNotANumber = (value: Value): boolean => value instanceof Double && Number.isNaN(value.value);
  return isNotANumber(found) && isNotANumber(expected) ? undefined : 'another value';
}
