import { asText, fieldError, type JsonObject } from '@orch/machinery';
import { compilePattern } from '@orch/schema';
import type { SchemaContext } from './schema-context.ts';

/** A pattern is a regular expression of the kind that runs in linear time. */
export function checkPattern(schema: JsonObject, path: string, context: SchemaContext): void {
  const pattern = asText(schema['pattern']);
  if (pattern === '') return;
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') {
    const why = `must be a valid regular expression, but isn't: ${compiled}`;
    context.report(fieldError.invalid(`${path}.pattern`, pattern, why));
  }
}
