import type { Authorizer, RbacPolicy, UserInfo } from '@orch/auth';
import { type ApiObject, errors, isJsonObject, type Names } from '@orch/machinery';
import type { HookedWrite, PendingWrite, WriteHooks } from '@orch/registry';
import { type Giving, givenByBinding, givenByRole, uncovered } from './giving.ts';
import { refusedGrant } from './refused-grant.ts';

export interface GrantHooksOptions {
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  readonly names: Names;
}

/** The kinds that give permissions away, by the group and name of their resource. */
const granting: ReadonlyMap<string, 'role' | 'binding'> = new Map([
  ['rbac/roles', 'role'],
  ['rbac/clusterroles', 'role'],
  ['rbac/rolebindings', 'binding'],
  ['rbac/clusterrolebindings', 'binding'],
]);

/**
 * Nobody can give away more than he has (access-control document, 5.12): who writes a role must hold its permissions or
 * may `escalate` it, who binds one must hold them or may `bind` it. Undefined for kinds that give nothing away.
 */
export function grantHooks(
  { group, resource }: { readonly group: string; readonly resource: string },
  options: GrantHooksOptions,
): WriteHooks | undefined {
  const gives = granting.get(`${group}/${resource}`);
  if (gives === undefined) return undefined;
  const givingOf = gives === 'role' ? givenByRole : givenByBinding;
  return {
    async begin({ next, old, user, signal }: HookedWrite): Promise<PendingWrite | undefined> {
      if (next === undefined || user.groups.includes(options.names.userGroups.masters)) return undefined;
      await options.policy.loaded(signal);
      const asked = { resource, next, old };
      if (givingOf(asked, options.policy) === undefined) return undefined;
      if (await isAuthorized(options, gives, asked, { user, signal })) return undefined;
      if (refusal(options, givingOf(asked, options.policy), asked, user) === undefined) return undefined;
      // The cache may be behind: what was granted a moment ago, through another server, counts.
      await options.policy.fresh(signal);
      if (await isAuthorized(options, gives, asked, { user, signal })) return undefined;
      const refused = refusal(options, givingOf(asked, options.policy), asked, user);
      if (refused !== undefined) throw refused;
      return undefined;
    },
  };
}

/** A write of a role or a binding. */
export interface AskedGrant {
  readonly resource: string;
  readonly next: ApiObject;
  readonly old: ApiObject | undefined;
}

function refusal(
  { policy, names }: GrantHooksOptions,
  giving: Giving | undefined,
  { resource, next }: AskedGrant,
  user: UserInfo,
): Error | undefined {
  if (giving === undefined) return undefined;
  const { name = '' } = next.metadata;
  const subject = { group: names.group('rbac'), kind: resource, name };
  if (giving.rules === undefined) {
    return errors.notFound({ group: subject.group, kind: giving.resource, name: giving.name });
  }
  const { missing, tooLarge } = uncovered(policy, user, { ...giving, rules: giving.rules });
  return missing.length === 0 && !tooLarge ? undefined : refusedGrant(subject, user, { missing, tooLarge });
}

/** The user may give away what he does not hold: `escalate` for the role itself, `bind` for the role that is bound. */
async function isAuthorized(
  { authorizer, names }: GrantHooksOptions,
  gives: 'role' | 'binding',
  { resource, next }: AskedGrant,
  { user, signal }: { readonly user: UserInfo; readonly signal: AbortSignal },
): Promise<boolean> {
  const ref = isJsonObject(next['roleRef']) ? next['roleRef'] : {};
  const { name = '', namespace = '' } = next.metadata;
  const decision = await authorizer.authorize(
    {
      user,
      isResource: true,
      verb: gives === 'role' ? 'escalate' : 'bind',
      group: names.group('rbac'),
      version: 'v1',
      resource: gives === 'role' ? resource : ref['kind'] === 'Role' ? 'roles' : 'clusterroles',
      subresource: '',
      namespace,
      name: gives === 'role' ? name : String(ref['name']),
    },
    { signal },
  );
  return decision.verdict === 'allow';
}
