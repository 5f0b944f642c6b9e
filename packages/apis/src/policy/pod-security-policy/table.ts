import { asObject, asStrings, asText, type JsonObject, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';

const ruleOf = (spec: JsonObject, member: string): string => asText(asObject(spec[member])['rule']);

export const podSecurityPolicyTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Priv', 'Whether containers may be privileged.'),
    column('Caps', 'Capabilities that containers may ask for.'),
    column('SELinux', 'Which labels of SELinux are allowed.'),
    column('RunAsUser', 'Which users containers may run as.'),
    column('FsGroup', 'Which groups may own volumes.'),
    column('SupGroup', 'Which further groups containers may run with.'),
    column('ReadOnlyRootFs', 'Whether containers cannot write to their own file system.'),
    column('Volumes', 'Kinds of volumes that pods may use.'),
  ],
  cells(policy) {
    const spec = specOf(policy);
    return [
      nameCell(policy),
      String(spec['privileged'] === true),
      asStrings(spec['allowedCapabilities']).join(','),
      ruleOf(spec, 'seLinux'),
      ruleOf(spec, 'runAsUser'),
      ruleOf(spec, 'fsGroup'),
      ruleOf(spec, 'supplementalGroups'),
      spec['readOnlyRootFilesystem'] === true,
      asStrings(spec['volumes']).join(','),
    ];
  },
};
