/**
 * A structural schema: the part of the `openAPIV3Schema` of a custom resource for a value and everything below it. The type
 * of the value at every place follows from the structure alone; `rules` only restrict values. The same shape describes the
 * schemas within `allOf`, `anyOf`, `oneOf` and `not`, which have rules and no structure.
 */
export interface StructuralSchema {
  /** Absent where any type is allowed, and for values that are an integer or a string. */
  readonly type?: string | undefined;
  readonly nullable?: boolean | undefined;
  /** The value for an absent field, or for a null that is not allowed. Never null: such a default has no effect. */
  readonly default?: unknown;
  readonly properties?: ReadonlyMap<string, StructuralSchema> | undefined;
  /** Schema of the fields that `properties` does not name; true keeps them as they are, false refuses them. */
  readonly additionalProperties?: StructuralSchema | boolean | undefined;
  readonly items?: StructuralSchema | undefined;
  readonly preservesUnknownFields?: boolean | undefined;
  readonly isEmbeddedResource?: boolean | undefined;
  readonly isIntOrString?: boolean | undefined;
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly mapKeys?: readonly string[] | undefined;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  readonly rules?: ValueRules | undefined;
  /** Expressions that the value must satisfy, in declaration order. */
  readonly validations?: readonly ValidationRule[] | undefined;
}

/** Restrictions of values, as in JSON Schema. Numbers are doubles; lengths count code points. */
export interface ValueRules {
  readonly format?: string | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly maxItems?: number | undefined;
  readonly minItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly maxProperties?: number | undefined;
  readonly minProperties?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly allOf?: readonly StructuralSchema[] | undefined;
  readonly anyOf?: readonly StructuralSchema[] | undefined;
  readonly oneOf?: readonly StructuralSchema[] | undefined;
  readonly not?: StructuralSchema | undefined;
}

/** A rule in an expression language, as the definition declares it. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}

/** The schema of a field of an object; undefined when it has none. */
export function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const known = schema.properties?.get(name);
  if (known !== undefined) return known;
  const { additionalProperties } = schema;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The types that a value may have; empty when any is allowed. */
export function typesOf({ type, isIntOrString }: StructuralSchema): readonly string[] {
  if (isIntOrString === true) return ['integer', 'string'];
  return type === undefined ? [] : [type];
}

/** Tests whether a predicate holds for a schema or for a part of its structure. Each part is tested once. */
export function someStructure(
  holds: (schema: StructuralSchema) => boolean,
): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  const isSome = (schema: StructuralSchema): boolean => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const { additionalProperties, items, properties } = schema;
    const result =
      holds(schema) ||
      (items !== undefined && isSome(items)) ||
      (typeof additionalProperties === 'object' && isSome(additionalProperties)) ||
      [...(properties?.values() ?? [])].some(isSome);
    known.set(schema, result);
    return result;
  };
  return isSome;
}
