import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/v1/object-meta.ts';
import { RoleRef, Subject } from './subject.ts';

export const RoleBinding = struct(
  'rbac.v1.RoleBinding',
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
  'rbac.v1.ClusterRoleBinding',
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
