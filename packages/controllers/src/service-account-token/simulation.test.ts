import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import type { ModelApi } from '@orch/client/testing';
import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { authorities } from '@orch/pki/x509/testing';
import type { Content, ControllerOptions } from '../options.ts';
import { rootCaController } from '../root-ca/controller.ts';
import { serviceAccountController } from '../service-account/controller.ts';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { tokenAccountsController } from './accounts-controller.ts';
import { referencedSecrets } from './references.ts';
import { tokenSecretsController } from './secrets-controller.ts';
import { TokenInformers } from './token-informers.ts';
import { accountOf, isNamed } from './token-secret.ts';

const SEEDS = 25;
const MANAGERS = 2;
/** All objects must be correct this long after the last fault. */
const CALM_MS = 30_000;
const now = '2024-01-01T00:00:00Z';
const [rootCa] = authorities;
const tokenKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const content = (text: string): Content => ({ origin: 'test', read: async () => text });

const options = (minor: number): ControllerOptions =>
  ({
    release: { major: 1, minor },
    featureGate: () => undefined,
    concurrency: { serviceAccountToken: 2 },
    rootCa: content(rootCa),
  }) as unknown as ControllerOptions;

// Signatures are computed on other threads: with them the order of events would not depend on the seed alone.
const sign = async (claims: JsonObject): Promise<string> =>
  `unsigned.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;

const tokenOf = ({ data }: kinds.core.Secret): string | undefined => data?.['token'];

type Found = ReturnType<ModelApi['objects']['list']>[number];

/**
 * Two independent managers, and users who create and delete the same objects. The names of secrets of users begin with
 * `own`.
 */
class AccountSimulation {
  readonly #simulation: Simulation;
  readonly #generates: boolean;
  #made = 0;

  constructor(seed: number) {
    this.#generates = seed % 2 === 0;
    const given = options(this.#generates ? 20 : 24);
    this.#simulation = new Simulation({
      seed,
      build: (context) => {
        const tokens = new TokenInformers(context, {
          key: content(tokenKey),
          rootCa: content(rootCa),
          sign,
        });
        return [
          serviceAccountController(context),
          rootCaController(context, content(rootCa)),
          tokenSecretsController(context, given, tokens),
          ...(this.#generates ? [tokenAccountsController(context, given, tokens)] : []),
        ];
      },
    });
  }

  async run(steps: number): Promise<void> {
    const { env, api } = this.#simulation;
    this.#put('/namespaces', '', this.#name('ns'), {});
    for (let i = 0; i < MANAGERS; i++) this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass();
    }
    await this.#simulation.calm(CALM_MS);
    this.#compare();
    this.#compareHistory();
    const { revision } = api.objects;
    await env.clock.advanceAsync(90_000);
    assert.equal(api.objects.revision, revision, 'correct objects are not written again');
    while (await this.#simulation.end());
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0], 'no watch and no timer remains');
  }

  async #act(): Promise<void> {
    const { api } = this.#simulation;
    const namespace = this.#any('/namespaces')?.place.name ?? '';
    switch (this.#simulation.random.int(16)) {
      case 0:
        return this.#put('/namespaces', '', this.#name('ns'), {});
      case 1:
        return this.#simulation.cutWatches();
      case 2:
        return api.objects.compact();
      case 3:
        await this.#simulation.end();
        return this.#simulation.begin();
      case 4:
        return this.#remove('/configmaps');
      case 5:
        return this.#forge();
      case 6:
      case 7:
        return this.#remove('/serviceaccounts');
      case 8:
      case 9:
        return this.#remove('/secrets');
      case 10:
      case 11:
        return this.#put('/serviceaccounts', namespace, `account-${this.#simulation.random.int(4)}`, {});
      case 12:
        return this.#relabel();
      default:
        return this.#putSecret(namespace);
    }
  }

  #name = (prefix: string): string => `${prefix}-${this.#made++}`;

  #put(collection: string, namespace: string, name: string, rest: object): void {
    const { objects } = this.#simulation.api;
    const place = { collection, namespace, name };
    if (objects.list(collection).some((one) => one.place.namespace === namespace && one.place.name === name))
      return;
    const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
    objects.create(place, { metadata, ...rest }, now);
  }

  #putSecret(namespace: string): void {
    const { annotations, secretTypes } = this.#simulation.names;
    const name =
      this.#simulation.random.int(2) === 0 ? `own-${this.#simulation.random.int(4)}` : this.#name('own');
    const account =
      ['default', 'nobody', `account-${this.#simulation.random.int(4)}`][this.#simulation.random.int(3)] ??
      '';
    const metadata = { name, namespace, annotations: { [annotations.serviceAccountName]: account } };
    this.#put('/secrets', namespace, name, { metadata, type: secretTypes.serviceAccountToken });
  }

  #any(collection: string): Found | undefined {
    const all = this.#simulation.api.objects.list(collection);
    return all.length === 0 ? undefined : all[this.#simulation.random.int(all.length)];
  }

  #remove(collection: string): void {
    const found = this.#any(collection);
    if (found !== undefined) this.#simulation.api.objects.delete(found.place, {}, now);
  }

  #forge(): void {
    const found = this.#any('/configmaps');
    if (found === undefined) return;
    this.#simulation.api.objects.update(found.place, { ...found.object, data: { 'ca.crt': 'forged' } });
  }

  /** Another client updates an account, so that the cached versions of managers become stale. */
  #relabel(): void {
    const found = this.#any('/serviceaccounts');
    if (found === undefined) return;
    const labels = { turn: String(this.#made++) };
    this.#simulation.api.objects.update(found.place, {
      ...found.object,
      metadata: { ...found.object.metadata, labels },
    });
  }

  #of(collection: string, namespace: string): readonly ApiObject[] {
    return this.#simulation.api.objects
      .list(collection)
      .filter(({ place }) => place.namespace === namespace)
      .map(({ object }) => object);
  }

  #compare(): void {
    const { names } = this.#simulation;
    for (const { place } of this.#simulation.api.objects.list('/namespaces')) {
      const accounts = this.#of('/serviceaccounts', place.name);
      const secrets = this.#of('/secrets', place.name);
      assert.ok(
        accounts.some(({ metadata }) => metadata.name === 'default'),
        place.name,
      );
      const [map, ...others] = this.#of('/configmaps', place.name);
      assert.deepEqual([map?.['data'], others.length], [{ 'ca.crt': rootCa }, 0]);
      const referenced = new Set<string>();
      for (const account of accounts) {
        const references = referencedSecrets(account);
        for (const name of references) referenced.add(name);
        assert.equal(references.length, this.#generates ? 1 : 0, account.metadata.name);
      }
      for (const secret of secrets) {
        const { name = '' } = secret.metadata;
        const named = accountOf(secret, names);
        const owner = accounts.find((account) => named !== undefined && isNamed(account, named));
        assert.ok(owner !== undefined && named?.uid === owner.metadata.uid, `${name} has no account`);
        assert.ok(tokenOf(secret) !== undefined, `${name} has no token`);
        assert.ok(name.startsWith('own') || referenced.has(name), `${name} is not referenced`);
        referenced.delete(name);
      }
      assert.deepEqual([...referenced], [], 'every reference has a token secret');
    }
  }

  /** No secret gets a second token, and no token is in two secrets. */
  #compareHistory(): void {
    const holder = new Map<string, string | undefined>();
    const tokenIn = new Map<string | undefined, string>();
    for (const { place, object } of this.#simulation.api.objects.changes) {
      const token = place.collection === '/secrets' ? tokenOf(object) : undefined;
      if (token === undefined) continue;
      const { uid } = object.metadata;
      assert.equal(tokenIn.get(uid) ?? token, token, `${place.name} has two tokens`);
      assert.equal(holder.get(token) ?? uid, uid, `${place.name} has the token of another secret`);
      tokenIn.set(uid, token);
      holder.set(token, uid);
    }
  }
}

describe('the service account controllers under faults', () => {
  it(
    `every account and secret is correct after the last fault, with one token each (${SEEDS} seeds)`,
    {
      timeout: 170_000,
    },
    () =>
      forSeeds(SEEDS, 'packages/controllers/src/service-account-token/simulation.test.ts', (seed) =>
        new AccountSimulation(seed).run(60),
      ),
  );
});
