import { RbacPolicy, rbacAuthorizer, type UserInfo } from '@orch/auth';
import { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';

/** The API in process, where roles decide. Users say who they are: `x-user: jane`, `x-groups: a,b`. */
export const openWithRbac = (options: ApiFixtureOptions = {}): Promise<ApiFixture> =>
  ApiFixture.open({
    ...options,
    accessOf(feed, names) {
      const policy = new RbacPolicy(feed, names);
      return {
        policy,
        authorizer: rbacAuthorizer(policy, names),
        authenticator: {
          authenticate: ({ headers }) => ({ kind: 'user', user: userOf(headers) }),
        },
      };
    },
  });

function userOf(headers: Readonly<Record<string, unknown>>): UserInfo {
  const groups = String(headers['x-groups'] ?? '')
    .split(',')
    .filter((group) => group !== '');
  return { name: String(headers['x-user'] ?? 'root'), uid: '', groups, extra: {} };
}
