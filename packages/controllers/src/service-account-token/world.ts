import type { ControllerContext, Informer, ResourceClient } from '@orch/client';
import { keyOf } from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import { secrets, serviceAccounts } from '../api/resources.ts';
import type { Content } from '../options.ts';
import { RootCertificates } from '../root-ca/root-certificates.ts';
import { legacyToken, signingKeyIn } from './legacy-token.ts';
import { referencedSecrets } from './references.ts';
import { accountOf, isNamed, type NamedAccount, type TokenMaterial } from './token-secret.ts';

/** Indexes of the informers below. */
export const byAccount = 'tokenSecretsByAccount';
export const bySecret = 'accountsBySecret';

/** Token secrets and accounts, as informers have them and as they are. */
export class TokenWorld {
  readonly names: Names;
  /** Secrets of the type alone; by the account that they name under `byAccount`. */
  readonly secrets: Informer;
  /** By the secrets that they refer to under `bySecret`. */
  readonly accounts: Informer;
  readonly #context: ControllerContext;
  readonly #signingKey: ReturnType<typeof signingKeyIn>;
  /** Undefined where the cluster does not say whom clients have to trust. */
  readonly rootCertificates: RootCertificates | undefined;

  constructor(context: ControllerContext, key: Content, rootCa: Content | undefined) {
    const { client, informers } = context;
    this.#context = context;
    this.#signingKey = signingKeyIn(key);
    this.rootCertificates = rootCa === undefined ? undefined : new RootCertificates(context, rootCa);
    this.names = client.names;
    this.secrets = informers.informer(secrets, {
      fieldSelector: `type=${this.names.secretTypes.serviceAccountToken}`,
    });
    this.accounts = informers.informer(serviceAccounts);
    this.secrets.addIndex(byAccount, (secret) => {
      const named = accountOf(secret, this.names);
      return named === undefined ? [] : [keyOf(named.namespace, named.name)];
    });
    this.accounts.addIndex(bySecret, (account) =>
      referencedSecrets(account).map((name) => keyOf(account.metadata.namespace, name)),
    );
  }

  secretsOf(namespace: string): ResourceClient {
    return this.#context.client.resource(secrets, namespace);
  }

  accountsOf(namespace: string): ResourceClient {
    return this.#context.client.resource(serviceAccounts, namespace);
  }

  /** The account that a secret names, if there is one; asks the server when the informer does not know it. */
  async liveAccount(named: NamedAccount, signal: AbortSignal): Promise<ApiObject | undefined> {
    const known = this.accounts.store.get(keyOf(named.namespace, named.name));
    if (isNamed(known, named)) return known;
    const live = await unless(['NotFound'], () =>
      this.accountsOf(named.namespace).get(named.name, {}, signal),
    );
    return isNamed(live, named) ? live : undefined;
  }

  async material(): Promise<TokenMaterial> {
    const { names } = this;
    const { random } = this.#context.env;
    const key = await this.#signingKey();
    const rootCa = await this.rootCertificates?.read();
    return {
      rootCa,
      sign: (account, secretName) => legacyToken(account, secretName, { key, names, random }),
    };
  }
}
