import { StructValue } from './struct.ts';
import {
  Double,
  Duration,
  ListValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** The name of the type of a value. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    case 'string':
      return 'string';
    default:
      return value === null ? 'null_type' : nameOfObject(value);
  }
}

function nameOfObject(value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (value instanceof ListValue) return 'list';
  if (value instanceof StructValue || value instanceof OpaqueValue) return value.typeName;
  if (value instanceof Double) return 'double';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof OptionalValue) return 'optional_type';
  return value instanceof TypeValue ? 'type' : 'map';
}
