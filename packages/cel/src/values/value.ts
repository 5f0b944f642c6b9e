/**
 * Values of expressions. An int is a plain number while that is exact and a bigint beyond (never both for one value), so
 * that `===` compares ints; doubles and unsigned integers have separate classes. Lists and maps are views: a value of
 * a JSON document converts its parts when they are read.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Uint
  | Double
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | OpaqueValue;

/** A 64-bit unsigned integer; always within its range. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A point in time: seconds since 1970 and nanoseconds of that second, between the years 1 and 9999. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** An ordered list; `at` takes an index within it. */
export abstract class ListValue {
  abstract readonly length: number;
  abstract at(index: number): Value;
}

/** A map with keys of type string, bool, int or uint, which may be mixed. */
export abstract class MapValue {
  abstract readonly size: number;
  /** Undefined when the key is absent. Numeric keys of different types are one key. */
  abstract get(key: Value): Value | undefined;
  abstract has(key: Value): boolean;
  abstract keys(): readonly Value[];
}

export class OptionalValue {
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const none = new OptionalValue(undefined);

/** A type as a value: what `type(x)` returns and names such as `int` denote. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library's type. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
  /** The size as the cost model counts it. */
  get size(): number {
    return 1;
  }
}

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

/** True for both representations of an int. */
export const isInt = (value: Value | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** An int of a bigint within 64 bits: a number where that is exact. */
export const intOf = (value: bigint): number | bigint =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
