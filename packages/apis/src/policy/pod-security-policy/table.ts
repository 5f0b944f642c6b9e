import type { PodSecurityPolicySpecV1beta1, PodSecurityPolicyV1beta1 } from '@orch/kinds/policy';
import type { TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';

const ruleOf = (
  spec: PodSecurityPolicySpecV1beta1,
  name: 'fsGroup' | 'runAsUser' | 'seLinux' | 'supplementalGroups',
): string => spec[name]?.rule ?? '';

export const podSecurityPolicyTable: TableDefinition<PodSecurityPolicyV1beta1> = {
  columns: [
    nameColumn,
    column('Priv', 'Whether containers may be privileged.'),
    column('Caps', 'Capabilities that containers may request.'),
    column('SELinux', 'Allowed SELinux labels.'),
    column('RunAsUser', 'Users that containers may run as.'),
    column('FsGroup', 'Groups that may own volumes.'),
    column('SupGroup', 'Further groups that containers may run with.'),
    column('ReadOnlyRootFs', 'Whether containers cannot write to their own file system.'),
    column('Volumes', 'Kinds of volumes that pods may use.'),
  ],
  cells(policy) {
    const spec = policy.spec ?? {};
    return [
      nameCell(policy),
      String(spec.privileged === true),
      (spec.allowedCapabilities ?? []).join(','),
      ruleOf(spec, 'seLinux'),
      ruleOf(spec, 'runAsUser'),
      ruleOf(spec, 'fsGroup'),
      ruleOf(spec, 'supplementalGroups'),
      spec.readOnlyRootFilesystem === true,
      (spec.volumes ?? []).join(','),
    ];
  },
};
