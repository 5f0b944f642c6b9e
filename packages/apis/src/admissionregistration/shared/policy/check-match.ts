import type { MatchResources, RuleWithOperations } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkRule } from '../validation/rule.ts';

const checkRules = (path: string, rules: readonly RuleWithOperations[] = []): readonly FieldError[] =>
  rules.flatMap((rule, i) => checkRule(`${path}[${i}]`, rule));

export const checkMatch = (path: string, match: MatchResources): readonly FieldError[] => [
  ...checkRules(`${path}.resourceRules`, match.resourceRules),
  ...checkRules(`${path}.excludeResourceRules`, match.excludeResourceRules),
];

/** Checks the resource rules of a policy. An absent one is reported as a missing field. */
export function checkConstraints(path: string, match: MatchResources | undefined): readonly FieldError[] {
  if (match === undefined) return [];
  const errors = checkMatch(path, match);
  return (match.resourceRules ?? []).length === 0
    ? [...errors, fieldError.required(`${path}.resourceRules`)]
    : errors;
}
