import { fieldError } from '@orch/machinery';
import { asText, type JsonObject } from '@orch/machinery/json';
import type { SchemaContext } from './schema-context.ts';

/** Checking a pattern takes as long as checking this number of schemas without one. */
const PATTERN_STEPS = 16;

/** Checks that a pattern is a regular expression that can be matched in linear time. */
export function checkPattern(schema: JsonObject, path: string, context: SchemaContext): void {
  const pattern = asText(schema['pattern']);
  if (pattern === '') return;
  context.pace.spend(PATTERN_STEPS);
  const problem = context.patterns?.problemOf(pattern, context.pace);
  if (problem !== undefined) context.report(fieldError.invalid(`${path}.pattern`, pattern, problem));
}
