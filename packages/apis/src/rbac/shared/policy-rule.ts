import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';
import { checkAggregation, checkPolicyRule } from './validation.ts';

/** Descriptions of the fields of rules, in all versions. */
export const policyRuleDocs = {
  verbs: 'Allowed verbs, such as get, list and create, or `*` for every verb.',
  apiGroups: 'Groups of the resources; `""` is the core group, `*` any group.',
  resources: 'Resources, or subresources as `pods/log`; `*` for all.',
  resourceNames: 'Names of the objects; all objects when empty.',
  nonResourceURLs:
    'URL paths that are not resources, in roles of the cluster only; a final `*` includes all paths below.',
} as const;

export const PolicyRule = struct(
  'rbac.v1.PolicyRule',
  'Allows some verbs on some resources, or on some URL paths that are not resources.',
  {
    verbs: f.list(1, items.string, { doc: policyRuleDocs.verbs, presence: 'always', required: true }),
    apiGroups: f.list(2, items.string, { doc: policyRuleDocs.apiGroups }),
    resources: f.list(3, items.string, { doc: policyRuleDocs.resources }),
    resourceNames: f.list(4, items.string, { doc: policyRuleDocs.resourceNames }),
    nonResourceURLs: f.list(5, items.string, { doc: policyRuleDocs.nonResourceURLs }),
  },
  { checks: [checkPolicyRule] },
);

export const AggregationRule = struct(
  'rbac.v1.AggregationRule',
  'Selects the roles of the cluster whose rules a role combines.',
  {
    clusterRoleSelectors: f.list(1, LabelSelector, {
      doc: 'The rules of the roles that one of these selects are combined.',
      required: true,
    }),
  },
  { checks: [checkAggregation] },
);
