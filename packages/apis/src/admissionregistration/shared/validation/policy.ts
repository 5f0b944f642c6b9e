import type { FieldError } from '@orch/machinery';
import type { MatchResourcesV1alpha1, RuleWithOperations } from '../../../types/admissionregistration.ts';
import { checkRule } from './rule.ts';

const checkRules = (path: string, rules: readonly RuleWithOperations[] = []): readonly FieldError[] =>
  rules.flatMap((rule, i) => checkRule(`${path}[${i}]`, rule));

export const checkMatch = (path: string, match: MatchResourcesV1alpha1): readonly FieldError[] => [
  ...checkRules(`${path}.resourceRules`, match.resourceRules),
  ...checkRules(`${path}.excludeResourceRules`, match.excludeResourceRules),
];
