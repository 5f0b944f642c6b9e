import { isJsonObject, type MutableJsonObject } from '@orch/machinery';
import { type Element, fieldElement } from '../fields/element.ts';
import { free, type MemberShape, type ObjectShape, type Shape } from '../shape/shape.ts';
import { isEmptyContainer } from '../values/own.ts';

/** The declaration of a member; undefined for entries of maps and free members. */
export const declaredMember = (shape: ObjectShape, name: string): MemberShape | undefined =>
  shape.kind === 'struct' ? shape.members.get(name) : undefined;

/** The step of a member. */
export const memberElement = (shape: ObjectShape, name: string): Element =>
  declaredMember(shape, name)?.element ?? fieldElement(name);

/** Whether a value is stored as absence: the zero of an optional member. */
export function isDroppedZero(member: MemberShape, value: unknown): boolean {
  if (!member.dropsZero) return false;
  if (value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) || member.shape.kind === 'map') && isEmptyContainer(value);
}

/** Whether a member of a struct says nothing: absent, null, or a zero that is not stored. */
export const saysNothing = (member: MemberShape | undefined, value: unknown): boolean =>
  value === undefined || (member !== undefined && (value === null || isDroppedZero(member, value)));

/** Whether a value has members or items that are owned one by one under this shape. */
export function isGranularObject(shape: Shape, value: unknown): value is MutableJsonObject {
  if (!isJsonObject(value)) return false;
  return shape.kind === 'free' || ((shape.kind === 'struct' || shape.kind === 'map') && !shape.atomic);
}

export const isGranularList = (shape: Shape, value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && shape.kind === 'list' && shape.identity !== 'none';

/** Shapes that `isGranularObject` has confirmed. */
export const asObjectShape = (shape: Shape): ObjectShape =>
  shape.kind === 'struct' || shape.kind === 'map' ? shape : free;
