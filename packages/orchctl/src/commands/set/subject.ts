import type { ApiObject, Names } from '@orch/machinery';
import { asObjects, type JsonObject, jsonEquals } from '@orch/machinery/json';
import { listFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { section, setFlags, setOnTargets } from './set-command.ts';

export const subject = command({
  usage:
    'set subject (TYPE NAME | TYPE/NAME | -f FILE) [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME] [flags]',
  about: 'Adds users, groups and service accounts to role bindings and cluster role bindings.',
  examples: [
    { comment: 'A user', line: 'orchctl set subject rolebinding/readers --user=ann' },
    {
      comment: 'A service account',
      line: 'orchctl set subject clusterrolebinding/readers --serviceaccount=default:reader',
    },
  ],
  flags: {
    ...setFlags,
    user: listFlag({ name: 'user', help: 'A user; may be repeated.', section }),
    group: listFlag({ name: 'group', help: 'A group; may be repeated.', section }),
    serviceAccount: listFlag({
      name: 'serviceaccount',
      help: 'A service account NAMESPACE:NAME; may be repeated.',
      section,
    }),
  },
  async run(invocation) {
    const { flags, words } = invocation;
    if (flags.user.length + flags.group.length + flags.serviceAccount.length === 0)
      throw new UsageError('you must specify at least one value of user, group or serviceaccount');
    const accounts = flags.serviceAccount.map(accountOf);
    const { names } = await invocation.session();
    const added = [
      ...flags.user.map((name) => namedSubject('User', name, names)),
      ...flags.group.map((name) => namedSubject('Group', name, names)),
      ...accounts,
    ];
    return setOnTargets(invocation, {
      done: 'subjects updated',
      words,
      change(object, { resource, name }) {
        if (resource.kind !== 'RoleBinding' && resource.kind !== 'ClusterRoleBinding')
          throw new CommandError(
            `${resource.resource}/${name} setting subjects is only supported for RoleBinding/ClusterRoleBinding`,
          );
        const current = asObjects((object as unknown as JsonObject)['subjects']);
        const missing = added.filter((one) => !current.some((other) => jsonEquals(one, other)));
        if (missing.length === 0) return object;
        return { ...object, subjects: [...current, ...missing] } as ApiObject;
      },
    });
  },
});

const namedSubject = (kind: string, name: string, names: Names) => ({
  ...{ apiGroup: names.group('rbac'), kind, name },
});

function accountOf(text: string) {
  const [namespace = '', name = '', ...more] = text.split(':');
  if (namespace === '' || name === '' || more.length > 0)
    throw new UsageError('serviceaccount must be <namespace>:<name>');
  return { kind: 'ServiceAccount', name, namespace };
}
