import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Authorizer,
  type Decision,
  headerValues,
  percentDecoded,
  type ResourceAttributes,
  type UserInfo,
  utf8Text,
} from '@orch/auth';
import { type Env, errors, type Names } from '@orch/machinery';
import type { Answer, ApiRequest, Handler, Identified, Stage } from '@orch/request';
import { filterDuration } from '../metrics/filter-durations.ts';

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

/** The requested impersonation. */
export interface Impersonation {
  readonly name: string;
  /** The service account that the user name denotes. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';
const plainFields: ReadonlySet<string> = new Set([
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
]);

/** Reports whether a request has any impersonation header. */
export function requestsImpersonation(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/**
 * Parses the header fields. Throws 400 for ambiguous fields: executing the request with the permissions of the sender
 * instead would be wrong.
 */
export function readImpersonation(request: ApiRequest, names: Names): Impersonation {
  for (const field of Object.keys(request.headers)) {
    if (field.startsWith(prefix) && !plainFields.has(field) && !isExtra(field))
      throw errors.badRequest(`there is no header ${field}`);
  }
  const name = singleText(request, 'impersonate-user');
  if (name === '') {
    throw errors.badRequest('groups, uid and extras can be impersonated only together with a user');
  }
  return {
    name,
    serviceAccount: serviceAccountOf(name, names),
    groups: textsOf(request, 'impersonate-group'),
    uid: singleText(request, 'impersonate-uid'),
    extra: extraOf(request),
  };
}

const isExtra = (field: string): boolean =>
  field.startsWith(extraPrefix) && field.length > extraPrefix.length;

function textsOf(request: ApiRequest, field: string): readonly string[] {
  return headerValues(request, field).map((value) => {
    const text = utf8Text(value);
    if (text === undefined) throw errors.badRequest(`header ${field} is not in UTF-8`);
    return text;
  });
}

function singleText(request: ApiRequest, field: string): string {
  const [text = '', ...more] = textsOf(request, field);
  if (more.length > 0) throw errors.badRequest(`header ${field} is repeated`);
  return text;
}

function extraOf(request: ApiRequest): Impersonation['extra'] {
  const extra = new Map<string, readonly string[]>();
  for (const field of Object.keys(request.headers)) {
    if (!isExtra(field)) continue;
    const key = percentDecoded(field.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...textsOf(request, field)]);
  }
  return Object.fromEntries(extra);
}

/** Names with the prefix of service accounts that are malformed denote users. */
function serviceAccountOf(name: string, { users }: Names): Impersonation['serviceAccount'] {
  if (!name.startsWith(users.serviceAccountPrefix)) return undefined;
  const [namespace = '', account = '', ...more] = name.slice(users.serviceAccountPrefix.length).split(':');
  const isNamed = namespace !== '' && account !== '' && more.length === 0;
  return isNamed ? { namespace, name: account } : undefined;
}
