import type { IncomingHttpHeaders } from 'node:http';
import { headerValues, percentDecoded, utf8Text } from '@orch/auth';
import { errors, type Names } from '@orch/machinery';
import type { ApiRequest } from '@orch/request';

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
