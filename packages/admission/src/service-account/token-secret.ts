import type { ObjectSource } from '@orch/auth';
import type { Secret, ServiceAccount } from '@orch/kinds/core';
import type { ApiObject, Names } from '@orch/machinery';

export interface TokenSecretParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

/**
 * The first of the secrets of an account that contains a token of it; undefined without one. The cache is refreshed
 * before tokens are considered missing: a controller creates them after the account.
 */
export async function tokenSecretOf(
  account: ApiObject & ServiceAccount,
  { source, names }: TokenSecretParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace = '', name = '' } = account.metadata;
  const found = referencedToken(account, source, names);
  if (found !== undefined) return found;
  await source.fresh(signal);
  const current = source.get('serviceaccounts', namespace, name) as typeof account | undefined;
  return current === undefined ? undefined : referencedToken(current, source, names);
}

const referencedToken = (
  { metadata: account, secrets = [] }: ApiObject & ServiceAccount,
  source: ObjectSource,
  names: Names,
): string | undefined =>
  secrets.find(({ name = '' }) => {
    const secret = source.get('secrets', account.namespace ?? '', name);
    return secret !== undefined && isTokenOf(account, secret, names);
  })?.name;

/** Names can be reused: the uid decides when the secret has one. */
function isTokenOf(account: ServiceAccount['metadata'], { type, metadata }: Secret, names: Names): boolean {
  const { serviceAccountName, serviceAccountUid } = names.annotations;
  const { annotations = {} } = metadata;
  const uid = annotations[serviceAccountUid] ?? '';
  return (
    type === names.secretTypes.serviceAccountToken &&
    annotations[serviceAccountName] === account.name &&
    (uid === '' || uid === account.uid)
  );
}
