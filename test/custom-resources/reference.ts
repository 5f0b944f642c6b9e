import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ObjectMeta } from '@orch/apis';
import { type FieldError, namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { testKind } from '@orch/schema/testing';
import { buildGoProgram } from '@orch/testkit';

/** The results of the reference implementation and of this one for writes of custom objects. */

const names = namesFor('kubernetes');
const reference = await buildGoProgram(join(import.meta.dirname, 'go', 'structural'));
/** Why there is no reference on this machine; false when there is one. */
export const noReference = reference.kind === 'missing' ? reference.reason : false;

export interface Write {
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

export interface Request {
  readonly schema: JsonObject;
  readonly writes: readonly Write[];
}

/** One violation, as the cause of a Status says it. */
export interface Violation {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

/** The outcome of a write. */
export interface Stored {
  readonly object?: JsonObject;
  readonly refused?: string;
  readonly errors: readonly Violation[];
}

/** The answers of the reference to requests, in their order. */
function askReference<T>(requests: readonly object[]): readonly T[] {
  assert.ok(reference.kind === 'built');
  const input = requests.map((request) => JSON.stringify(request)).join('\n');
  const { status, stdout, stderr } = spawnSync(reference.program.path, {
    input,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** The results of this implementation for the same writes. */
function ours({ schema, writes }: Request): readonly Stored[] {
  const codec = codecCompiler(names).compile(testKind(schema, names, ObjectMeta));
  const read = (object: JsonObject) => {
    const { problems, value } = codec.decode(object, { defaults: true });
    return { value, refused: problems.find((problem) => problem.kind === 'type')?.message };
  };
  return writes.map(({ object, old }) => {
    const { refused, value } = read(object);
    if (refused !== undefined) return { refused, errors: [] };
    const before = old === undefined ? undefined : read(old).value;
    return { object: JSON.parse(JSON.stringify(value)), errors: codec.validate(value, before) };
  });
}

/** Texts about sizes, spaces, and the order of metadata in values, differ between releases of the reference; the rest is wire text. */
const wireText = ({ type, message }: Violation): string =>
  type === 'FieldValueTooLong' || type === 'FieldValueTooMany'
    ? ''
    : message
        .replace(/value: [{[].*[}\]]: supported/, 'value: {}: supported')
        .replace(/ +/g, ' ')
        .replace(/…$/, '')
        .slice(0, 190);

/**
 * Expressions over values of the wrong type, which only an update that leaves them as they were can have: the two evaluate
 * different parts of such values, and name them in words of their language.
 */
const isOfWrongType = ({ message }: Violation): boolean =>
  /invalid data, expected|invalid \S+ formatted string/i.test(message) && message.includes('evaluating rule');

/** Numbers beyond their format: the reference checks other formats, and does not report them at their field. */
const isBeyondFormat = ({ message }: Violation): boolean =>
  /must be of type (?:integer|number) (?:with format|\(default format\))/.test(message);

/**
 * The paths of integers whose bounds are no integers: the reference refuses every value there because of the bound, and this server
 * truncates the bound.
 */
const fractionallyBounded = (violations: readonly Violation[]): ReadonlySet<string> =>
  new Set(
    violations.flatMap(
      ({ message }) => /(?:boundary|MultipleOf) value must .* in (.*)$/.exec(message)?.[1] ?? [],
    ),
  );

const isOfBound = ({ message }: Violation): boolean =>
  /in body should be (?:greater|less|a multiple)|declared for/.test(message);

/** This server says which of the finalizers is wrong. */
const wireField = (field: string): string => field.replace(/(finalizers)\[\d+\]$/, '$1');

const lineOf = (one: Violation): string => `${one.type} ${wireField(one.field)}: ${wireText(one)}`;

const lines = (
  violations: readonly (Violation | FieldError)[],
  ignoredBounds: ReadonlySet<string>,
): readonly string[] => {
  const isCompared = (one: Violation): boolean =>
    !(isOfWrongType(one) || isBeyondFormat(one) || (isOfBound(one) && ignoredBounds.has(one.field)));
  return [...new Set(violations.filter(isCompared).map(lineOf))].sort();
};

/** The violations that the reference finds in definitions in v1. */
export const definitionViolations = (definitions: readonly unknown[]): readonly (readonly Violation[])[] =>
  askReference<{ readonly errors: readonly Violation[] }>(
    definitions.map((definition) => ({ definition })),
  ).map(({ errors }) => errors);

/** Fails unless both store the same objects and report the same violations; `where` says which request it was. */
export function assertSame(requests: readonly Request[], where: (request: number) => string): void {
  const answers = askReference<{ readonly writes: readonly Stored[] }>(requests);
  for (const [i, request] of requests.entries()) {
    const found = ours(request);
    for (const [w, expected] of (answers[i]?.writes ?? []).entries()) {
      const actual = found[w] as Stored;
      const title = `${where(i)}, write ${w}: ${JSON.stringify(request.writes[w])}`;
      assert.equal(actual.refused === undefined, expected.refused === undefined, title);
      assert.deepEqual(actual.object, expected.object, title);
      const ignored = fractionallyBounded(expected.errors);
      assert.deepEqual(lines(actual.errors, ignored), lines(expected.errors, ignored), title);
    }
  }
}
