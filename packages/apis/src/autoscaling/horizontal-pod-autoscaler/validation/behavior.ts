import { type FieldError, fieldError } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, type JsonObject } from '../../../read.ts';

const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;
const selections = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Policies of both directions, as far as they are given. */
export const checkBehavior = (path: string, behavior: JsonObject): readonly FieldError[] =>
  ['scaleUp', 'scaleDown'].flatMap((direction) =>
    behavior[direction] === undefined
      ? []
      : checkRules(`${path}.${direction}`, asObject(behavior[direction])),
  );

function checkRules(path: string, rules: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seconds = asNumber(rules['stabilizationWindowSeconds']);
  const window = `${path}.stabilizationWindowSeconds`;
  if (seconds < 0) errors.push(fieldError.invalid(window, seconds, 'must be greater than or equal to zero'));
  if (seconds > maxWindowSeconds) {
    errors.push(fieldError.invalid(window, seconds, `must be less than or equal to ${maxWindowSeconds}`));
  }
  const selection = rules['selectPolicy'];
  if (selection !== undefined && !selections.includes(asText(selection))) {
    errors.push(fieldError.notSupported(`${path}.selectPolicy`, selection, selections));
  }
  const policies = asObjects(rules['policies']);
  if (policies.length === 0) {
    errors.push(fieldError.required(`${path}.policies`, 'must specify at least one Policy'));
  }
  return [...errors, ...policies.flatMap((policy, i) => checkPolicy(`${path}.policies[${i}]`, policy))];
}

function checkPolicy(path: string, policy: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = asText(policy['type']);
  const value = asNumber(policy['value']);
  const seconds = asNumber(policy['periodSeconds']);
  if (!policyTypes.includes(type)) {
    errors.push(fieldError.notSupported(`${path}.type`, type, policyTypes));
  }
  if (value <= 0) errors.push(fieldError.invalid(`${path}.value`, value, 'must be greater than zero'));
  if (seconds <= 0) {
    errors.push(fieldError.invalid(`${path}.periodSeconds`, seconds, 'must be greater than zero'));
  }
  if (seconds > maxPeriodSeconds) {
    const why = `must be less than or equal to ${maxPeriodSeconds}`;
    errors.push(fieldError.invalid(`${path}.periodSeconds`, seconds, why));
  }
  return errors;
}
