import type { NodeSelectorRequirement, NodeSelectorTerm, Taint, Toleration } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';

const integer = /^[+-]?\d{1,19}$/;
const required = "must be specified when `operator` is 'In' or 'NotIn'";

/** Checks a condition on a label of nodes. */
function checkLabelCondition(path: string, condition: NodeSelectorRequirement): readonly FieldError[] {
  const values = condition.values ?? [];
  const key = checkFormat('qualifiedName', `${path}.key`, condition.key ?? '');
  switch (condition.operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? key : [fieldError.required(`${path}.values`, required), ...key];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return key;
      return [
        fieldError.forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
        ...key,
      ];
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        return [
          fieldError.required(
            `${path}.values`,
            "must be specified single value when `operator` is 'Lt' or 'Gt'",
          ),
          ...key,
        ];
      }
      if (integer.test(values[0] ?? '')) return key;
      return [fieldError.invalid(`${path}.values[0]`, values[0], 'must be an integer'), ...key];
    default:
      return [
        fieldError.invalid(`${path}.operator`, condition.operator ?? '', 'not a valid selector operator'),
        ...key,
      ];
  }
}

/** Checks a condition on a field of nodes: only the name can be selected. */
function checkFieldCondition(path: string, condition: NodeSelectorRequirement): readonly FieldError[] {
  const errors: FieldError[] = [];
  const values = condition.values ?? [];
  const key = condition.key ?? '';
  const operator = condition.operator ?? '';
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    errors.push(
      fieldError.required(
        `${path}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  }
  if (key !== 'metadata.name') {
    return [...errors, fieldError.invalid(`${path}.key`, key, 'not a valid field selector key')];
  }
  return [
    ...errors,
    ...values.flatMap((value, i) => checkFormat('dns1123subdomain', `${path}.values[${i}]`, value)),
  ];
}

export const checkNodeSelectorTerm: Check<NodeSelectorTerm> = (term, { path }) => {
  const errors: FieldError[] = [];
  for (const [i, condition] of (term.matchExpressions ?? []).entries())
    errors.push(...checkLabelCondition(`${path}.matchExpressions[${i}]`, condition));
  for (const [i, condition] of (term.matchFields ?? []).entries())
    errors.push(...checkFieldCondition(`${path}.matchFields[${i}]`, condition));
  return errors;
};

const taintEffects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

export const checkToleration: Check<Toleration> = (toleration, { path }) =>
  tolerationErrors(path, toleration);

/**
 * Checks that key, operator, value, effect and duration fit each other. For compatibility, most errors name the
 * operator.
 */
export function tolerationErrors(path: string, toleration: Toleration): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { tolerationSeconds } = toleration;
  const key = toleration.key ?? '';
  const operator = toleration.operator ?? '';
  const value = toleration.value ?? '';
  const effect = toleration.effect ?? '';
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(fieldError.invalid(`${path}.operator`, operator, why));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(
      fieldError.invalid(
        `${path}.effect`,
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  }
  errors.push(...checkOperator(`${path}.operator`, operator, value));
  if (effect !== '' && !taintEffects.includes(effect)) {
    errors.push(fieldError.notSupported(`${path}.effect`, effect, taintEffects));
  }
  return errors;
}

function checkOperator(path: string, operator: string, value: string): readonly FieldError[] {
  switch (operator) {
    case '':
    case 'Equal':
      return checkFormat('labelValue', path, value);
    case 'Exists':
      return value === ''
        ? []
        : [fieldError.invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [fieldError.notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

/** Checks taints of a node. For compatibility, the caller passes a path below metadata. */
export function checkTaints(path: string, taints: readonly Taint[]): readonly FieldError[] {
  const taken = new Set<string>();
  return taints.flatMap((taint, i) => {
    const at = `${path}[${i}]`;
    const key = taint.key ?? '';
    const effect = taint.effect ?? '';
    const errors = [
      ...checkFormat('qualifiedName', `${at}.key`, key),
      ...checkFormat('labelValue', `${at}.value`, taint.value ?? ''),
    ];
    if (effect === '') errors.push(fieldError.required(`${at}.effect`));
    else if (!taintEffects.includes(effect))
      errors.push(fieldError.notSupported(`${at}.effect`, effect, taintEffects));
    const pair = `${key}:${effect}`;
    if (taken.has(pair)) errors.push(fieldError.duplicate(at, pair));
    taken.add(pair);
    return errors;
  });
}
