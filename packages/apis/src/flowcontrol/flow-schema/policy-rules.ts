import { f, items, struct } from '@orch/schema';
import { Subject } from './subject.ts';
import { checkNonResourceRule, checkPolicyRules, checkResourceRule } from './validation/policy-rules.ts';

const ResourcePolicyRule = struct(
  'flowcontrol.v1beta3.ResourcePolicyRule',
  'Requests for resources: those that match one entry of each list.',
  {
    verbs: f.list(1, items.string, {
      doc: 'Verbs of the requests; `*` alone for all.',
      presence: 'always',
      listType: 'set',
      required: true,
    }),
    apiGroups: f.list(2, items.string, {
      doc: 'Groups of the resources; `*` alone for all.',
      presence: 'always',
      listType: 'set',
      required: true,
    }),
    resources: f.list(3, items.string, {
      doc: 'Resources, or subresources as `pods/log`; `*` alone for all.',
      presence: 'always',
      listType: 'set',
      required: true,
    }),
    clusterScope: f.bool(4, { doc: 'Includes requests without a namespace.' }),
    namespaces: f.list(5, items.string, {
      doc: 'Namespaces of the requests; `*` alone for all.',
      presence: 'always',
      openapiRequired: false,
      listType: 'set',
    }),
  },
  { checks: [checkResourceRule] },
);

const NonResourcePolicyRule = struct(
  'flowcontrol.v1beta3.NonResourcePolicyRule',
  'Requests for URL paths that are not resources.',
  {
    verbs: f.list(1, items.string, {
      doc: 'Verbs of the requests; `*` alone for all.',
      presence: 'always',
      listType: 'set',
      required: true,
    }),
    nonResourceURLs: f.list(6, items.string, {
      doc: 'Paths; a final `/*` includes all paths below, `*` alone is every path.',
      presence: 'always',
      listType: 'set',
      required: true,
    }),
  },
  { checks: [checkNonResourceRule] },
);

export const PolicyRulesWithSubjects = struct(
  'flowcontrol.v1beta3.PolicyRulesWithSubjects',
  'Requests of certain subjects for certain resources or paths.',
  {
    subjects: f.list(1, Subject, {
      doc: 'Users, groups and service accounts of the requests.',
      presence: 'always',
      listType: 'atomic',
      required: true,
    }),
    resourceRules: f.list(2, ResourcePolicyRule, {
      doc: 'Requests for resources.',
      listType: 'atomic',
    }),
    nonResourceRules: f.list(3, NonResourcePolicyRule, {
      doc: 'Requests for other paths.',
      listType: 'atomic',
    }),
  },
  { checks: [checkPolicyRules] },
);
