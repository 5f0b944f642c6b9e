import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { decoded, encoded } from '../api/base64.ts';
import { certificateKey } from '../root-ca/reconcile.ts';

type Secret = kinds.core.Secret;
type ServiceAccount = kinds.core.ServiceAccount;

/** The account that a token secret names (spec 2.5). */
export interface NamedAccount {
  readonly namespace: string;
  readonly name: string;
  /** Empty until the token is issued, unless the creator of the secret set it. */
  readonly uid: string;
}

/** The account that a token secret names; undefined for secrets of other types and without an account. */
export function accountOf({ type, metadata }: Secret, names: Names): NamedAccount | undefined {
  if (type !== names.secretTypes.serviceAccountToken) return undefined;
  const { annotations = {}, namespace = '' } = metadata;
  const name = annotations[names.annotations.serviceAccountName] ?? '';
  if (name === '') return undefined;
  return { namespace, name, uid: annotations[names.annotations.serviceAccountUid] ?? '' };
}

/** Reports whether an account is the named one. The uid decides when the secret has one: names can be reused. */
export const isNamed = (
  account: ServiceAccount | undefined,
  named: NamedAccount,
): account is ServiceAccount =>
  account !== undefined &&
  account.metadata.name === named.name &&
  account.metadata.namespace === named.namespace &&
  (named.uid === '' || account.metadata.uid === named.uid);

/** The material for token secrets. */
export interface TokenMaterial {
  /** PEM; undefined when no certificate authority is configured. */
  readonly rootCa: string | undefined;
  /** Signs a token of an account for a secret. */
  sign(account: ServiceAccount, secretName: string): Promise<string>;
}

/** A token secret with all its fields (spec 5.5); undefined when none is missing. */
export async function filledSecret(
  secret: Secret,
  account: ServiceAccount,
  { material, names }: { readonly material: TokenMaterial; readonly names: Names },
): Promise<Secret | undefined> {
  const { rootCa, sign } = material;
  const { data = {} } = secret;
  const { annotations = {}, namespace = '', name = '' } = secret.metadata;
  const { serviceAccountUid } = names.annotations;
  const { uid = '' } = account.metadata;
  const isEmpty = (key: string): boolean => (data[key] ?? '') === '';
  const missing = {
    ...(rootCa === undefined || decoded(data[certificateKey]) === rootCa
      ? {}
      : { [certificateKey]: encoded(rootCa) }),
    ...(isEmpty('namespace') ? { namespace: encoded(namespace) } : {}),
    ...(isEmpty('token') ? { token: encoded(await sign(account, name)) } : {}),
  };
  if (Object.keys(missing).length === 0 && annotations[serviceAccountUid] === uid) return undefined;
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, [serviceAccountUid]: uid } },
    data: { ...data, ...missing },
  };
}
