import type { kinds } from '@orch/client';
import { type Describer, describer, noEvents } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';

type Binding = kinds.rbac.RoleBinding | kinds.rbac.ClusterRoleBinding;

const definition: Omit<Describer<Binding>, 'kind'> = {
  group: 'rbac',
  versions: ['v1'],
  events: noEvents,
  describe(out, { metadata, roleRef, subjects }, { names }) {
    describeMetadata(out, { metadata, names }, false);
    out.line(0, 'Role:');
    out.fields(1, { Kind: roleRef.kind, Name: roleRef.name });
    out.line(0, 'Subjects:');
    out.line(1, 'Kind', 'Name', 'Namespace');
    out.line(1, '----', '----', '---------');
    for (const { kind, name, namespace = '' } of subjects ?? []) out.line(1, kind, name, namespace);
  },
};

export const roleBinding = describer<Binding>({ ...definition, kind: 'RoleBinding' });
export const clusterRoleBinding = describer<Binding>({ ...definition, kind: 'ClusterRoleBinding' });
