import { f, items, type StructSchema, struct } from '@orch/schema';
import { SELinuxOptions } from '../../core/shared/pod-spec/security.ts';
import { checkIdRange, checkRule } from './validation/ranges.ts';

const IDRange = struct(
  'policy.v1beta1.IDRange',
  'Numbers of users or groups, both ends included.',
  {
    min: f.int64(1, { doc: 'The lowest.', presence: 'always' }),
    max: f.int64(2, { doc: 'The highest.', presence: 'always' }),
  },
  { checks: [checkIdRange] },
);

export const HostPortRange = struct(
  'policy.v1beta1.HostPortRange',
  'Ports of the node, both ends included.',
  {
    min: f.int32(1, { doc: 'The lowest.', presence: 'always' }),
    max: f.int32(2, { doc: 'The highest.', presence: 'always' }),
  },
);

const groupRules = ['MayRunAs', 'MustRunAs', 'RunAsAny'];

const ranges = f.list(2, IDRange, { doc: 'Allowed ranges; the lowest of the first range is the default.' });

export const SELinuxStrategyOptions = struct(
  'policy.v1beta1.SELinuxStrategyOptions',
  'A rule, and the labels that it applies to.',
  {
    rule: f.string(1, {
      doc: 'MustRunAs for the labels below, RunAsAny for any labels.',
      presence: 'always',
    }),
    seLinuxOptions: f.struct(2, SELinuxOptions, { doc: 'The labels.', presence: 'pointer' }),
  },
  { checks: [checkRule(['MustRunAs', 'RunAsAny'])] },
);

export const RunAsUserStrategyOptions = struct(
  'policy.v1beta1.RunAsUserStrategyOptions',
  'A rule, and the ranges of user ids that it applies to.',
  {
    rule: f.string(1, { doc: 'MustRunAs, MustRunAsNonRoot or RunAsAny.', presence: 'always' }),
    ranges,
  },
  { checks: [checkRule(['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'])] },
);

export const RunAsGroupStrategyOptions = struct(
  'policy.v1beta1.RunAsGroupStrategyOptions',
  'Main groups that containers may run with.',
  {
    rule: f.string(1, { doc: 'MayRunAs, MustRunAs or RunAsAny.', presence: 'always' }),
    ranges: f.list(2, IDRange, {
      doc: 'Allowed ranges; the lowest of the first range is the default.',
      validatedIf: ({ rule }) => rule === 'MayRunAs' || rule === 'MustRunAs',
    }),
  },
  { checks: [checkRule(groupRules)] },
);

const groupStrategy = (name: string, doc: string): StructSchema =>
  struct(
    name,
    doc,
    { rule: f.string(1, { doc: 'MayRunAs, MustRunAs or RunAsAny.' }), ranges },
    { checks: [checkRule(groupRules)] },
  );

export const SupplementalGroupsStrategyOptions = groupStrategy(
  'policy.v1beta1.SupplementalGroupsStrategyOptions',
  'A rule, and the ranges of further group ids that it applies to.',
);

export const FSGroupStrategyOptions = groupStrategy(
  'policy.v1beta1.FSGroupStrategyOptions',
  'A rule, and the ranges of volume group ids that it applies to.',
);

export const RuntimeClassStrategyOptions = struct(
  'policy.v1beta1.RuntimeClassStrategyOptions',
  'Allowed runtime classes.',
  {
    allowedRuntimeClassNames: f.list(1, items.string, {
      doc: 'The allowed ones; `*` alone allows all, an empty list only pods that name none.',
      presence: 'always',
    }),
    defaultRuntimeClassName: f.string(2, {
      doc: 'Default for pods that name none.',
      presence: 'pointer',
      format: 'dns1123subdomain',
    }),
  },
);
