import type { EphemeralContainer, PodSpec, ServiceAccount } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import type { AnyContainer } from '../shared/pods.ts';
import type { Refusal } from '../types.ts';

/** Spellings of true in annotations. */
const trueValues: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Reports whether pods of the account may use only the secrets that it lists. */
export const restrictsSecrets = ({ metadata }: ServiceAccount, { annotations }: Names): boolean =>
  trueValues.has(metadata.annotations?.[annotations.enforceMountableSecrets] ?? '');

/**
 * The reason why a new pod must not use its secrets: the account lists those of volumes and containers, and those of
 * image pulls.
 */
export function refusedSecrets(account: ServiceAccount, spec: PodSpec): Refusal | undefined {
  const allowed = namesOf(account.secrets);
  const [use] = [
    ...volumeUses(spec),
    ...containerUses('init container', spec.initContainers ?? []),
    ...containerUses('container', spec.containers ?? []),
  ].filter(({ secret }) => !allowed.has(secret));
  return use === undefined ? refusedPullSecret(account, spec) : refusalOf(use, account);
}

/** The same for ephemeral containers that are added to a pod. */
export function refusedEphemeralSecrets(
  account: ServiceAccount,
  containers: readonly EphemeralContainer[],
): Refusal | undefined {
  const allowed = namesOf(account.secrets);
  const use = containerUses('ephemeral container', containers).find(({ secret }) => !allowed.has(secret));
  return use === undefined ? undefined : refusalOf(use, account);
}

const namesOf = (references: readonly { readonly name?: string }[] = []): ReadonlySet<string> =>
  new Set(references.map(({ name = '' }) => name));

/** The use of a secret: `what` names the place in the pod. */
interface SecretUse {
  readonly what: string;
  readonly secret: string;
}

const refusalOf = ({ what, secret }: SecretUse, { metadata: { name = '' } }: ServiceAccount): Refusal =>
  `${what} secret.secretName=${JSON.stringify(secret)} is not allowed because service account ${name} does not reference that secret`;

const volumeUses = ({ volumes = [] }: PodSpec): readonly SecretUse[] =>
  volumes
    .flatMap(({ secret, projected }) => [
      ...(secret === undefined ? [] : [secret.secretName ?? '']),
      ...(projected?.sources ?? []).flatMap((source) =>
        source.secret === undefined ? [] : [source.secret.name ?? ''],
      ),
    ])
    .map((secret) => ({ what: 'volume with', secret }));

const containerUses = (kind: string, containers: readonly AnyContainer[]): readonly SecretUse[] =>
  containers.flatMap(({ name = '', env = [], envFrom = [] }) => [
    ...env.flatMap((variable) => {
      const reference = variable.valueFrom?.secretKeyRef;
      const what = `${kind} ${name} with envVar ${variable.name ?? ''} referencing`;
      return reference === undefined ? [] : [{ what, secret: reference.name ?? '' }];
    }),
    ...envFrom.flatMap(({ secretRef }) => {
      const what = `${kind} ${name} with envFrom referencing`;
      return secretRef === undefined ? [] : [{ what, secret: secretRef.name ?? '' }];
    }),
  ]);

function refusedPullSecret(account: ServiceAccount, { imagePullSecrets = [] }: PodSpec): Refusal | undefined {
  const allowed = namesOf(account.imagePullSecrets);
  const index = imagePullSecrets.findIndex(({ name = '' }) => !allowed.has(name));
  if (index === -1) return undefined;
  const secret = imagePullSecrets[index]?.name ?? '';
  return `imagePullSecrets[${index}].name=${JSON.stringify(secret)} is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
}
