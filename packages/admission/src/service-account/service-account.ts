import type { ObjectSource } from '@orch/auth';
import type { PodSpec, ServiceAccount } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { type ApiObject, type Clock, errors, type Names, type Random } from '@orch/machinery';
import { podOf, podSpecOf } from '../shared/pods.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, ResourceTarget, Verdict } from '../types.ts';
import { AccountLookup, DEFAULT_ACCOUNT } from './account-lookup.ts';
import { isMirrorPod, refusedMirrorPod } from './mirror-pod.ts';
import { refusedEphemeralSecrets, refusedSecrets, restrictsSecrets } from './mountable-secrets.ts';
import { tokenSecretOf } from './token-secret.ts';
import { mountToken, projectedTokenVolume, secretTokenVolume, type TokenVolume } from './token-volume.ts';

export interface ServiceAccountParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly clock: Pick<Clock, 'scheduleAwaited'>;
  readonly random: Random;
  /** Whether pods get a token secret of their account; otherwise a token that is issued for the pod. */
  readonly mountsTokenSecrets: boolean;
}

const EPHEMERAL = 'ephemeralcontainers';

/** In updates, only ephemeral containers can add uses of secrets. */
const handles = ({ group, resource, subresource, operation }: ResourceTarget): boolean =>
  group === '' &&
  resource === 'pods' &&
  ((operation === 'CREATE' && subresource === '') || (operation === 'UPDATE' && subresource === EPHEMERAL));

/**
 * `ServiceAccount`: a new pod runs as an account that exists, by default the one named `default`. It gets a volume with a
 * token of the account, and the account's image pull secrets when it has none (access-control document, 5.5).
 */
export const serviceAccount = (parts: ServiceAccountParts): AdmissionPlugin =>
  new ServiceAccountPlugin(parts);

type Account = ApiObject & ServiceAccount;

class ServiceAccountPlugin implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly handles = handles;
  readonly #parts: ServiceAccountParts;
  readonly #accounts: AccountLookup;
  readonly #issued: TokenVolume;

  constructor(parts: ServiceAccountParts) {
    this.#parts = parts;
    this.#accounts = new AccountLookup(parts);
    this.#issued = projectedTokenVolume(parts.names, parts.random);
  }

  mutate(write: AdmissionAttributes): Verdict {
    const spec = podSpecOf(write);
    if (write.operation !== 'CREATE' || spec === undefined || this.#isMirror(write)) return undefined;
    if ((spec.serviceAccountName ?? '') === '') setAccount(spec, DEFAULT_ACCOUNT);
    return this.#withAccount(write, spec, (account) => this.#complete(write, spec, account));
  }

  validate(write: AdmissionAttributes): Verdict {
    const pod = podOf(write.object);
    if (pod === undefined) return undefined;
    const { operation, namespace } = write;
    if (operation === 'CREATE' && this.#isMirror(write)) return refusedMirrorPod(pod);
    const spec = pod.spec ?? {};
    if ((spec.serviceAccountName ?? '') === '')
      return `no service account specified for pod ${namespace}/${pod.metadata.name ?? ''}`;
    return this.#withAccount(write, spec, (account) => {
      if (!restrictsSecrets(account, this.#parts.names)) return undefined;
      return operation === 'CREATE'
        ? refusedSecrets(account, spec)
        : refusedEphemeralSecrets(account, spec.ephemeralContainers ?? []);
    });
  }

  #isMirror({ object }: AdmissionAttributes): boolean {
    const pod = podOf(object);
    return pod !== undefined && isMirrorPod(pod, this.#parts.names);
  }

  /** The verdict on the account of a pod, which must exist. */
  #withAccount(
    { namespace, signal }: AdmissionAttributes,
    { serviceAccountName: name = '' }: PodSpec,
    decide: (account: Account) => Verdict,
  ): Verdict {
    const decided = (account: Account | undefined): Verdict =>
      account === undefined ? missing(namespace, name) : decide(account);
    const found = this.#accounts.find({ namespace, name, signal });
    return found instanceof Promise ? found.then(decided) : decided(found);
  }

  /** Adds the volumes and image pull secrets of the account to the pod. */
  #complete(write: AdmissionAttributes, spec: Draft<PodSpec>, account: Account): Verdict {
    const { imagePullSecrets = [] } = account;
    if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0)
      spec.imagePullSecrets = imagePullSecrets.map(({ name = '' }) => ({ name }));
    const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
    if (!mounts) return undefined;
    if (this.#parts.mountsTokenSecrets) return this.#mountSecret(spec, account, write.signal);
    this.#mount(spec, this.#issued);
    return undefined;
  }

  async #mountSecret(spec: Draft<PodSpec>, account: Account, signal: AbortSignal): Promise<undefined> {
    const secret = await tokenSecretOf(account, this.#parts, signal);
    if (secret === undefined) throw noToken(account);
    this.#mount(spec, secretTokenVolume(secret, this.#parts.random));
  }

  #mount(spec: Draft<PodSpec>, volume: TokenVolume): void {
    mountToken(spec, volume, this.#parts.names.paths.serviceAccount);
  }
}

/** Clients of either field see the account. */
function setAccount(spec: Draft<PodSpec>, name: string): void {
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

const missing = (namespace: string, name: string): Refusal =>
  `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;

const noToken = ({ metadata: { name = '' } }: Account): Error =>
  errors.serverTimeout(
    { group: '', kind: 'serviceaccounts', name: 'create pod' },
    `No API token found for service account ${JSON.stringify(name)}, retry after the token is automatically created and added to the service account`,
  );
