import type { Names } from '@orch/machinery';
import { textFlag, UsageError } from '@orch/program/flags';
import { generator, newMetadata, section, textsFlag } from './generator.ts';

const subjectFlags = {
  user: textsFlag({ name: 'user', help: 'A user; may be repeated.', section }),
  group: textsFlag({ name: 'group', help: 'A group; may be repeated.', section }),
  serviceAccount: textsFlag({
    name: 'serviceaccount',
    help: 'A service account: NAMESPACE:NAME; may be repeated.',
    section,
  }),
  clusterRole: textFlag({ name: 'clusterrole', help: 'The cluster role.', section }),
} as const;

interface Subjects {
  readonly user: readonly string[];
  readonly group: readonly string[];
  readonly serviceAccount: readonly string[];
}

function subjectsOf(
  { user, group, serviceAccount }: Subjects,
  names: Names,
): { subjects?: readonly object[] } {
  const apiGroup = names.group('rbac');
  const accounts = serviceAccount.map((text) => {
    const [namespace = '', name = '', ...more] = text.split(':');
    if (namespace === '' || name === '' || more.length > 0)
      throw new UsageError('serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name, namespace };
  });
  const subjects = [
    ...user.map((name) => ({ apiGroup, kind: 'User', name })),
    ...group.map((name) => ({ apiGroup, kind: 'Group', name })),
    ...accounts,
  ];
  return subjects.length === 0 ? {} : { subjects };
}

const roleRef = (names: Names, kind: 'Role' | 'ClusterRole', name: string) => ({
  roleRef: { apiGroup: names.group('rbac'), kind, name },
});

export const roleBinding = generator({
  usage:
    'rolebinding NAME (--clusterrole=NAME | --role=NAME) [--user=NAME] [--group=NAME] [--serviceaccount=NAMESPACE:NAME] [flags]',
  about: 'Creates a binding of a role or cluster role to subjects, in a namespace.',
  examples: [
    { comment: 'A user may edit', line: 'orchctl create rolebinding editors --clusterrole=edit --user=ann' },
    {
      comment: 'A role of the namespace for a service account',
      line: 'orchctl create rolebinding robots --role=reader --serviceaccount=default:robot',
    },
  ],
  flags: { ...subjectFlags, role: textFlag({ name: 'role', help: 'The role of the namespace.', section }) },
  isNamespaced: true,
  async build({ name, flags, names: open }) {
    if ((flags.clusterRole === '') === (flags.role === ''))
      throw new UsageError('exactly one of clusterrole or role must be specified');
    const names = await open();
    return {
      ...{ apiVersion: names.apiVersion('rbac', 'v1'), kind: 'RoleBinding', metadata: newMetadata(name) },
      ...(flags.role === ''
        ? roleRef(names, 'ClusterRole', flags.clusterRole)
        : roleRef(names, 'Role', flags.role)),
      ...subjectsOf(flags, names),
    };
  },
});

export const clusterRoleBinding = generator({
  usage:
    'clusterrolebinding NAME --clusterrole=NAME [--user=NAME] [--group=NAME] [--serviceaccount=NAMESPACE:NAME] [flags]',
  about: 'Creates a binding of a cluster role to subjects, in all namespaces.',
  examples: [
    {
      comment: 'A group of administrators',
      line: 'orchctl create clusterrolebinding ops --clusterrole=admin --group=ops',
    },
  ],
  flags: subjectFlags,
  isNamespaced: false,
  async build({ name, flags, names: open }) {
    if (flags.clusterRole === '') throw new UsageError('required flag(s) "clusterrole" not set');
    const names = await open();
    return {
      ...{
        apiVersion: names.apiVersion('rbac', 'v1'),
        kind: 'ClusterRoleBinding',
        metadata: newMetadata(name),
      },
      ...roleRef(names, 'ClusterRole', flags.clusterRole),
      ...subjectsOf(flags, names),
    };
  },
});
