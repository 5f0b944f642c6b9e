import type { Names } from '@orch/machinery';
import { tokenCredentialId } from '../credential-ids.ts';
import type { UserInfo } from '../types.ts';
import { type AccountClaims, accountUserName, type BoundClaims } from './account-claims.ts';
import type { TokenFeatures } from './token-features.ts';

/** The user that a service account is (access-control document, 5.5), and the pod or node that it acts from. */
export function accountUser(claims: AccountClaims, names: Names, features: TokenFeatures): UserInfo {
  const { userGroups } = names;
  const { account } = claims;
  return {
    name: accountUserName(account, names),
    uid: account.uid,
    groups: [
      userGroups.serviceAccounts,
      `${userGroups.serviceAccountsPrefix}${account.namespace}`,
      userGroups.authenticated,
    ],
    extra: claims.kind === 'bound' ? extraOf(claims, names, features) : {},
  };
}

function extraOf(
  { pod, node: ownNode, podNode, id }: BoundClaims,
  { userExtras }: Names,
  features: TokenFeatures,
): UserInfo['extra'] {
  const node = ownNode ?? (features.podNodes ? podNode : undefined);
  const values = {
    [userExtras.podName]: pod?.name,
    [userExtras.podUid]: pod?.uid,
    [userExtras.credentialId]: features.ids && id !== undefined ? tokenCredentialId(id) : undefined,
    [userExtras.nodeName]: node?.name,
    [userExtras.nodeUid]: node?.uid,
  };
  const extra: Record<string, readonly string[]> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined) extra[key] = [value];
  return extra;
}
