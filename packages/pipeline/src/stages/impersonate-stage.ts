import type { Attributes, Authorizer, Decision, ResourceAttributes, UserInfo } from '@orch/auth';
import { type Env, errors, type Names } from '@orch/machinery';
import type { Answer, Handler, Identified, Stage } from '@orch/request';
import { filterDuration } from '../metrics/filter-durations.ts';
import { type Impersonation, readImpersonation, requestsImpersonation } from './impersonation.ts';

/**
 * Impersonation (access-control document, 5.10). The sender needs the verb `impersonate` for every
 * requested part: the user or service account, every group, the uid, and every value of every extra. Inner stages
 * see the impersonated user only; `trace` has both.
 */
export function impersonate(
  authorizer: Authorizer,
  { clock, metrics, names }: Pick<Env, 'clock' | 'metrics'> & { readonly names: Names },
): Stage<Identified> {
  const duration = filterDuration(metrics, 'impersonation');
  return (context, next) => {
    if (!requestsImpersonation(context.request.headers)) return next(context);
    const started = clock.monotonic();
    const wanted = readImpersonation(context.request, names);
    const parts = partsOf(wanted, context.user, names);
    return checkAll(authorizer, parts, context, () => {
      duration.observe((clock.monotonic() - started) / 1000);
      return proceed(context, wanted, names, next);
    });
  };
}

function proceed(
  context: Identified,
  wanted: Impersonation,
  names: Names,
  next: Handler<Identified>,
): Answer {
  const user = impersonated(wanted, names);
  context.trace.impersonated = user;
  return next({ ...context, user });
}

/** Authorizes every part, in order; synchronous when the authorizer is. */
function checkAll(
  authorizer: Authorizer,
  parts: readonly Attributes[],
  context: Identified,
  granted: () => Answer,
): Answer {
  for (const [index, part] of parts.entries()) {
    const decision = authorizer.authorize(part, context.request);
    if (decision instanceof Promise) {
      return decision.then((decided) => {
        checkGranted(part, decided);
        return checkAll(authorizer, parts.slice(index + 1), context, granted);
      });
    }
    checkGranted(part, decision);
  }
  return granted();
}

function checkGranted(part: Attributes, { verdict, reason }: Decision): void {
  if (verdict === 'allow' || !part.isResource) return;
  const { group, resource, subresource, namespace, name, user } = part;
  const what = JSON.stringify(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const why = reason === '' ? '' : `: ${reason}`;
  throw errors.forbidden(
    { group, kind: resource, name },
    `User ${JSON.stringify(user.name)} cannot impersonate resource ${what} in API group ${JSON.stringify(group)} ${where}${why}`,
  );
}

function partsOf(wanted: Impersonation, user: UserInfo, names: Names): readonly Attributes[] {
  const part = (resource: string, name: string, rest: Partial<ResourceAttributes> = {}): Attributes => ({
    user,
    isResource: true,
    verb: 'impersonate',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    ...rest,
  });
  const identity = { group: names.group('authentication') };
  const { serviceAccount, groups, uid, extra } = wanted;
  return [
    serviceAccount === undefined
      ? part('users', wanted.name)
      : part('serviceaccounts', serviceAccount.name, { namespace: serviceAccount.namespace }),
    ...groups.map((group) => part('groups', group)),
    ...(uid === '' ? [] : [part('uids', uid, identity)]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => part('userextras', value, { ...identity, subresource: key })),
    ),
  ];
}

/**
 * The impersonated user. All but anonymous get the group of authenticated users, as if they had authenticated
 * themselves; a service account without requested groups gets its implicit groups.
 */
function impersonated({ name, serviceAccount, groups, uid, extra }: Impersonation, names: Names): UserInfo {
  const { userGroups, users } = names;
  const own =
    serviceAccount === undefined || groups.length > 0
      ? groups
      : [userGroups.serviceAccounts, `${userGroups.serviceAccountsPrefix}${serviceAccount.namespace}`];
  const namesImplicit = own.includes(userGroups.authenticated) || own.includes(userGroups.unauthenticated);
  const implicit = name === users.anonymous ? userGroups.unauthenticated : userGroups.authenticated;
  return { name, uid, groups: [...new Set(namesImplicit ? own : [...own, implicit])], extra };
}
