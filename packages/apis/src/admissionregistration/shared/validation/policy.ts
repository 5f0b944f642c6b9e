import type { FieldError } from '@orch/machinery';
import { asObjects, type JsonObject } from '../../../read.ts';
import { checkRule } from './rule.ts';

const checkRules = (path: string, rules: unknown): readonly FieldError[] =>
  asObjects(rules).flatMap((rule, i) => checkRule(`${path}[${i}]`, rule));

export const checkMatch = (path: string, match: JsonObject): readonly FieldError[] => [
  ...checkRules(`${path}.resourceRules`, match['resourceRules']),
  ...checkRules(`${path}.excludeResourceRules`, match['excludeResourceRules']),
];
