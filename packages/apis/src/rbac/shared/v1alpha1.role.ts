import { f, items, struct } from '@orch/schema';
import { policyRuleDocs } from './policy-rule.ts';
import { rolesOf } from './roles.ts';
import { checkPolicyRule } from './validation.ts';

/** The same JSON as later rules; in Protobuf the number 2 was abandoned, so all others have different numbers. */
export const PolicyRule = struct(
  'rbac.v1alpha1.PolicyRule',
  'Allows some verbs on some resources, or on some URL paths that are not resources.',
  {
    verbs: f.list(1, items.string, { doc: policyRuleDocs.verbs, presence: 'always', required: true }),
    apiGroups: f.list(3, items.string, { doc: policyRuleDocs.apiGroups }),
    resources: f.list(4, items.string, { doc: policyRuleDocs.resources }),
    resourceNames: f.list(5, items.string, { doc: policyRuleDocs.resourceNames }),
    nonResourceURLs: f.list(6, items.string, { doc: policyRuleDocs.nonResourceURLs }),
  },
  { checks: [checkPolicyRule] },
);

export const { Role, ClusterRole } = rolesOf('v1alpha1', PolicyRule);
