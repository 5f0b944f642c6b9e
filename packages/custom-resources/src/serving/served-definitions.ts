import { createHash } from 'node:crypto';
import type { ServedType } from '@orch/apis';
import type { OpenWebhook } from '@orch/auth';
import type { CachedResource, WatchCache } from '@orch/cache';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { Env, Names } from '@orch/machinery';
import { encodeJson } from '@orch/machinery/json';
import { cacheNameOf, type DynamicResource, type DynamicResources } from '@orch/registry';
import { hasCondition } from '../definition/condition.ts';
import { customResource } from '../kind/custom-resource-type.ts';
import { type ConversionDurations, conversionMetrics } from '../webhook/conversion-metrics.ts';
import { conversionWebhook } from '../webhook/conversion-webhook.ts';
import { WebhookConverter } from '../webhook/webhook-converter.ts';
import { type CatchUp, DefinitionGuard, type KnownDefinition } from './definition-guard.ts';
import { cacheIdentity, servedType } from './served-type.ts';

export interface ServedDefinitionsOptions {
  readonly names: Names;
  readonly cache: WatchCache;
  readonly dynamic: DynamicResources;
  /** Decodes the objects of a resource for the cache. */
  readonly cachedResourceOf: (type: ServedType) => CachedResource;
  readonly env: Pick<Env, 'clock' | 'metrics' | 'random'>;
  /** The caller of conversion webhooks. */
  readonly openWebhook: OpenWebhook;
  readonly catchUp: CatchUp;
}

const never = new AbortController().signal;

/** A served definition. The identities show which parts of it changed. */
interface Served {
  readonly cacheName: string;
  readonly resource: DynamicResource;
  readonly cacheHash: string;
  readonly identity: string;
  readonly guard: DefinitionGuard;
  /** Lives as long as the cache of the resource, whose loaded objects it tracks. */
  readonly converter: WebhookConverter | undefined;
}

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(encodeJson(value as object))
    .digest('base64');

/** Changes with everything that the served resource depends on: the generation counts changes of the spec. */
const identityOf = (definition: CustomResourceDefinition): string => {
  const { uid, generation, deletionTimestamp } = definition.metadata;
  const { acceptedNames = null } = definition.status ?? {};
  return JSON.stringify([uid, generation, deletionTimestamp !== undefined, acceptedNames]);
};

/**
 * Installs the resources of established definitions in the registry and in the watch cache, and removes them. All
 * methods take effect before they return; requests for a resource wait until its objects are loaded.
 */
export class ServedDefinitions {
  readonly #options: ServedDefinitionsOptions;
  readonly #served = new Map<string, Served>();
  readonly #durationsOf: (definition: string) => ConversionDurations;

  constructor(options: ServedDefinitionsOptions) {
    this.#options = options;
    this.#durationsOf = conversionMetrics(options.env.metrics, options.env.clock);
  }

  has(name: string): boolean {
    return this.#served.has(name);
  }

  /** Number of definitions whose resources are served. */
  get size(): number {
    return this.#served.size;
  }

  /** Serves the current definition; removes its resource when it is not established. `key` is that of the store. */
  apply(known: KnownDefinition, key: string): void {
    const { object: definition } = known;
    const { name = '', uid } = definition.metadata;
    if (!hasCondition(definition, 'Established', 'True')) {
      this.remove(name);
      return;
    }
    const old = this.#served.get(name);
    const identity = identityOf(definition);
    const guard =
      old?.guard.uid === uid && old !== undefined
        ? old.guard
        : new DefinitionGuard(key, known, this.#options.catchUp);
    guard.update(known);
    if (old?.identity === identity) return;
    if (old?.guard !== guard) old?.guard.update(undefined);
    const custom = customResource(definition, this.#options.names);
    const cacheHash = hashOf(cacheIdentity(definition, custom));
    const sameCache = old?.cacheHash === cacheHash;
    const converter = sameCache ? old.converter : this.#converterOf(name, definition);
    const served = servedType(definition, custom, { converter, writeGuard: guard });
    if (served === undefined) {
      this.remove(name);
      return;
    }
    const type: ServedType = { ...served, readAs: cacheHash };
    const cacheName = cacheNameOf(type);
    if (!sameCache) {
      if (old !== undefined) this.#options.cache.removeResource(old.cacheName);
      this.#load(type);
    }
    const resource = this.#options.dynamic.replace(old?.resource, type);
    this.#served.set(name, { cacheName, resource, cacheHash, identity, guard, converter });
    if (!sameCache) old?.converter?.[Symbol.dispose]();
  }

  remove(name: string): void {
    const old = this.#served.get(name);
    if (old === undefined) return;
    this.#served.delete(name);
    old.guard.update(undefined);
    this.#options.dynamic.replace(old.resource, undefined);
    this.#options.cache.removeResource(old.cacheName);
    old.converter?.[Symbol.dispose]();
  }

  #converterOf(name: string, definition: CustomResourceDefinition): WebhookConverter | undefined {
    const { env, names, openWebhook } = this.#options;
    const webhook = conversionWebhook(definition);
    if (webhook === undefined) return undefined;
    const { clock, random } = env;
    const call = openWebhook(webhook.address);
    return new WebhookConverter({ names, clock, random, webhook, call, durations: this.#durationsOf(name) });
  }

  /** Requests for the resource wait for its load and report its failure. */
  #load(type: ServedType): void {
    const { cache, cachedResourceOf } = this.#options;
    cache.addResource(cachedResourceOf(type), never).catch(() => undefined);
  }
}
