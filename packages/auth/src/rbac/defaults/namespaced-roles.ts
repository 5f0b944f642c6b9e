import type { Names } from '@orch/machinery';
import { account, type DeclaredRole, on, read, since, until, user } from './declare.ts';

/** The roles of the namespaces that the system keeps for itself. */
export function namespacedRoles(names: Names): readonly DeclaredRole[] {
  const { namespaces, clusterRoles, users, programs, objects, roles } = names;
  const events = on('create patch update', 'core events', 'events');
  const leaderLock = (
    name: string,
    program: string,
    who: string,
    electors: DeclaredRole['boundTo'] = [],
  ): DeclaredRole => ({
    name,
    namespace: namespaces.system,
    rules: [
      ...until('1.35', on('watch', 'core', 'configmaps'), on('get update', 'core', 'configmaps', [program])),
      ...since(
        '1.31',
        on('create get list update watch', 'coordination', 'leases'),
        on('create get list update watch', 'coordination', 'leasecandidates'),
      ),
    ],
    boundTo: [user(who), account(program), ...electors],
  });
  const controller = (name: string, rules: DeclaredRole['rules'] = []): DeclaredRole => ({
    name: `${clusterRoles.controllerPrefix}${name}`,
    namespace: namespaces.system,
    rules,
    boundTo: [account(name)],
  });
  return [
    {
      ...controller('bootstrap-signer', [
        on(read, 'core', 'configmaps'),
        on('update', 'core', 'configmaps', [objects.clusterInfo]),
        events,
      ]),
      namespace: namespaces.public,
    },
    {
      name: `${objects.extensionAuthentication}-reader`,
      namespace: namespaces.system,
      rules: [on(read, 'core', 'configmaps', [objects.extensionAuthentication])],
      boundTo: [user(users.controllerManager), user(users.scheduler)],
      bindingName: `system::${objects.extensionAuthentication}-reader`,
    },
    leaderLock(
      roles.leaderLockingControllerManager,
      programs.controllerManager,
      users.controllerManager,
      since('1.31', account('leader-election-controller')),
    ),
    leaderLock(roles.leaderLockingScheduler, programs.scheduler, users.scheduler),
    controller('bootstrap-signer', [on(read, 'core', 'secrets')]),
    controller('cloud-provider', [on('create get list watch', 'core', 'configmaps')]),
    controller('token-cleaner', [on('delete get list watch', 'core', 'secrets'), events]),
  ];
}
