import { type StructuralSchema, typesOf } from '../../structural-schema.ts';
import { effectiveFormat } from '../formats.ts';

/** Types of JSON values, as bits of a set. */
export const TypeBit = {
  string: 1,
  integer: 2,
  /** Numbers that are not whole. */
  number: 4,
  boolean: 8,
  array: 16,
  object: 32,
  null: 64,
} as const;

const ALL = 127;

const bitsOf: Readonly<Record<string, number>> = {
  string: TypeBit.string,
  integer: TypeBit.integer,
  number: TypeBit.integer | TypeBit.number,
  boolean: TypeBit.boolean,
  array: TypeBit.array,
  object: TypeBit.object,
};

/**
 * The types of which values are surely allowed. Types of which it depends are left out: with a format that has an effect only
 * strings, with an enum no lists, objects and nulls.
 */
export function allowedTypes(schema: StructuralSchema): number {
  const { nullable, rules } = schema;
  const types = typesOf(schema);
  let allowed = types.length === 0 ? ALL : nullable === true ? TypeBit.null : 0;
  for (const type of types) allowed |= bitsOf[type] ?? 0;
  const isNumeric = types.includes('integer') || types.includes('number');
  if (!isNumeric && effectiveFormat(schema) !== undefined) allowed &= TypeBit.string | TypeBit.null;
  if (rules?.enum !== undefined) allowed &= ~(TypeBit.array | TypeBit.object | TypeBit.null);
  return allowed;
}
