import { type FieldError, fieldError, type JsonObject, type Names } from '@orch/machinery';
import type { CustomResourceDefinition } from '../../types/apiextensions.ts';
import { schemaOf, versionsOf } from './definition.ts';
import { checkStructure } from './schema/check-schema.ts';
import { unsupportedPart } from './schema/open-api-rules.ts';

/** What keeps the schemas of a definition from being structural: for definitions that need not be. */
export function structuralProblems(
  definition: CustomResourceDefinition,
  names: Names,
): readonly FieldError[] {
  const preserves = definition.spec?.preserveUnknownFields === true;
  return [
    ...(preserves ? [fieldError.invalid('spec.preserveUnknownFields', true, 'must be false')] : []),
    ...versionsOf(definition).flatMap((version, i) => {
      const schema = schemaOf(version);
      const path = `spec.versions[${i}].schema.openAPIV3Schema`;
      return schema === undefined ? [] : checkStructure(schema, path, names);
    }),
  ];
}

/** A version whose schema has a part of JSON Schema that is not supported: whether it is structural is unknown. */
export interface UnsupportedSchema {
  readonly version: string;
  readonly part: string;
}

export function unsupportedSchema(definition: CustomResourceDefinition): UnsupportedSchema | undefined {
  for (const version of versionsOf(definition)) {
    const part = unsupportedPart(schemaOf(version) ?? {});
    if (part !== undefined) return { version: version.name ?? '', part };
  }
  return undefined;
}

/** Whether an `openAPIV3Schema` is structural. */
export const isStructural = (schema: JsonObject, names: Names): boolean =>
  checkStructure(schema, '', names).length === 0;
