import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';
import { checkPolicyRule } from './validation.ts';

/** Descriptions of the fields of rules, in all versions. */
export const policyRuleDocs = {
  verbs: 'What may be done: get, list, create and the like, or `*` for anything.',
  apiGroups: 'Groups of the resources; `""` is the core group, `*` any group.',
  resources: 'Resources, or subresources as `pods/log`; `*` for all.',
  resourceNames: 'Names of the only objects that are meant; all objects when empty.',
  nonResourceURLs:
    'URL paths that are no resources, in roles of the cluster only; a final `*` takes in all below.',
} as const;

export const PolicyRule = struct(
  'rbac.v1.PolicyRule',
  'Allows some verbs on some resources, or on some URL paths that are no resources.',
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
  'Says of which other roles of the cluster a role is made up.',
  {
    clusterRoleSelectors: f.list(1, LabelSelector, {
      doc: 'Roles that one of these selects add their rules.',
      required: true,
    }),
  },
);
