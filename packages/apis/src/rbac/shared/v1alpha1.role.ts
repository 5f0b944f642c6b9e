import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { AggregationRule, policyRuleDocs } from './policy-rule.ts';
import { checkNamespacedRules, checkPolicyRule } from './validation.ts';

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

export const Role = struct(
  'rbac.v1alpha1.Role',
  'Permissions within one namespace, which bindings grant to subjects.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'Rules whose permissions are combined.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
  { typeMeta: true, checks: [checkNamespacedRules] },
);

export const ClusterRole = struct(
  'rbac.v1alpha1.ClusterRole',
  'Permissions in the whole cluster, or in the namespace of a binding.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'Rules whose permissions are combined. Maintained by a controller when the role is aggregated.',
      presence: 'always',
      openapiRequired: false,
    }),
    aggregationRule: f.struct(3, AggregationRule, {
      doc: 'Combines the rules of other roles, which overwrite the rules of this one.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);
