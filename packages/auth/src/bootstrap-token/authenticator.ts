import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@orch/kinds/core';
import type { Clock, Names } from '@orch/machinery';
import { bearerToken } from '../bearer.ts';
import type { ObjectSource } from '../object-source.ts';
import type { Authentication, Authenticator } from '../types.ts';

export interface BootstrapTokenOptions {
  readonly names: Names;
  readonly clock: Pick<Clock, 'now'>;
  readonly source: ObjectSource;
}

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
/** The name of an extra group after `system:bootstrappers:`. */
const groupForm = /^[a-z0-9:-]{0,255}[a-z0-9]$/;

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

/**
 * Bootstrap tokens (access-control document, 2.4 and 5.4): secrets of the system namespace, looked up by the public
 * half of the token and compared with its secret half in constant time. Results are not cached: a token is invalid as
 * soon as its secret is deleted.
 */
export function bootstrapTokenAuthenticator({ names, clock, source }: BootstrapTokenOptions): Authenticator {
  const judge = (id: string, secret: string): Authentication => {
    const object = source.get(
      'secrets',
      names.namespaces.system,
      `${names.objects.bootstrapTokenPrefix}${id}`,
    );
    if (object === undefined) return rejected('there is no such bootstrap token');
    const problem = problemOf(object, {
      id,
      secret,
      now: clock.now(),
      type: names.secretTypes.bootstrapToken,
    });
    if (problem !== undefined) return rejected(problem);
    const groups = extraGroups(textAt(object, 'auth-extra-groups') ?? '', names);
    if (groups === undefined)
      return rejected('the bootstrap token has a group that is not allowed for bootstrap tokens');
    const { bootstrappers, authenticated } = names.userGroups;
    return {
      kind: 'user',
      user: {
        name: `${names.users.bootstrapPrefix}${id}`,
        uid: '',
        groups: [...new Set([bootstrappers, ...groups, authenticated])],
        extra: {},
      },
    };
  };
  return {
    authenticate({ headers, signal }) {
      const [, id, secret] = tokenForm.exec(bearerToken(headers.authorization) ?? '') ?? [];
      if (id === undefined || secret === undefined) return none;
      const loading = source.loaded(signal);
      return loading === undefined ? judge(id, secret) : loading.then(() => judge(id, secret));
    },
  };
}

interface Presented {
  readonly id: string;
  readonly secret: string;
  readonly now: number;
  readonly type: string;
}

function problemOf(object: Secret, { id, secret, now, type }: Presented): string | undefined {
  if ((object.metadata.deletionTimestamp ?? '') !== '') return 'the bootstrap token is being deleted';
  if (object.type !== type) return 'the secret is not a bootstrap token';
  // Compared first: without the secret half, a client receives no information about the token.
  if (!isSame(textAt(object, 'token-secret') ?? '', secret))
    return 'the bootstrap token does not match its secret';
  if (textAt(object, 'token-id') !== id) return 'the id of the bootstrap token does not match its secret';
  if (textAt(object, 'usage-bootstrap-authentication') !== 'true')
    return 'the bootstrap token is not for authentication';
  return isOver(textAt(object, 'expiration'), now) ? 'the bootstrap token has expired' : undefined;
}

function textAt(secret: Secret, key: string): string | undefined {
  const data = secret.data?.[key] ?? '';
  return data !== '' ? Buffer.from(data, 'base64').toString() : undefined;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A secret without a token matches no token. */
const isSame = (kept: string, presented: string): boolean =>
  timingSafeEqual(digestOf(kept), digestOf(presented)) && kept !== '';

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** An invalid time counts as expired: it is not the same as a token without an expiration. */
function isOver(expiration: string | undefined, now: number): boolean {
  if (expiration === undefined) return false;
  const end = timeForm.test(expiration) ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(end) || now >= end;
}

/** The groups of a comma-separated list; undefined when one is not below the group of bootstrap tokens. */
function extraGroups(list: string, { userGroups }: Names): readonly string[] | undefined {
  const prefix = `${userGroups.bootstrappers}:`;
  const groups = list
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '');
  const isAllowed = (group: string): boolean =>
    group.startsWith(prefix) && groupForm.test(group.slice(prefix.length));
  return groups.every(isAllowed) ? groups : undefined;
}
