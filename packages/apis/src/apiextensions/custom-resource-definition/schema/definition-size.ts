import { patternSize } from '@orch/cel';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asObjects, asText, type JsonObject } from '@orch/machinery/json';
import { someSchema } from './schema-facts.ts';

/**
 * Limits on the size of a definition, all its versions together, so that the server checks each within some hundred
 * milliseconds. The largest published definitions have a fifth of these numbers of schemas, and a tenth of the others.
 */
export const DEFINITION_LIMITS = {
  schemas: 50_000,
  rules: 5_000,
  ruleCharacters: 500_000,
  ruleInstructions: 100_000,
} as const;

interface Size {
  schemas: number;
  rules: number;
  ruleCharacters: number;
  /** Size of the patterns within rules, beyond the length of the rules. */
  ruleInstructions: number;
}

const texts: Readonly<Record<keyof Size, string>> = {
  schemas: 'schemas',
  rules: 'validation rules',
  ruleCharacters: 'characters of validation rules',
  ruleInstructions: 'instructions in patterns of validation rules',
};

/** Adds the size of a schema; stops where a limit is exceeded. */
function* measure(schema: JsonObject, key: string, size: Size): Work<void> {
  yield* someSchema(schema, (one) => {
    size.schemas++;
    const rules = asObjects(one[key]);
    size.rules += rules.length;
    for (const { messageExpression, rule } of rules) {
      for (const text of [asText(rule), asText(messageExpression)]) {
        size.ruleCharacters += text.length;
        // Most of a rule is not a pattern, and has no repetitions that count.
        size.ruleInstructions += Math.max(0, patternSize(text).work - 2 * text.length);
      }
    }
    return exceeded(size) !== undefined;
  });
}

const exceeded = (size: Size): keyof Size | undefined =>
  (['schemas', 'rules', 'ruleCharacters', 'ruleInstructions'] as const).find(
    (part) => size[part] > DEFINITION_LIMITS[part],
  );

/** Refuses definitions larger than any legitimate one; `path` is that of the last schema measured. */
export function* checkSize(
  schemas: readonly { readonly schema: JsonObject; readonly path: string }[],
  names: Names,
): Work<readonly FieldError[]> {
  const size: Size = { schemas: 0, rules: 0, ruleCharacters: 0, ruleInstructions: 0 };
  for (const { path, schema } of schemas) {
    yield* measure(schema, names.schemaExtensions.validations, size);
    const part = exceeded(size);
    if (part === undefined) continue;
    const why = `the definition has more than ${DEFINITION_LIMITS[part]} ${texts[part]}`;
    return [fieldError.forbidden(path, why)];
  }
  return [];
}
