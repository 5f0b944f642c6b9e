import {
  boolDecl,
  type DeclType,
  doubleDecl,
  dynDecl,
  intDecl,
  lazyObjectDecl,
  listDecl,
  mapDecl,
  stringDecl,
} from '@orch/cel';
import type { StructuralSchema } from '../structural-schema.ts';

const dyn = dynDecl();
const text = stringDecl();

/**
 * The type of a value of a structural schema in expressions that read it as JSON; any type where unknown fields are
 * preserved. `name` is that of the type: its path from the kind.
 */
export function structuralDecl(schema: StructuralSchema, name: string): DeclType {
  if (schema.isIntOrString === true || schema.preservesUnknownFields === true) return dyn;
  switch (schema.type) {
    case 'array':
      return listDecl(schema.items === undefined ? dyn : structuralDecl(schema.items, `${name}.@idx`));
    case 'object':
      return objectOf(schema, name);
    case 'string':
      return text;
    case 'boolean':
      return boolDecl;
    case 'number':
      return doubleDecl;
    case 'integer':
      return intDecl;
    default:
      return dyn;
  }
}

function objectOf(schema: StructuralSchema, name: string): DeclType {
  const { additionalProperties, isEmbeddedResource } = schema;
  if (typeof additionalProperties === 'object')
    return mapDecl(structuralDecl(additionalProperties, `${name}.@elem`));
  if (additionalProperties === true) return dyn;
  return lazyObjectDecl(name, () => [
    ...structuralFields(schema, name),
    ...(isEmbeddedResource === true ? embedded : []),
  ]);
}

/** The fields of every embedded object. */
const embedded: readonly (readonly [string, () => DeclType])[] = [
  ['apiVersion', () => text],
  ['kind', () => text],
  ['metadata', () => dyn],
];

/** The declared properties of an object. */
export function* structuralFields(
  { properties }: StructuralSchema,
  name: string,
): Generator<readonly [string, () => DeclType]> {
  for (const [field, property] of properties ?? [])
    yield [field, () => structuralDecl(property, `${name}.${field}`)];
}
