import { isJsonObject } from '@orch/machinery/json';
import { type Element, indexElement, valueElement } from '../fields/element.ts';
import { own } from '../values/own.ts';
import { isScalar, scalarText } from '../values/scalar.ts';
import type { ListShape } from './shape.ts';

/** The step that identifies an item; undefined when the item has no identity: a key without value, or not an object. */
export function itemIdentity(shape: ListShape, item: unknown): Element | undefined {
  if (shape.identity === 'value') {
    return isScalar(item) && item !== null ? valueElement(item) : undefined;
  }
  if (!isJsonObject(item)) return undefined;
  let text = '';
  for (const { name, label, absent } of shape.keys) {
    const value = own(item, name) ?? absent;
    if (!isScalar(value) || value === null) return undefined;
    text += text === '' ? label + scalarText(value) : `,${label}${scalarText(value)}`;
  }
  return `k:{${text}}`;
}

/**
 * The step that names an item of a stored object. Stored objects may hold items without identity, since only applied
 * ones are checked: those go by position.
 */
export const itemElement = (shape: ListShape, item: unknown, index: number): Element =>
  itemIdentity(shape, item) ?? indexElement(index);

/** Reports whether two items at the same place have the same identity, decided without writing it out. */
export function sameIdentity(shape: ListShape, a: unknown, b: unknown): boolean {
  if (shape.identity === 'value') return a === b;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  for (const { name, absent } of shape.keys) {
    const value = own(a, name) ?? absent;
    if (value === undefined || value === null || value !== (own(b, name) ?? absent)) return false;
  }
  return true;
}
