import { type FieldError, fieldError, type JsonObject, type Names } from '@orch/machinery';
import type { CustomResourceDefinition } from '../../types/apiextensions.ts';
import { schemaOf, versionsOf } from './definition.ts';
import { checkStructure } from './schema/check-schema.ts';

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

/** Whether an `openAPIV3Schema` is structural. */
export const isStructural = (schema: JsonObject, names: Names): boolean =>
  checkStructure(schema, '', names).length === 0;
