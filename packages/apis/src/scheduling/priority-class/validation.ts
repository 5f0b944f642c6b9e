import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asNumber, asObject, asText, type JsonObject } from '../../read.ts';

/** Highest priority that a class of a user can have; those above are for the system. */
const maxUserValue = 1_000_000_000;
const systemPrefix = 'system-';

/** Classes that every cluster has, and what they are worth. */
const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

function checkValue(name: string, priorityClass: JsonObject): readonly FieldError[] {
  const value = asNumber(priorityClass['value']);
  if (!name.startsWith(systemPrefix)) {
    const why = `maximum allowed value of a user defined priority is ${maxUserValue}`;
    return value > maxUserValue ? [fieldError.forbidden('value', why)] : [];
  }
  if (systemClasses.get(name) === value && priorityClass['globalDefault'] !== true) return [];
  const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only`;
  return [fieldError.forbidden('metadata.name', why)];
}

/** Pods carry the number that their class had. Clients know the error under the name that the value has elsewhere. */
export const checkPriorityClass: Check = (priorityClass, { old }) => {
  const errors = checkValue(asText(asObject(priorityClass['metadata'])['name']), priorityClass);
  const same = old === undefined || asNumber(old['value']) === asNumber(priorityClass['value']);
  return same ? errors : [...errors, fieldError.forbidden('Value', 'may not be changed in an update.')];
};
