import { type ComputeDefault, f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/v1/object-meta.ts';
import { asText } from '../../read.ts';
import { RoleRef, subjectDocs } from '../v1/subject.ts';
import { subjectVersion } from './subject-lens.ts';

const versionOfSubject: ComputeDefault = (subject, names) => subjectVersion(asText(subject['kind']), names);

export const Subject = struct(
  'rbac.v1alpha1.Subject',
  'Someone to whom a binding gives permissions.',
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

export const RoleBinding = struct(
  'rbac.v1alpha1.RoleBinding',
  'Gives the permissions of a role to subjects, within its own namespace.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    subjects: f.list(2, Subject, { doc: 'Who gets the permissions.' }),
    roleRef: f.struct(3, RoleRef, {
      doc: 'The role: one of the namespace, or one of the cluster. It cannot change.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
  },
  { typeMeta: true },
);

export const ClusterRoleBinding = struct(
  'rbac.v1alpha1.ClusterRoleBinding',
  'Gives the permissions of a role of the cluster to subjects, everywhere.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    subjects: f.list(2, Subject, { doc: 'Who gets the permissions.' }),
    roleRef: f.struct(3, RoleRef, {
      doc: 'The role of the cluster. It cannot change.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
  },
  { typeMeta: true },
);
