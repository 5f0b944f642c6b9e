import { matchConditionIn } from '../match-condition.ts';
import { matchResourcesOf } from './match-resources.ts';
import { paramKindOf } from './param-kind.ts';
import { paramRefOf } from './param-ref.ts';
import type { PolicyVersion } from './policy-version.ts';
import { variableOf } from './variable.ts';

const partsOf = (version: PolicyVersion) => ({
  matchCondition: matchConditionIn[version],
  matchResources: matchResourcesOf(version),
  paramKind: paramKindOf(version),
  paramRef: paramRefOf(version),
  variable: variableOf(version),
});

/** Structs shared by the policies of both kinds and their bindings in one version. */
export const policyParts = {
  v1: partsOf('v1'),
  v1beta1: partsOf('v1beta1'),
  v1alpha1: partsOf('v1alpha1'),
} as const;
