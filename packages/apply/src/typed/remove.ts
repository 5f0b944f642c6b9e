import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { elementName } from '../fields/element.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { own } from '../values/own.ts';

/** A copy of an object without the fields that a set names; the object itself when it has none of them. */
export function withoutFields(object: MutableJsonObject, set: FieldSet): MutableJsonObject {
  let left: MutableJsonObject | undefined;
  for (const [element, below] of set.children) {
    const name = elementName(element);
    if (name === undefined || !Object.hasOwn(object, name)) continue;
    const before = own(object, name);
    const after = below.self || !isJsonObject(before) ? undefined : withoutFields(before, below);
    if (after === before || (after === undefined && !below.self)) continue;
    left ??= { ...object };
    if (after === undefined) delete left[name];
    else setField(left, name, after);
  }
  return left ?? object;
}
