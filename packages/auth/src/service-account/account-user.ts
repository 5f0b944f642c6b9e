import type { Names } from '@orch/machinery';
import type { UserInfo } from '../types.ts';
import { type AccountClaims, accountUserName } from './account-claims.ts';

/** The user that a service account is (access-control document, 5.5), and the pod that it acts from. */
export function accountUser(claims: AccountClaims, names: Names): UserInfo {
  const { userGroups, userExtras } = names;
  const { account } = claims;
  const extra: Record<string, readonly string[]> = {};
  if (claims.kind === 'bound' && claims.pod !== undefined) {
    extra[userExtras.podName] = [claims.pod.name];
    extra[userExtras.podUid] = [claims.pod.uid];
  }
  if (claims.kind === 'bound' && claims.node !== undefined) {
    extra[userExtras.nodeName] = [claims.node.name];
    extra[userExtras.nodeUid] = [claims.node.uid];
  }
  return {
    name: accountUserName(account, names),
    uid: account.uid,
    groups: [
      userGroups.serviceAccounts,
      `${userGroups.serviceAccountsPrefix}${account.namespace}`,
      userGroups.authenticated,
    ],
    extra,
  };
}
