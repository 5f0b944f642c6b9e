import {
  type ControllerContext,
  type Informer,
  keyOf,
  type kinds,
  type ResourceClient,
  typed,
} from '@orch/client';
import type { Names } from '@orch/machinery';
import { signToken } from '@orch/pki/jws';
import { ignoreReasons } from '../api/writes.ts';
import type { Content } from '../options.ts';
import { RootCertificates } from '../root-ca/root-certificates.ts';
import { legacyToken, type SignToken, signingKeyIn } from './legacy-token.ts';
import { referencedSecrets } from './references.ts';
import { accountOf, isNamed, type NamedAccount, type TokenMaterial } from './token-secret.ts';

type Secret = kinds.core.Secret;
type ServiceAccount = kinds.core.ServiceAccount;

/** Names of the indexes of the informers below. */
export const byAccount = 'tokenSecretsByAccount';
export const bySecret = 'accountsBySecret';

/** The contents of token secrets. */
export interface TokenContents {
  readonly key: Content;
  readonly rootCa: Content | undefined;
  /** Default: `signToken`. */
  readonly sign?: SignToken;
}

/** Informers and clients of token secrets and service accounts, and the material that token secrets are filled with. */
export class TokenInformers {
  readonly names: Names;
  /** Secrets of the token type; index `byAccount`: the account that they name. */
  readonly secrets: Informer<Secret>;
  /** Index `bySecret`: the secrets that they refer to. */
  readonly accounts: Informer<ServiceAccount>;
  /** Undefined when no certificate authority is configured. */
  readonly rootCertificates: RootCertificates | undefined;
  readonly #context: ControllerContext;
  readonly #secretClient: ResourceClient<Secret>;
  readonly #accountClient: ResourceClient<ServiceAccount>;
  readonly #signingKey: ReturnType<typeof signingKeyIn>;
  readonly #sign: SignToken;

  constructor(context: ControllerContext, { key, rootCa, sign = signToken }: TokenContents) {
    const { client, informers } = context;
    const { secrets, serviceaccounts } = typed(client).core.v1;
    this.names = client.names;
    this.#context = context;
    this.#secretClient = secrets;
    this.#accountClient = serviceaccounts;
    this.#signingKey = signingKeyIn(key);
    this.#sign = sign;
    this.rootCertificates = rootCa === undefined ? undefined : new RootCertificates(context, rootCa);
    this.secrets = informers.informer(secrets.resource, {
      fieldSelector: `type=${this.names.secretTypes.serviceAccountToken}`,
    });
    this.accounts = informers.informer(serviceaccounts.resource);
    this.secrets.addIndex(byAccount, (secret) => {
      const named = accountOf(secret, this.names);
      return named === undefined ? [] : [keyOf(named.namespace, named.name)];
    });
    this.accounts.addIndex(bySecret, (account) =>
      referencedSecrets(account).map((name) => keyOf(account.metadata.namespace, name)),
    );
  }

  secretsIn(namespace: string): ResourceClient<Secret> {
    return this.#secretClient.in(namespace);
  }

  accountsIn(namespace: string): ResourceClient<ServiceAccount> {
    return this.#accountClient.in(namespace);
  }

  /** The account that a secret names; reads it from the server when the informer does not have it. */
  async findAccount(named: NamedAccount, signal: AbortSignal): Promise<ServiceAccount | undefined> {
    const cached = this.accounts.store.get(keyOf(named.namespace, named.name));
    if (isNamed(cached, named)) return cached;
    const live = await ignoreReasons(['NotFound'], () =>
      this.accountsIn(named.namespace).get(named.name, {}, signal),
    );
    return isNamed(live, named) ? live : undefined;
  }

  /** A secret; reads it from the server when the informer does not have it. */
  async findSecret(namespace: string, name: string, signal: AbortSignal): Promise<Secret | undefined> {
    const cached = this.secrets.store.get(keyOf(namespace, name));
    if (cached !== undefined) return cached;
    return await ignoreReasons(['NotFound'], () => this.secretsIn(namespace).get(name, {}, signal));
  }

  async material(): Promise<TokenMaterial> {
    const { names } = this;
    const { random } = this.#context.env;
    const key = await this.#signingKey();
    const rootCa = await this.rootCertificates?.read();
    return {
      rootCa,
      sign: (account, secretName) =>
        legacyToken(account, secretName, { key, names, random, sign: this.#sign }),
    };
  }
}
