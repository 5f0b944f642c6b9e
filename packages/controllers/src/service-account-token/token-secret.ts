import { type ApiObject, asObject, asText, type Names } from '@orch/machinery';
import { decoded, encoded } from '../api/base64.ts';
import { certificateKey } from '../root-ca/reconcile.ts';

/** Of whom a token secret says that it is (spec 2.5). */
export interface NamedAccount {
  readonly namespace: string;
  readonly name: string;
  /** Empty until the token was issued, unless whoever made the secret said it. */
  readonly uid: string;
}

/** The account that a token secret names; undefined when the secret is none, or names nobody. */
export function accountOf(secret: ApiObject, names: Names): NamedAccount | undefined {
  if (secret['type'] !== names.secretTypes.serviceAccountToken) return undefined;
  const { annotations = {}, namespace = '' } = secret.metadata;
  const name = annotations[names.annotations.serviceAccountName] ?? '';
  if (name === '') return undefined;
  return { namespace, name, uid: annotations[names.annotations.serviceAccountUid] ?? '' };
}

/** Whether an account is the one that a secret names: names come again, uids do not. */
export const isNamed = (account: ApiObject | undefined, named: NamedAccount): account is ApiObject =>
  account !== undefined &&
  account.metadata.name === named.name &&
  account.metadata.namespace === named.namespace &&
  (named.uid === '' || account.metadata.uid === named.uid);

/** What is put into token secrets. */
export interface TokenMaterial {
  /** PEM; undefined when the cluster does not say. */
  readonly rootCa: string | undefined;
  /** Makes a token for an account, to be held by a secret. */
  sign(account: ApiObject, secretName: string): string;
}

/** A token secret with everything that belongs into it (spec 5.5); undefined when nothing is missing. */
export function filledSecret(
  secret: ApiObject,
  account: ApiObject,
  { rootCa, sign }: TokenMaterial,
  names: Names,
): ApiObject | undefined {
  const data = asObject(secret['data']);
  const { annotations = {}, namespace = '', name = '' } = secret.metadata;
  const { serviceAccountUid } = names.annotations;
  const { uid = '' } = account.metadata;
  const missing = {
    ...(rootCa === undefined || decoded(data[certificateKey]) === rootCa
      ? {}
      : { [certificateKey]: encoded(rootCa) }),
    ...(asText(data['namespace']) === '' ? { namespace: encoded(namespace) } : {}),
    ...(asText(data['token']) === '' ? { token: encoded(sign(account, name)) } : {}),
  };
  if (Object.keys(missing).length === 0 && annotations[serviceAccountUid] === uid) return undefined;
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, [serviceAccountUid]: uid } },
    data: { ...data, ...missing },
  };
}
