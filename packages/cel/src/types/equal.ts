import type { CelType } from './type.ts';

/** True when two types are the same, parameters included. */
export function equalTypes(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind === 'list') return b.kind === 'list' && equalTypes(a.element, b.element);
  if (a.kind === 'map') return b.kind === 'map' && equalTypes(a.key, b.key) && equalTypes(a.value, b.value);
  if (a.kind === 'object') return b.kind === 'object' && a.name === b.name;
  if (a.kind === 'param') return b.kind === 'param' && a.name === b.name;
  if (a.kind === 'type') {
    if (b.kind !== 'type' || a.of === undefined || b.of === undefined)
      return b.kind === 'type' && a.of === b.of;
    return equalTypes(a.of, b.of);
  }
  if (a.kind !== 'opaque') return a.kind === b.kind;
  return (
    b.kind === 'opaque' &&
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((each, index) => equalTypes(each, b.parameters[index] ?? each))
  );
}
