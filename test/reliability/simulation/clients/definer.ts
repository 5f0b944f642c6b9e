import assert from 'node:assert/strict';
import { type Client, createClient, type Resource, type ResourceClient, type Transport } from '@orch/client';
import { ApiError, type ApiObject, type Env, type Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { seededRandom } from '@orch/machinery/testing';
import { persist } from '../../shared/persist.ts';
import { sizeOf, specOf } from '../world/conversion-webhook.ts';

const GROUP = 'simulated.example.com';
const OBJECTS = 4;
const ESTABLISHED_MS = 6000;
const never = new AbortController().signal;

const versions = ['v1', 'v2'] as const;
type Version = (typeof versions)[number];

const fields: Readonly<Record<Version, object>> = {
  v1: { size: { type: 'integer' } },
  v2: { digits: { type: 'string' } },
};

const definitionOf = (names: Names): ApiObject => ({
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: versions.map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: fields[name] } },
        },
      },
    })),
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { url: `https://conversion.example.com/${names.naming}` },
        conversionReviewVersions: ['v1'],
      },
    },
  },
});

/** A user who defines a custom resource with two versions, deletes the definition, and writes objects through both versions. */
export class Definer {
  readonly #env: Env;
  readonly #client: Client;
  /** Acknowledged sizes of objects, by name. */
  readonly #sizes = new Map<string, number>();
  #isDefined = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(env: Env, names: Names, transport: Transport) {
    this.#env = env;
    this.#client = createClient({ transport, names, env, userAgent: 'definer/1' });
  }

  /** Writes objects, after all earlier acts. The definition exists then. */
  write(choice: number): Promise<void> {
    return this.#next(async () => {
      await this.#define();
      const random = seededRandom(choice);
      for (let i = 1 + random.int(3); i > 0; i--) {
        const version = versions[random.int(2)] ?? 'v1';
        await this.#put(version, `widget-${random.int(OBJECTS)}`, random.int(1_000_000));
      }
    });
  }

  /** Deletes the definition, with all objects, after all earlier acts. */
  undefine(): Promise<void> {
    return this.#next(async () => {
      if (!this.#isDefined) return;
      const { name = '' } = definitionOf(this.#client.names).metadata;
      await persist(this.#env.clock, async () => {
        await this.#definitions.delete(name).catch(unless(404));
        const found = await this.#definitions.get(name).catch(unless(404));
        if (found !== undefined) throw new Error('the definition is being deleted');
      });
      this.#isDefined = false;
      this.#sizes.clear();
    });
  }

  /** Checks that each server has all acknowledged objects in both versions. */
  async check(transports: readonly Transport[]): Promise<void> {
    await this.#next(() => this.#define());
    // Each server serves the resource soon after its definition.
    await sleep(this.#env.clock, ESTABLISHED_MS, never);
    for (const transport of transports)
      for (const version of versions) {
        const { names } = this.#client;
        const client = createClient({ transport, names, env: this.#env, userAgent: 'definer/1' });
        const { items } = await this.#objects(version, client).list();
        const found = items.map((item): [string, number] => [item.metadata.name ?? '', sizeOf(item)]);
        assert.deepEqual(
          new Map(found.sort()),
          new Map([...this.#sizes].sort()),
          `custom objects in ${version}`,
        );
      }
  }

  #next(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act);
    return this.#turn;
  }

  get #definitions(): ResourceClient<ApiObject> {
    return this.#client.resource<ApiObject>({
      group: this.#client.names.group('apiextensions'),
      version: 'v1',
      resource: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
      namespaced: false,
    });
  }

  #objects(version: Version, client = this.#client): ResourceClient<ApiObject> {
    const resource: Resource = {
      group: GROUP,
      version,
      resource: 'widgets',
      kind: 'Widget',
      namespaced: true,
    };
    return client.resource<ApiObject>(resource, 'default');
  }

  async #define(): Promise<void> {
    if (this.#isDefined) return;
    await persist(this.#env.clock, async () => {
      await this.#definitions.create(definitionOf(this.#client.names)).catch(unless(409));
    });
    this.#isDefined = true;
  }

  /** Writes an object through a version until that is acknowledged. A server that does not know the resource yet answers with 404. */
  #put(version: Version, name: string, size: number): Promise<void> {
    const objects = this.#objects(version);
    return persist(this.#env.clock, async () => {
      const current = await this.#objects('v1').get(name).catch(unless(404));
      const spec = specOf(version, size);
      if (current === undefined) await objects.create({ metadata: { name }, spec });
      else {
        const { resourceVersion = '' } = current.metadata;
        await objects.update({ metadata: { name, resourceVersion }, spec });
      }
      this.#sizes.set(name, size);
    });
  }
}

/** Nothing for a status that is expected. */
const unless =
  (code: number) =>
  (error: unknown): undefined => {
    if (error instanceof ApiError && error.status.code === code) return undefined;
    throw error;
  };
