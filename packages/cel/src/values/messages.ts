import type { CelType, FieldProvider } from '../types/type.ts';
import * as types from '../types/type.ts';
import { ArrayList, EntryMap } from './collections.ts';
import { EvaluationError } from './evaluation-error.ts';
import { StructValue } from './struct.ts';
import { timestampOf } from './time.ts';
import { Double, Duration, isInt, MAX_INT64, MIN_INT64, Uint, type Value } from './value.ts';

/** The fields that a literal gives. */
type Given = ReadonlyMap<string, Value>;

/** A message that an expression may build although its value is not an object: `google.protobuf.Duration{seconds: 1}`. */
export interface Message {
  /** The type of the value. */
  readonly type: CelType;
  readonly fields: FieldProvider;
  /** Throws an EvaluationError for fields beyond their range. */
  make(given: Given): Value;
}

const PACKAGE = 'google.protobuf.';
const NANOS_PER_SECOND = 1_000_000_000n;
const INT32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const UINT32 = { least: 0n, most: 2n ** 32n - 1n };

function fieldsOf(fields: Readonly<Record<string, CelType>>): FieldProvider {
  const types_ = new Map(Object.entries(fields));
  return { fieldType: (name) => types_.get(name) };
}

/** An integer field; 0 when it is not given. */
function integer(given: Given, name: string, range?: typeof INT32): bigint {
  const value = given.get(name);
  const found = value instanceof Uint ? value.value : isInt(value) ? BigInt(value) : 0n;
  if (range !== undefined && (found < range.least || found > range.most))
    throw new EvaluationError(`field '${name}': integer overflow`);
  return found;
}

const instant = { seconds: types.int, nanos: types.int };

/** Nanoseconds of the fields of a Timestamp or Duration, which may both be negative. */
const nanosOf = (given: Given): bigint =>
  integer(given, 'seconds') * NANOS_PER_SECOND + integer(given, 'nanos', INT32);

function timestamp(given: Given): Value {
  const total = nanosOf(given);
  const nanos = ((total % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return timestampOf(Number((total - nanos) / NANOS_PER_SECOND), Number(nanos));
}

/** Clamps the duration to 64 bits. */
function duration(given: Given): Duration {
  const total = nanosOf(given);
  if (total > MAX_INT64) return new Duration(MAX_INT64);
  if (total < MIN_INT64) return new Duration(MIN_INT64);
  return new Duration(total);
}

/** A message with the one field `value`: its value, or `zero`. */
const wrapper = (type: CelType, zero: Value, read = (value: Value): Value => value): Message => ({
  type,
  fields: fieldsOf({ value: type }),
  make: (given) => read(given.get('value') ?? zero),
});

function ranged(type: CelType, zero: Value, range: typeof INT32): Message {
  const fields = fieldsOf({ value: type });
  return {
    type,
    fields,
    make(given) {
      integer(given, 'value', range);
      return given.get('value') ?? zero;
    },
  };
}

const asFloat = (value: Value): Value =>
  value instanceof Double ? new Double(Math.fround(value.value)) : value;

const structType = types.map(types.string, types.dyn);
const listType = types.list(types.dyn);

/** The fields of a Value, of which a literal gives one; the last one counts. */
const kinds = {
  null_value: types.int,
  number_value: types.double,
  string_value: types.string,
  bool_value: types.bool,
  struct_value: structType,
  list_value: listType,
};

function anyKind(given: Given): Value {
  const last = [...given].at(-1);
  return last === undefined || last[0] === 'null_value' ? null : last[1];
}

const emptyName = `${PACKAGE}Empty`;
const emptyType: CelType = { kind: 'object', name: emptyName, fields: fieldsOf({}) };

const messages: Readonly<Record<string, Message>> = {
  Timestamp: { type: types.timestamp, fields: fieldsOf(instant), make: timestamp },
  Duration: { type: types.duration, fields: fieldsOf(instant), make: duration },
  BoolValue: wrapper(types.bool, false),
  StringValue: wrapper(types.string, ''),
  BytesValue: wrapper(types.bytes, new Uint8Array()),
  DoubleValue: wrapper(types.double, new Double(0)),
  FloatValue: wrapper(types.double, new Double(0), asFloat),
  Int64Value: wrapper(types.int, 0),
  Int32Value: ranged(types.int, 0, INT32),
  UInt64Value: wrapper(types.uint, new Uint(0n)),
  UInt32Value: ranged(types.uint, new Uint(0n), UINT32),
  Struct: {
    type: structType,
    fields: fieldsOf({ fields: structType }),
    make: (given) => given.get('fields') ?? new EntryMap(),
  },
  ListValue: {
    type: listType,
    fields: fieldsOf({ values: listType }),
    make: (given) => given.get('values') ?? new ArrayList([]),
  },
  Value: { type: types.dyn, fields: fieldsOf(kinds), make: anyKind },
  Empty: { type: emptyType, fields: fieldsOf({}), make: () => new StructValue(emptyName, new Map()) },
};

const byName: ReadonlyMap<string, Message> = new Map(
  Object.entries(messages).map(([name, message]) => [`${PACKAGE}${name}`, message]),
);

/** The message of a full name; undefined for others, such as Any, whose values have no type before they are read. */
export const findMessage = (name: string): Message | undefined => byName.get(name);
