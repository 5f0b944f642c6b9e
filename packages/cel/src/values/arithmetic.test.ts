import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as arithmetic from './arithmetic.ts';
import { compareValues } from './compare.ts';
import { EvaluationError } from './evaluation-error.ts';
import { intOf, MAX_INT64, MAX_UINT64, MIN_INT64, Uint, type Value } from './value.ts';

const near = [0n, 1n, -1n, 2n ** 53n, -(2n ** 53n), 2n ** 32n, MAX_INT64, MIN_INT64];

/** Ints of all sizes, often next to where the representation changes. */
const int64 = fc.oneof(
  fc.bigInt({ min: MIN_INT64, max: MAX_INT64 }),
  fc.integer().map(BigInt),
  fc
    .tuple(fc.constantFrom(...near), fc.integer({ min: -3, max: 3 }))
    .map(([base, offset]) => base + BigInt(offset))
    .filter((value) => value >= MIN_INT64 && value <= MAX_INT64),
);

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: MAX_UINT64 }), fc.nat().map(BigInt));

type Int = number | bigint;

const isCanonical = (value: Int): boolean =>
  (typeof value === 'number') === (value >= -(2 ** 53) + 1 && value <= 2 ** 53 - 1);

/** The result as a bigint; undefined for an error. */
function resultOf(compute: () => Int | Uint): bigint | undefined {
  try {
    const result = compute();
    if (result instanceof Uint) return result.value;
    assert.ok(isCanonical(result), `${typeof result} ${result}`);
    return BigInt(result);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

const within = (value: bigint, min: bigint, max: bigint): bigint | undefined =>
  value < min || value > max ? undefined : value;

const ints = [
  ['sum', arithmetic.addInts, (a, b) => a + b],
  ['difference', arithmetic.subtractInts, (a, b) => a - b],
  ['product', arithmetic.multiplyInts, (a, b) => a * b],
  ['quotient', arithmetic.divideInts, (a, b) => (b === 0n ? undefined : a / b)],
  // The reference refuses the remainder whose quotient overflows.
  [
    'remainder',
    arithmetic.remainderOfInts,
    (a, b) => (b === 0n || (a === MIN_INT64 && b === -1n) ? undefined : a % b),
  ],
] as const satisfies readonly (readonly [
  string,
  (a: Int, b: Int) => Int,
  (a: bigint, b: bigint) => bigint | undefined,
])[];

const uints = [
  ['sum', arithmetic.addUints, (a, b) => a + b],
  ['difference', arithmetic.subtractUints, (a, b) => a - b],
  ['product', arithmetic.multiplyUints, (a, b) => a * b],
  ['quotient', arithmetic.divideUints, (a, b) => (b === 0n ? undefined : a / b)],
  ['remainder', arithmetic.remainderOfUints, (a, b) => (b === 0n ? undefined : a % b)],
] as const satisfies readonly (readonly [
  string,
  (a: Uint, b: Uint) => Uint,
  (a: bigint, b: bigint) => bigint | undefined,
])[];

describe('arithmetic on 64-bit integers', () => {
  for (const [name, compute, exact] of ints)
    it(`the ${name} of two ints is exact, or an error when it does not fit`, () => {
      fc.assert(
        fc.property(int64, int64, (a, b) => {
          const expected = exact(a, b);
          const fitting = expected === undefined ? undefined : within(expected, MIN_INT64, MAX_INT64);
          assert.equal(
            resultOf(() => compute(intOf(a), intOf(b))),
            fitting,
          );
        }),
      );
    });

  for (const [name, compute, exact] of uints)
    it(`the ${name} of two unsigned integers is exact, or an error when it does not fit`, () => {
      fc.assert(
        fc.property(uint64, uint64, (a, b) => {
          const expected = exact(a, b);
          const fitting = expected === undefined ? undefined : within(expected, 0n, MAX_UINT64);
          assert.equal(
            resultOf(() => compute(new Uint(a), new Uint(b))),
            fitting,
          );
        }),
      );
    });

  it('negation of the least int is an error, and exact for all others', () => {
    fc.assert(
      fc.property(int64, (a) => {
        assert.equal(
          resultOf(() => arithmetic.negateInt(intOf(a))),
          within(-a, MIN_INT64, MAX_INT64),
        );
      }),
    );
  });

  it('ints and unsigned integers are ordered by their exact values', () => {
    fc.assert(
      fc.property(int64, uint64, (a, b) => {
        const [x, y]: [Value, Value] = [intOf(a), new Uint(b)];
        assert.equal(Math.sign(compareValues(x, y) ?? Number.NaN), a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
