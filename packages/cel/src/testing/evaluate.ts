import assert from 'node:assert/strict';
import { atOnce } from '@orch/machinery/concurrency';
import type { DeclType } from '../decl/decl-type.ts';
import { environmentOf } from '../environment-of.ts';
import type { Outcome } from '../outcome.ts';
import { compile, type Program } from '../program.ts';
import { CelSyntaxError } from '../syntax/source.ts';
import { formatSeconds, formatTimestamp } from '../values/time.ts';
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

const latest = environmentOf('1.99');

/** Evaluates in the environment of the newest release with a variable `self`. */
function evaluate(source: string, decl?: DeclType, self?: unknown): Outcome {
  const environment = decl === undefined ? latest : latest.extend({ self: decl });
  const program = compile(source, environment);
  const values = decl === undefined ? {} : { self };
  const outcome = program.evaluate(values);
  assertSameOutcome(inPieces(program, values, 1), outcome);
  return outcome;
}

/** The outcome of an evaluation in pieces: of 1 unit, they are as short as possible. */
export function inPieces(
  program: Program,
  values: Readonly<Record<string, unknown>>,
  piece: number,
): Outcome {
  const outcome = program.begin(values, piece);
  return outcome.kind === 'unfinished' ? atOnce(outcome.rest()) : outcome;
}

/**
 * The same kind, value or message, and cost. Work may differ by what is computed once, such as the states of a pattern, and
 * with it where the limit is reached.
 */
export function assertSameOutcome(found: Outcome, expected: Outcome): void {
  if (expected.kind === 'limit') {
    assert.equal(found.kind, 'limit');
    return;
  }
  const plain = (outcome: Outcome): unknown =>
    outcome.kind === 'value' ? plainOf(outcome.value) : outcome.message;
  assert.deepEqual([found.kind, found.cost, plain(found)], [expected.kind, expected.cost, plain(expected)]);
}

/** A value as a plain one, for comparisons in tests: bigints and unsigned integers are texts with a suffix. */
export function plainOf(value: Value): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return value.value;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatSeconds(value);
  if (value instanceof Uint8Array) return `b'${Buffer.from(value).toString('latin1')}'`;
  if (value instanceof ListValue)
    return Array.from({ length: value.length }, (_, index) => plainOf(value.at(index)));
  if (value instanceof MapValue)
    return Object.fromEntries(
      value.keys().map((key) => [String(plainOf(key)), plainOf(value.get(key) ?? null)]),
    );
  if (value instanceof OptionalValue)
    return value.value === undefined ? 'none' : { of: plainOf(value.value) };
  return value;
}

/** The plain value of an expression that must have one. */
export function valueOfExpression(source: string, decl?: DeclType, self?: unknown): unknown {
  const outcome = evaluate(source, decl, self);
  if (outcome.kind !== 'value') return assert.fail(`${source}: ${outcome.message}`);
  return plainOf(outcome.value);
}

/** The message with which an expression fails when it is evaluated. */
export function failureOfExpression(source: string, decl?: DeclType, self?: unknown): string {
  const outcome = evaluate(source, decl, self);
  return outcome.kind === 'value' ? assert.fail(`${source} has a value`) : outcome.message;
}

/** The message with which an expression does not compile in a release. */
export function refusalOf(source: string, decl?: DeclType, release = '1.99'): string {
  const base = environmentOf(release);
  try {
    compile(source, decl === undefined ? base : base.extend({ self: decl }));
  } catch (error) {
    if (error instanceof CelSyntaxError) return error.message;
    throw error;
  }
  return assert.fail(`${source} compiles`);
}
