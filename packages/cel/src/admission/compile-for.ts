import type { Environment } from '../check/environment.ts';
import { EVALUATION_COST_LIMIT } from '../limits.ts';
import { compile, type Program } from '../program.ts';
import { CelSyntaxError } from '../syntax/source.ts';
import { equalTypes } from '../types/equal.ts';
import { type CelType, typeName } from '../types/type.ts';

/**
 * Compiles an expression whose result must have exactly one of the given types; `dyn` is not one of them. Returns the
 * error of an invalid expression.
 */
export function compileFor(
  source: string,
  environment: Environment,
  results: readonly CelType[],
): Program | string {
  const program = compileAny(source, environment);
  if (typeof program === 'string') return program;
  if (results.some((type) => equalTypes(type, program.resultType))) return program;
  const names = results.map(nameOf);
  return names.length === 1
    ? `must evaluate to ${names.join()}`
    : `must evaluate to one of [${names.join(' ')}]`;
}

/** Compiles an expression with a result of any type. Returns the error of an invalid one. */
export function compileAny(source: string, environment: Environment): Program | string {
  const program = compiled(source, environment);
  if (typeof program === 'string') return `compilation failed: ${program}`;
  // Without limits of sizes, an estimate has no upper bound that means something, but it has a lower one.
  return program.estimateCost().min > EVALUATION_COST_LIMIT
    ? `estimated cost exceeds the limit of ${EVALUATION_COST_LIMIT} in every evaluation`
    : program;
}

function compiled(source: string, environment: Environment): Program | string {
  try {
    return compile(source, environment);
  } catch (error) {
    if (error instanceof CelSyntaxError) return error.message;
    throw error;
  }
}

const nameOf = (type: CelType): string =>
  type.kind === 'list' ? `list(${nameOf(type.element)})` : typeName(type);
