import {
  addQuantities,
  compareQuantities,
  isWholeQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityInteger,
  quantityNumber,
  quantitySign,
  subtractQuantities,
} from '@orch/machinery/quantity';
import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { Double, intOf, MAX_INT64, MIN_INT64, OpaqueValue } from '../values/value.ts';
import { constantCost, traversal } from './costs.ts';

const TYPE = 'kubernetes.Quantity';
export const quantityType = types.opaque(TYPE);

/** An error is made for a string that is not a quantity. */
const FAILURE_WORK = 600;

type Int = number | bigint;

class QuantityValue extends OpaqueValue {
  readonly typeName = TYPE;
  readonly quantity: Quantity;
  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

function read(text: string, evaluation: Evaluation): QuantityValue | string {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    evaluation.work(FAILURE_WORK);
    return error.message;
  }
}

function quantity(text: string, evaluation: Evaluation): QuantityValue {
  const result = read(text, evaluation);
  if (typeof result === 'string') throw new EvaluationError(result);
  return result;
}

function integerOf({ quantity: value }: QuantityValue): bigint | undefined {
  if (!isWholeQuantity(value)) return undefined;
  const integer = quantityInteger(value);
  return integer < MIN_INT64 || integer > MAX_INT64 ? undefined : integer;
}

function asInteger(value: QuantityValue): Int {
  const integer = integerOf(value);
  if (integer === undefined) throw new EvaluationError('cannot convert value to integer');
  return intOf(integer);
}

const ofInt = (value: Int): QuantityValue => new QuantityValue(parseQuantity(String(value)));
const compare = (a: QuantityValue, b: QuantityValue): number =>
  Math.sign(compareQuantities(a.quantity, b.quantity));
const plus = (a: QuantityValue, b: QuantityValue): QuantityValue =>
  new QuantityValue(addQuantities(a.quantity, b.quantity));
const minus = (a: QuantityValue, b: QuantityValue): QuantityValue =>
  new QuantityValue(subtractQuantities(a.quantity, b.quantity));

const { bool, double, int, string } = types;
const q = quantityType;
const constant = { ...constantCost(1), work: 10 };
/** A number is read as a string. */
const reading = { ...constantCost(1), work: 60 };

export const quantities: Library = {
  name: 'quantities',
  functions: {
    quantity: [overload('string_to_quantity', [[string], q], quantity, traversal({ work: 25 }))],
    isQuantity: [
      overload(
        'is_quantity_string',
        [[string], bool],
        (text: string, evaluation: Evaluation) => typeof read(text, evaluation) !== 'string',
        traversal({ work: 25 }),
      ),
    ],
    sign: [
      overload('quantity_sign', [[q], int], (value: QuantityValue) => quantitySign(value.quantity), constant),
    ],
    isGreaterThan: [
      member(
        'quantity_is_greater_than',
        [[q, q], bool],
        (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0,
        constant,
      ),
    ],
    isLessThan: [
      member(
        'quantity_is_less_than',
        [[q, q], bool],
        (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0,
        constant,
      ),
    ],
    compareTo: [member('quantity_compare_to', [[q, q], int], compare, constant)],
    asApproximateFloat: [
      member(
        'quantity_get_float',
        [[q], double],
        (value: QuantityValue) => new Double(quantityNumber(value.quantity)),
        constant,
      ),
    ],
    asInteger: [member('quantity_get_int', [[q], int], asInteger, constant)],
    isInteger: [
      member(
        'quantity_is_integer',
        [[q], bool],
        (value: QuantityValue) => integerOf(value) !== undefined,
        constant,
      ),
    ],
    add: [
      member('quantity_add', [[q, q], q], plus, constant),
      member('quantity_add_int', [[q, int], q], (a: QuantityValue, b: Int) => plus(a, ofInt(b)), reading),
    ],
    sub: [
      member('quantity_sub', [[q, q], q], minus, constant),
      member('quantity_sub_int', [[q, int], q], (a: QuantityValue, b: Int) => minus(a, ofInt(b)), reading),
    ],
  },
};
