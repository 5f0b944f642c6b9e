import { type MapKey, mapKey } from '../values/collections.ts';
import { Double, type ListValue, type Value } from '../values/value.ts';

/** A test for membership in a constant list of primitive values; undefined when the list has others. */
export function primitiveSet(list: ListValue): ((element: Value) => boolean) | undefined {
  const keys = new Set<MapKey | null>();
  const fractions = new Set<number>();
  for (let i = 0; i < list.length; i++) {
    const value = list.at(i);
    const key = value === null ? null : mapKey(value);
    if (key !== undefined) keys.add(key);
    else if (value instanceof Double) fractions.add(value.value);
    else return undefined;
  }
  fractions.delete(Number.NaN);
  return (element) => {
    if (element === null) return keys.has(null);
    const key = mapKey(element);
    if (key !== undefined) return keys.has(key);
    return element instanceof Double && fractions.has(element.value);
  };
}
