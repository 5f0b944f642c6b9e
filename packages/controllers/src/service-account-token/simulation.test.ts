import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { TestClient } from '@orch/client/testing';
import { type ApiObject, isJsonObject } from '@orch/machinery';
import { authorities } from '@orch/pki/x509/testing';
import type { Content, ControllerOptions } from '../options.ts';
import { rootCaController } from '../root-ca/controller.ts';
import { serviceAccountController } from '../service-account/controller.ts';
import { SimulatedManagers } from '../testing/simulated-managers.ts';
import { tokenAccountsController } from './accounts-controller.ts';
import { referencedSecrets } from './references.ts';
import { tokenSecretsController } from './secrets-controller.ts';
import { accountOf, isNamed } from './token-secret.ts';
import { TokenWorld } from './world.ts';

const SEEDS = 50;
const MANAGERS = 2;
/** All must be well this long after the last fault. */
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

const tokenOf = (secret: ApiObject): string | undefined => {
  const token = isJsonObject(secret['data']) ? secret['data']['token'] : undefined;
  return typeof token === 'string' ? token : undefined;
};

type Found = ReturnType<TestClient['api']['objects']['list']>[number];

/**
 * Two managers that know nothing of each other, people who make and delete what they look after, and a network that
 * fails in every way: all by one seed. Secrets that people make begin with `own`.
 */
class AccountSimulation {
  readonly #managers: SimulatedManagers;
  readonly #generates: boolean;
  #made = 0;

  constructor(seed: number) {
    this.#generates = seed % 2 === 0;
    const given = options(this.#generates ? 20 : 24);
    this.#managers = new SimulatedManagers(seed, (context) => {
      const world = new TokenWorld(context, content(tokenKey), content(rootCa));
      return [
        serviceAccountController(context),
        rootCaController(context, content(rootCa)),
        tokenSecretsController(context, given, world),
        ...(this.#generates ? [tokenAccountsController(context, given, world)] : []),
      ];
    });
  }

  get #test(): TestClient {
    return this.#managers.test;
  }

  async run(steps: number): Promise<void> {
    const { env, api } = this.#test;
    this.#put('/namespaces', '', this.#name('ns'), {});
    for (let i = 0; i < MANAGERS; i++) this.#managers.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#managers.pass();
    }
    await this.#managers.calm(CALM_MS);
    this.#compare();
    this.#compareHistory();
    const { revision } = api.objects;
    await env.clock.advanceAsync(90_000);
    assert.equal(api.objects.revision, revision, 'what is right is not written again');
    while (await this.#managers.end());
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0], 'nothing is left behind');
  }

  async #act(): Promise<void> {
    const { api } = this.#test;
    const namespace = this.#any('/namespaces')?.place.name ?? '';
    switch (this.#managers.random.int(16)) {
      case 0:
        return this.#put('/namespaces', '', this.#name('ns'), {});
      case 1:
        return this.#managers.cutWatches();
      case 2:
        return api.objects.compact();
      case 3:
        await this.#managers.end();
        return this.#managers.begin();
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
        return this.#put('/serviceaccounts', namespace, `account-${this.#managers.random.int(4)}`, {});
      case 12:
        return this.#relabel();
      default:
        return this.#putSecret(namespace);
    }
  }

  #name = (prefix: string): string => `${prefix}-${this.#made++}`;

  #put(collection: string, namespace: string, name: string, rest: object): void {
    const { objects } = this.#test.api;
    const place = { collection, namespace, name };
    if (objects.list(collection).some((one) => one.place.namespace === namespace && one.place.name === name))
      return;
    const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
    objects.create(place, { metadata, ...rest }, now);
  }

  #putSecret(namespace: string): void {
    const { annotations, secretTypes } = this.#test.client.names;
    const name =
      this.#managers.random.int(2) === 0 ? `own-${this.#managers.random.int(4)}` : this.#name('own');
    const account =
      ['default', 'nobody', `account-${this.#managers.random.int(4)}`][this.#managers.random.int(3)] ?? '';
    const metadata = { name, namespace, annotations: { [annotations.serviceAccountName]: account } };
    this.#put('/secrets', namespace, name, { metadata, type: secretTypes.serviceAccountToken });
  }

  #any(collection: string): Found | undefined {
    const all = this.#test.api.objects.list(collection);
    return all.length === 0 ? undefined : all[this.#managers.random.int(all.length)];
  }

  #remove(collection: string): void {
    const found = this.#any(collection);
    if (found !== undefined) this.#test.api.objects.delete(found.place, {}, now);
  }

  #forge(): void {
    const found = this.#any('/configmaps');
    if (found === undefined) return;
    this.#test.api.objects.update(found.place, { ...found.object, data: { 'ca.crt': 'forged' } });
  }

  /** Somebody else writes an account, so that managers read what is about to change. */
  #relabel(): void {
    const found = this.#any('/serviceaccounts');
    if (found === undefined) return;
    const labels = { turn: String(this.#made++) };
    const { object } = found;
    this.#test.api.objects.update(found.place, { ...object, metadata: { ...object.metadata, labels } });
  }

  #of(collection: string, namespace: string): readonly ApiObject[] {
    return this.#test.api.objects
      .list(collection)
      .filter(({ place }) => place.namespace === namespace)
      .map(({ object }) => object);
  }

  #compare(): void {
    const { names } = this.#test.client;
    for (const { place } of this.#test.api.objects.list('/namespaces')) {
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
        assert.ok(owner !== undefined && named?.uid === owner.metadata.uid, `${name} is of nobody`);
        assert.ok(tokenOf(secret) !== undefined, `${name} has no token`);
        assert.ok(name.startsWith('own') || referenced.has(name), `${name} is left over`);
        referenced.delete(name);
      }
      assert.deepEqual([...referenced], [], 'every reference leads to a token');
    }
  }

  /** A secret never gets a second token, and no token ever stands in two secrets. */
  #compareHistory(): void {
    const holder = new Map<string, string | undefined>();
    const tokenIn = new Map<string | undefined, string>();
    for (const { place, object } of this.#test.api.objects.changes) {
      const token = place.collection === '/secrets' ? tokenOf(object) : undefined;
      if (token === undefined) continue;
      const { uid } = object.metadata;
      assert.equal(tokenIn.get(uid) ?? token, token, `${place.name} was given two tokens`);
      assert.equal(holder.get(token) ?? uid, uid, `${place.name} holds the token of another`);
      tokenIn.set(uid, token);
      holder.set(token, uid);
    }
  }
}

describe('accounts and their tokens, simulated', () => {
  const only = /^--seed=(\d+)$/.exec(process.argv.at(-1) ?? '')?.[1];
  const seeds = only === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(only)];
  it(`are right in the end, each token issued once (${seeds.length} seeds)`, {
    timeout: 170_000,
  }, async () => {
    for (const seed of seeds) {
      try {
        await new AccountSimulation(seed).run(60);
      } catch (error) {
        const replay = `scripts/node packages/controllers/src/service-account-token/simulation.test.ts --seed=${seed}`;
        throw new Error(`seed ${seed}; again: ${replay}`, { cause: error });
      }
    }
  });
});
