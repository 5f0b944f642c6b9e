import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { RoleRef } from './subject.ts';

/** Both kinds of bindings in a version, with the subjects that it has. */
export const bindingsOf = (version: string, subject: StructSchema) => ({
  RoleBinding: binding(subject, {
    name: `rbac.${version}.RoleBinding`,
    doc: 'Grants the permissions of a role to subjects, within its own namespace.',
    roleDoc: 'The role: one of the namespace, or one of the cluster. It cannot change.',
  }),
  ClusterRoleBinding: binding(subject, {
    name: `rbac.${version}.ClusterRoleBinding`,
    doc: 'Grants the permissions of a role of the cluster to subjects, in all namespaces.',
    roleDoc: 'The role of the cluster. It cannot change.',
  }),
});

interface BindingTexts {
  readonly name: string;
  readonly doc: string;
  readonly roleDoc: string;
}

function binding(subject: StructSchema, { name, doc, roleDoc }: BindingTexts): StructSchema {
  return struct(
    name,
    doc,
    {
      metadata: metadataField,
      subjects: f.list(2, subject, { doc: 'Subjects that are granted the permissions.' }),
      roleRef: f.struct(3, RoleRef, {
        doc: roleDoc,
        presence: 'always',
        openapiRequired: true,
        immutable: true,
      }),
    },
    { typeMeta: true },
  );
}
