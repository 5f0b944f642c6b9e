import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { type Element, fieldElement } from '../fields/element.ts';
import { type FieldShape, free, type ObjectShape, type Shape } from '../shape/shape.ts';
import { isEmptyContainer } from '../values/own.ts';

/** The declaration of a field; undefined for entries of maps and free fields. */
export const declaredField = (shape: ObjectShape, name: string): FieldShape | undefined =>
  shape.kind === 'struct' ? shape.fields.get(name) : undefined;

/** The step of a field. */
export const elementOfField = (shape: ObjectShape, name: string): Element =>
  declaredField(shape, name)?.element ?? fieldElement(name);

/** Reports whether a value is stored as absence: the zero of an optional field. */
export function isDroppedZero(field: FieldShape, value: unknown): boolean {
  if (!field.dropsZero) return false;
  if (value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) || field.shape.kind === 'map') && isEmptyContainer(value);
}

/** Reports whether a field of a struct is unset: absent, null, or a zero that is not stored. */
export const isUnset = (field: FieldShape | undefined, value: unknown): boolean =>
  value === undefined || (field !== undefined && (value === null || isDroppedZero(field, value)));

/** Reports whether a value has fields or items that are owned one by one under this shape. */
export function isGranularObject(shape: Shape, value: unknown): value is MutableJsonObject {
  if (!isJsonObject(value)) return false;
  return shape.kind === 'free' || ((shape.kind === 'struct' || shape.kind === 'map') && !shape.atomic);
}

export const isGranularList = (shape: Shape, value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && shape.kind === 'list' && shape.identity !== 'none';

/** Shapes that `isGranularObject` has confirmed. */
export const asObjectShape = (shape: Shape): ObjectShape =>
  shape.kind === 'struct' || shape.kind === 'map' ? shape : free;
