import type { StructSchema } from '@orch/schema';

/** A kind and its schema; `group` is a key of the names table, as in `ResourceType`. */
export interface KindDeclaration {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructSchema;
}

/** A kind that has the last part of the name of its schema. */
export function kindOf(group: string, version: string, schema: StructSchema): KindDeclaration {
  return { group, version, kind: schema.name.slice(schema.name.lastIndexOf('.') + 1), schema };
}
