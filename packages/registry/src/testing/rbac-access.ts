import { type ObjectSource, RbacPolicy, rbacAuthorizer, type UserInfo } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { Access } from '../index.ts';

/** Authorization by roles. Headers set the user: `x-user: jane`, `x-groups: a,b`. */
export function rbacAccess(source: ObjectSource, names: Names): Access {
  const policy = new RbacPolicy(source, names);
  return {
    policy,
    authorizer: rbacAuthorizer(policy, names),
    authenticator: {
      authenticate: ({ headers }) => ({ kind: 'user', user: userOf(headers) }),
    },
  };
}

function userOf(headers: Readonly<Record<string, unknown>>): UserInfo {
  const groups = String(headers['x-groups'] ?? '')
    .split(',')
    .filter((group) => group !== '');
  return { name: String(headers['x-user'] ?? 'root'), uid: '', groups, extra: {} };
}
