import type { UserInfo } from '@orch/auth';
import type { AccountName } from '@orch/cel';
import type { Names } from '@orch/machinery';

/** A service account as the subject of a check, with the groups of service accounts. */
export const accountUser = ({ namespace, name }: AccountName, { userGroups, users }: Names): UserInfo => ({
  name: `${users.serviceAccountPrefix}${namespace}:${name}`,
  uid: '',
  groups: [userGroups.serviceAccounts, `${userGroups.serviceAccountsPrefix}${namespace}`],
  extra: {},
});
