import type { Authorizer, RbacPolicy, RoleOrBinding, UserInfo } from '@orch/auth';
import { errors, type Names } from '@orch/machinery';
import type { HookedWrite, PendingWrite, WriteHooks } from '@orch/registry';
import {
  type GrantedRules,
  grantedByBinding,
  grantedByRole,
  type RequestedGrant,
  uncovered,
} from './granted-rules.ts';
import { refusedGrant } from './refused-grant.ts';

export interface EscalationCheckOptions {
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  readonly names: Names;
}

/** The kinds that grant permissions, by group and name of their resource. */
const granting: ReadonlyMap<string, 'role' | 'binding'> = new Map([
  ['rbac/roles', 'role'],
  ['rbac/clusterroles', 'role'],
  ['rbac/rolebindings', 'binding'],
  ['rbac/clusterrolebindings', 'binding'],
]);

/**
 * Privilege escalation check (access-control document, 5.12): writing a role requires holding its permissions, or
 * `escalate`; binding a role requires holding its permissions, or `bind`. Undefined for kinds that grant nothing.
 */
export function escalationCheck(
  { group, resource }: { readonly group: string; readonly resource: string },
  options: EscalationCheckOptions,
): WriteHooks | undefined {
  const grants = granting.get(`${group}/${resource}`);
  if (grants === undefined) return undefined;
  const grantedOf = grants === 'role' ? grantedByRole : grantedByBinding;
  return {
    async begin({ next, old, user, signal }: HookedWrite): Promise<PendingWrite | undefined> {
      if (next === undefined || user.groups.includes(options.names.userGroups.masters)) return undefined;
      await options.policy.loaded(signal);
      const request = { resource, next: next as RoleOrBinding, old: old as RoleOrBinding | undefined };
      if (grantedOf(request, options.policy) === undefined) return undefined;
      if (await isAuthorized(options, grants, request, { user, signal })) return undefined;
      if (refusal(options, grantedOf(request, options.policy), request, user) === undefined) return undefined;
      // The cache may lag: permissions that were granted through another server a moment ago count too.
      await options.policy.fresh(signal);
      if (await isAuthorized(options, grants, request, { user, signal })) return undefined;
      const refused = refusal(options, grantedOf(request, options.policy), request, user);
      if (refused !== undefined) throw refused;
      return undefined;
    },
  };
}

function refusal(
  { policy, names }: EscalationCheckOptions,
  granted: GrantedRules | undefined,
  { resource, next }: RequestedGrant,
  user: UserInfo,
): Error | undefined {
  if (granted === undefined) return undefined;
  const { name = '' } = next.metadata;
  const subject = { group: names.group('rbac'), kind: resource, name };
  if (granted.rules === undefined) {
    return errors.notFound({ group: subject.group, kind: granted.resource, name: granted.name });
  }
  const { missing, tooLarge } = uncovered(policy, user, { ...granted, rules: granted.rules });
  return missing.length === 0 && !tooLarge ? undefined : refusedGrant(subject, user, { missing, tooLarge });
}

/** Reports whether the user holds `escalate` for the role, or `bind` for the bound role. */
async function isAuthorized(
  { authorizer, names }: EscalationCheckOptions,
  grants: 'role' | 'binding',
  { resource, next }: RequestedGrant,
  { user, signal }: { readonly user: UserInfo; readonly signal: AbortSignal },
): Promise<boolean> {
  const { roleRef } = next;
  const { name = '', namespace = '' } = next.metadata;
  const decision = await authorizer.authorize(
    {
      user,
      isResource: true,
      verb: grants === 'role' ? 'escalate' : 'bind',
      group: names.group('rbac'),
      version: 'v1',
      resource: grants === 'role' ? resource : roleRef?.kind === 'Role' ? 'roles' : 'clusterroles',
      subresource: '',
      namespace,
      name: grants === 'role' ? name : (roleRef?.name ?? ''),
    },
    { signal },
  );
  return decision.verdict === 'allow';
}
