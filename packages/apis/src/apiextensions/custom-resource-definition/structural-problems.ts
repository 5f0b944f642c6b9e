import { type ApiObject, type FieldError, fieldError, type Names } from '@orch/machinery';
import { specOf } from '../../read.ts';
import { schemaOf, versionsOf } from './definition.ts';
import { checkStructure } from './schema/check-schema.ts';

/** What keeps the schemas of a definition from being structural: for definitions that need not be. */
export function structuralProblems(definition: ApiObject, names: Names): readonly FieldError[] {
  const preserves = specOf(definition)['preserveUnknownFields'] === true;
  return [
    ...(preserves ? [fieldError.invalid('spec.preserveUnknownFields', true, 'must be false')] : []),
    ...versionsOf(definition).flatMap((version, i) => {
      const schema = schemaOf(version);
      const path = `spec.versions[${i}].schema.openAPIV3Schema`;
      return schema === undefined ? [] : checkStructure(schema, path, names);
    }),
  ];
}
