import { f, items, struct } from '@orch/schema';

const atomic = { since: '1.26' } as const;

/** Resources that a rule matches; a part of every rule. */
const ruleOf = (version: string) =>
  struct(`admissionregistration.${version}.Rule`, 'Resources that a rule matches.', {
    apiGroups: f.list(1, items.string, {
      doc: 'Groups of the resources: the empty string is the core group, a lone `*` every group.',
      atomic,
    }),
    apiVersions: f.list(2, items.string, {
      doc: 'Versions in which the resources are requested; a lone `*` means every version.',
      atomic,
    }),
    resources: f.list(3, items.string, {
      doc: 'Resources, subresources as `resource/subresource`. `*` is every resource, `*/*` with subresources too, `pods/*` every subresource of pods, `*/scale` the scale of everything.',
      atomic,
    }),
    scope: f.string(4, {
      doc: 'Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource.',
      presence: 'pointer',
      default: '*',
      enum: ['*', 'Cluster', 'Namespaced'],
      openapiEnum: { since: '1.35' },
      emptyIsInvalid: true,
    }),
  });

/** A rule: operations and resources. */
export const ruleWithOperationsOf = (version: string) =>
  struct(
    `admissionregistration.${version}.RuleWithOperations`,
    'Operations and resources of matching requests.',
    {
      operations: f.list(1, items.string, {
        doc: 'CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them.',
        atomic,
        enum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
        openapiEnum: { since: '1.30' },
        emptyIsInvalid: true,
      }),
      rule: f.inline(2, ruleOf(version), { protoName: 'rule' }),
    },
  );

/** Later versions of the group inline this one. */
export const RuleWithOperations = ruleWithOperationsOf('v1');
