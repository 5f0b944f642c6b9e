import type * as rbac from '@orch/kinds/rbac';
import { type ComputeDefault, f, struct } from '@orch/schema';
import { bindingsOf } from './bindings.ts';
import { subjectDocs } from './subject.ts';
import { subjectVersion } from './v1alpha1.lens.ts';

const versionOfSubject: ComputeDefault<rbac.SubjectV1alpha1> = (subject, names) =>
  subjectVersion(subject.kind ?? '', names);

export const Subject = struct(
  'rbac.v1alpha1.Subject',
  'A user, group or service account to which a binding grants permissions.',
  {
    kind: f.string(1, { doc: subjectDocs.kind, presence: 'always' }),
    apiVersion: f.string(2, {
      doc: 'Group and version of the kind; follows from it.',
      default: versionOfSubject,
    }),
    name: f.string(3, { doc: subjectDocs.name, presence: 'always', required: true }),
    namespace: f.string(4, { doc: subjectDocs.namespace }),
  },
  { mapType: 'atomic' },
);

export const { RoleBinding, ClusterRoleBinding } = bindingsOf('v1alpha1', Subject);
