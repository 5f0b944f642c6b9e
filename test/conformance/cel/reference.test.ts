import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  CelSyntaxError,
  compile,
  Double,
  environmentOf,
  type Outcome,
  type Program,
  typeNameOf,
  types,
  Uint,
  type Value,
} from '@orch/cel';
import { atOnce } from '@orch/machinery/concurrency';
import { buildGoProgram, observations, run } from '@orch/testkit';
import { declare } from './declare.ts';
import { evaluated, generated, refused } from './expressions.ts';
import { schema, self } from './fixture.ts';

const RELEASE = '1.35';
/** The reference counts to the end; only equality matters here. */
const COST_LIMIT = 1_000_000_000;

const reference = await buildGoProgram(join(import.meta.dirname, 'go', 'cel-reference'));

/** The result of the reference API server's environment for an expression. */
interface Observation {
  readonly compileError?: string;
  readonly resultType?: string;
  readonly estimateMin?: string;
  readonly estimateMax?: string;
  readonly evalError?: string;
  readonly result?: string;
  readonly cost?: string;
}

const environment = environmentOf(RELEASE).extend({ self: declare(schema, 'selfType') });

async function observe(path: string, expressions: readonly string[]): Promise<readonly Observation[]> {
  const input = expressions
    .map((expression) => JSON.stringify({ release: RELEASE, expression, schema, self }))
    .join('\n');
  return observations<Observation>(await run(path, [], { input }));
}

/** The result as the reference prints it: scalars as texts, others as their types. */
function shown(value: Value): string {
  if (value instanceof Uint || value instanceof Double) return String(value.value);
  return typeof value === 'object' ? typeNameOf(value) : String(value);
}

/** A type as the reference names it where it is not part of a message. */
const typeText = (program: Program): string =>
  types.formatType(program.resultType).replace(/^(timestamp|duration)$/, (name) => {
    return name === 'timestamp' ? 'google.protobuf.Timestamp' : 'google.protobuf.Duration';
  });

/** The outcome of an evaluation that is left wherever that is possible. */
function inPieces(program: Program): Outcome {
  const first = program.begin({ self }, 1);
  return first.kind === 'unfinished' ? atOnce(first.rest()) : first;
}

/** Estimates beyond 2^53 are rounded here. */
function assertNear(found: number, expected: string | undefined, what: string): void {
  const difference = Math.abs(found - Number(expected));
  assert.ok(difference <= Math.abs(found) * 1e-12, `${what}: ${found}, the reference has ${expected}`);
}

function assertSameOutcome(outcome: Outcome, expected: Observation): void {
  if (outcome.kind !== 'value') {
    assert.notEqual(expected.evalError, undefined, outcome.message);
    return;
  }
  assert.equal(expected.evalError, undefined);
  assert.equal(shown(outcome.value), expected.result ?? '');
  assert.equal(String(outcome.cost), expected.cost, 'cost');
}

if (reference.kind === 'missing') {
  describe('expressions in the environment of validation rules', () => {
    it.skip(`expressions in the environment of validation rules have the verdicts and costs of the reference API server: ${reference.reason}`, () => {});
  });
} else {
  const { path } = reference.program;
  const expressions = [...evaluated, ...generated];
  const observed = await observe(path, expressions);
  const messages = await observe(path, refused);

  describe('expressions in the environment of validation rules', () => {
    expressions.forEach((expression, index) => {
      it(`${expression} has the type, estimate, result and cost of the reference`, () => {
        const expected = observed[index] ?? assert.fail('not observed');
        assert.equal(expected.compileError, undefined);
        const program = compile(expression, environment);
        assert.equal(typeText(program), expected.resultType);
        const { min, max } = program.estimateCost();
        assertNear(min, expected.estimateMin, 'least estimate');
        assertNear(max, expected.estimateMax, 'greatest estimate');
        const outcome = program.evaluate({ self }, COST_LIMIT);
        assertSameOutcome(outcome, expected);
        const { kind, cost } = inPieces(program);
        if (kind !== 'limit') assert.deepEqual([kind, cost], [outcome.kind, outcome.cost]);
      });
    });

    refused.forEach((expression, index) => {
      it(`${expression} is refused with the message of the reference`, () => {
        const expected = messages[index]?.compileError ?? assert.fail('the reference accepts it');
        assert.throws(
          () => compile(expression, environment),
          (error) => error instanceof CelSyntaxError && error.message === expected.trim(),
        );
      });
    });
  });
}
