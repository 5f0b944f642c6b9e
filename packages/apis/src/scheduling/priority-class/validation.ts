import type { PriorityClass } from '@orch/kinds/scheduling';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** Highest priority of a user-defined class; higher ones are reserved for the system. */
const MAX_USER_VALUE = 1_000_000_000;
const systemPrefix = 'system-';

/** Classes that every cluster has, with their priorities. */
const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** Classes of the system cannot be deleted, since the pods of the control plane name them. */
export const refuseDeleteOfClass = (name: string): string | undefined =>
  systemClasses.has(name) ? 'this is a system priority class and cannot be deleted' : undefined;

function checkValue(name: string, priorityClass: PriorityClass): readonly FieldError[] {
  const value = priorityClass.value ?? 0;
  if (!name.startsWith(systemPrefix)) {
    const why = `maximum allowed value of a user defined priority is ${MAX_USER_VALUE}`;
    return value > MAX_USER_VALUE ? [fieldError.forbidden('value', why)] : [];
  }
  if (systemClasses.get(name) === value && priorityClass.globalDefault !== true) return [];
  const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only`;
  return [fieldError.forbidden('metadata.name', why)];
}

/** The value cannot change, since pods have a copy of it. Before 1.25 the error names it `Value`. */
export const checkPriorityClass: Check<PriorityClass> = (priorityClass, { old, since }) => {
  const errors = [
    ...checkValue(priorityClass.metadata?.name ?? '', priorityClass),
    ...(old === undefined && priorityClass.preemptionPolicy === ''
      ? [fieldError.required('preemptionPolicy')]
      : []),
  ];
  const same = old === undefined || (old.value ?? 0) === (priorityClass.value ?? 0);
  if (same) return errors;
  const field = since('1.25') ? 'value' : 'Value';
  return [...errors, fieldError.forbidden(field, 'may not be changed in an update.')];
};
