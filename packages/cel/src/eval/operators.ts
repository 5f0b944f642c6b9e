import type { Evaluation } from '../functions/evaluation.ts';
import * as arithmetic from '../values/arithmetic.ts';
import { ConcatList } from '../values/collections.ts';
import { compareValues } from '../values/compare.ts';
import { equalValues } from '../values/equality.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { KeyedList } from '../values/keyed-list.ts';
import { addToTimestamp, between, durationOf, subtractFromTimestamp } from '../values/time.ts';
import {
  Double,
  Duration,
  isInt,
  ListValue,
  MapValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

/** A binary operator on values of any type. */
export type BinaryOperator = (a: Value, b: Value, evaluation: Evaluation) => Value;

function add(a: Value, b: Value, evaluation: Evaluation): Value {
  if (isInt(a) && isInt(b)) return arithmetic.addInts(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof Double && b instanceof Double) return new Double(a.value + b.value);
  if (a instanceof Uint && b instanceof Uint) return arithmetic.addUints(a, b);
  if (a instanceof ListValue && b instanceof ListValue) return addLists(a, b, evaluation);
  if (a instanceof Duration) {
    if (b instanceof Duration) return durationOf(a.nanos + b.nanos);
    if (b instanceof Timestamp) return addToTimestamp(b, a);
  }
  if (a instanceof Timestamp && b instanceof Duration) return addToTimestamp(a, b);
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) throw noSuchOverload();
  return new Uint8Array(Buffer.concat([a, b]));
}

function addLists(a: ListValue, b: ListValue, evaluation: Evaluation): ListValue {
  if (a instanceof KeyedList) {
    evaluation.work((a.length + b.length) * 40);
    return a.concat(b, evaluation);
  }
  const list = new ConcatList(a, b);
  evaluation.work(list.parts.length);
  return list;
}

function subtract(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return arithmetic.subtractInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value - b.value);
  if (a instanceof Uint && b instanceof Uint) return arithmetic.subtractUints(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return between(a, b);
  if (!(b instanceof Duration)) throw noSuchOverload();
  if (a instanceof Timestamp) return subtractFromTimestamp(a, b);
  if (a instanceof Duration) return durationOf(a.nanos - b.nanos);
  throw noSuchOverload();
}

function multiply(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return arithmetic.multiplyInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value * b.value);
  if (a instanceof Uint && b instanceof Uint) return arithmetic.multiplyUints(a, b);
  throw noSuchOverload();
}

function divide(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return arithmetic.divideInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value / b.value);
  if (a instanceof Uint && b instanceof Uint) return arithmetic.divideUints(a, b);
  throw noSuchOverload();
}

function remainder(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return arithmetic.remainderOfInts(a, b);
  if (a instanceof Uint && b instanceof Uint) return arithmetic.remainderOfUints(a, b);
  throw noSuchOverload();
}

function order(a: Value, b: Value): number {
  const result = compareValues(a, b);
  if (result === undefined) throw noSuchOverload();
  if (Number.isNaN(result)) throw new EvaluationError('NaN values cannot be ordered');
  return result;
}

function isIn(element: Value, collection: Value, evaluation: Evaluation): boolean {
  if (collection instanceof MapValue) return collection.has(element);
  if (!(collection instanceof ListValue)) throw noSuchOverload();
  evaluation.work(collection.length);
  for (let i = 0; i < collection.length; i++)
    if (equalValues(element, collection.at(i), evaluation)) return true;
  return false;
}

export const binaryOperators: Readonly<Record<string, BinaryOperator>> = {
  '_+_': add,
  '_-_': subtract,
  '_*_': multiply,
  '_/_': divide,
  '_%_': remainder,
  '_==_': (a, b, evaluation) => equalValues(a, b, evaluation),
  '_!=_': (a, b, evaluation) => !equalValues(a, b, evaluation),
  '_<_': (a, b) => order(a, b) < 0,
  '_<=_': (a, b) => order(a, b) <= 0,
  '_>_': (a, b) => order(a, b) > 0,
  '_>=_': (a, b) => order(a, b) >= 0,
  '@in': isIn,
};

export function negate(value: Value): Value {
  if (isInt(value)) return arithmetic.negateInt(value);
  if (value instanceof Double) return new Double(-value.value);
  throw noSuchOverload();
}

export function not(value: Value): Value {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return !value;
}
