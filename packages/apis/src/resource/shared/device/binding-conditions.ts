import { type FieldError, fieldError } from '@orch/machinery';
import { f, items } from '@orch/schema';
import { checkUnique } from '../../../validation-rules.ts';

const MAX_CONDITIONS = 4;
export const binding = { gate: 'DRADeviceBindingConditions', since: '1.36' } as const;

const conditions = (num: number, doc: string) =>
  f.list(num, items.string, {
    doc,
    listType: 'atomic',
    maxItems: MAX_CONDITIONS,
    format: 'qualifiedName',
    emptyIsInvalid: true,
    ...binding,
  });

export const bindingConditionsField = (num: number) =>
  conditions(num, 'Conditions of the device that must be true before the pod is bound.');

export const bindingFailureConditionsField = (num: number) =>
  conditions(num, 'Conditions of the device: it cannot be used if any of them is true.');

interface Conditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** Checks that there are conditions of both sorts, each once, or none. */
export function checkBindingConditions(path: string, value: Conditions): readonly FieldError[] {
  const { bindingConditions = [], bindingFailureConditions = [] } = value;
  const missing = (present: readonly string[], absent: readonly string[], field: keyof Conditions) =>
    present.length > 0 && absent.length === 0
      ? [fieldError.invalid(`${path}.${field}`, absent, 'must be set together with the other conditions')]
      : [];
  return [
    ...checkUnique(`${path}.bindingConditions`, bindingConditions, String),
    ...checkUnique(`${path}.bindingFailureConditions`, bindingFailureConditions, String),
    ...bindingFailureConditions.flatMap((condition, i) =>
      bindingConditions.includes(condition)
        ? [
            fieldError.invalid(
              `${path}.bindingFailureConditions[${i}]`,
              condition,
              'must not be one of the bindingConditions',
            ),
          ]
        : [],
    ),
    ...missing(bindingFailureConditions, bindingConditions, 'bindingConditions'),
    ...missing(bindingConditions, bindingFailureConditions, 'bindingFailureConditions'),
  ];
}
