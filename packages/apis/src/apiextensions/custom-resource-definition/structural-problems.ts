import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { schemaOf, versionsOf } from './definition.ts';
import { checkStructure } from './schema/check-schema.ts';
import { unsupportedPart } from './schema/open-api-rules.ts';

/** The reasons why the schemas of a definition are not structural, for definitions that are not required to be. */
export function* structuralProblems(
  definition: CustomResourceDefinition,
  names: Names,
): Work<readonly FieldError[]> {
  const problems: FieldError[] = [];
  if (definition.spec?.preserveUnknownFields === true)
    problems.push(fieldError.invalid('spec.preserveUnknownFields', true, 'must be false'));
  for (const [i, version] of versionsOf(definition).entries()) {
    const schema = schemaOf(version);
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (schema !== undefined) problems.push(...(yield* checkStructure(schema, path, names)));
  }
  return problems;
}

/** A version whose schema has a part of JSON Schema that is not supported: whether it is structural is unknown. */
export interface UnsupportedSchema {
  readonly version: string;
  readonly part: string;
}

export function* unsupportedSchema(
  definition: CustomResourceDefinition,
): Work<UnsupportedSchema | undefined> {
  for (const version of versionsOf(definition)) {
    const part = yield* unsupportedPart(schemaOf(version) ?? {});
    if (part !== undefined) return { version: version.name ?? '', part };
  }
  return undefined;
}

/** Reports whether an `openAPIV3Schema` is structural. */
export function* isStructural(schema: JsonObject, names: Names): Work<boolean> {
  return (yield* checkStructure(schema, '', names)).length === 0;
}
