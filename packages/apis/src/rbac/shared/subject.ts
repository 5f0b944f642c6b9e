import { type ComputeDefault, f, struct } from '@orch/schema';

/** Users and groups are of this group, service accounts of the core group. */
const groupOfSubject: ComputeDefault = (subject, names) => {
  const kind = subject.kind ?? '';
  return kind === 'User' || kind === 'Group' ? names.group('rbac') : undefined;
};

const groupOfRoles: ComputeDefault = (_role, names) => names.group('rbac');

export const subjectDocs = {
  kind: 'User, Group or ServiceAccount.',
  name: 'Name of the user, group or service account.',
  namespace: 'Namespace of a service account; users and groups have none.',
} as const;

export const Subject = struct(
  'rbac.v1.Subject',
  'A user, group or service account to which a binding grants permissions.',
  {
    kind: f.string(1, { doc: subjectDocs.kind, presence: 'always' }),
    apiGroup: f.string(2, {
      doc: 'Group of the kind: empty for service accounts, that of roles for users and groups.',
      default: groupOfSubject,
    }),
    name: f.string(3, { doc: subjectDocs.name, presence: 'always', required: true }),
    namespace: f.string(4, { doc: subjectDocs.namespace }),
  },
  { mapType: 'atomic' },
);

export const RoleRef = struct(
  'rbac.v1.RoleRef',
  'References the role whose permissions a binding grants.',
  {
    apiGroup: f.string(1, {
      doc: 'Group of the role.',
      presence: 'always',
      default: groupOfRoles,
      openapiRequired: { since: '1.36', is: false },
    }),
    kind: f.string(2, { doc: 'Role or ClusterRole.', presence: 'always' }),
    name: f.string(3, {
      doc: 'Name of the role.',
      presence: 'always',
      required: true,
      format: 'pathSegment',
    }),
  },
  { mapType: 'atomic' },
);
