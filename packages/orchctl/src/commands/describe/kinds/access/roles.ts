import type { kinds } from '@orch/client';
import { ruleRows, ruleTitles } from '../../../../resources/policy-rules.ts';
import { type Describer, describer, noEvents } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';

type Role = kinds.rbac.Role | kinds.rbac.ClusterRole;

const definition: Omit<Describer<Role>, 'kind'> = {
  group: 'rbac',
  versions: ['v1'],
  events: noEvents,
  describe(out, { metadata, rules }, { names }) {
    describeMetadata(out, { metadata, names }, false);
    out.line(0, 'PolicyRule:');
    out.line(1, ...ruleTitles);
    out.line(1, ...ruleTitles.map((title) => '-'.repeat(title.length)));
    for (const row of ruleRows(rules ?? [])) out.line(1, ...row);
  },
};

export const role = describer<Role>({ ...definition, kind: 'Role' });
export const clusterRole = describer<Role>({ ...definition, kind: 'ClusterRole' });
