import type { CelType } from '../types/type.ts';
import {
  Double,
  Duration,
  isInt,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';

/** Reports whether a value has a type, as far as that is known without looking at its parts. */
export function hasType(value: Value, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'int':
      return isInt(value);
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'list':
      return value instanceof ListValue;
    case 'map':
    case 'object':
      return value instanceof MapValue;
    case 'opaque':
      if (type.name === 'optional_type') return value instanceof OptionalValue;
      return value instanceof OpaqueValue && value.typeName === type.name;
    default:
      return value instanceof classes[type.kind];
  }
}

const classes = {
  uint: Uint,
  double: Double,
  bytes: Uint8Array,
  timestamp: Timestamp,
  duration: Duration,
  type: TypeValue,
} as const;
