import assert from 'node:assert/strict';
import {
  builtinResources,
  type Client,
  createClient,
  type ResourceClient,
  type Transport,
} from '@orch/client';
import { ApiError, type ApiObject, type Env, type Names } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { persist } from '../../shared/persist.ts';
import { type AdmissionWebhooks, refused } from '../world/admission-webhooks.ts';
import type { StoredChange } from '../world/history.ts';
import { guardConfigurations } from './guard-configurations.ts';
import {
  checkDecision,
  checkStored,
  guardedNamespace,
  limits,
  type Submission,
} from './submission-history.ts';

const OBJECTS = 3;
const VALUES = 300;

interface SubmitterOptions {
  readonly transport: Transport;
  readonly webhooks: AdmissionWebhooks;
}

/** A user who has a namespace guarded by admission webhooks and a policy with parameters, and writes objects there. */
export class Submitter {
  readonly #env: Env;
  readonly #client: Client;
  readonly #webhooks: AdmissionWebhooks;
  readonly #submissions: Submission[] = [];
  #begun = 0;
  /** The acknowledged parameter of the policy. Undefined when it is deleted. */
  #limit: number | undefined = limits[0];
  #turn: Promise<void> = Promise.resolve();

  constructor(env: Env, names: Names, { transport, webhooks }: SubmitterOptions) {
    this.#env = env;
    this.#webhooks = webhooks;
    this.#client = createClient({ transport, names, env, userAgent: 'submitter/1' });
  }

  /** Creates the namespaces, the webhooks and the policy. */
  async install(): Promise<void> {
    const { namespaces, configurations } = guardConfigurations(this.#client);
    for (const [resource, object] of [...namespaces, ...configurations])
      await persist(this.#env.clock, () => resource.create(object).catch(unless(409)));
    await persist(this.#env.clock, () => this.#store(limits[0]));
  }

  /** Writes a few objects, whatever admission says. */
  async submit(choice: number): Promise<void> {
    const random = seededRandom(choice);
    for (let i = 1 + random.int(4); i > 0; i--)
      await this.#submitOne(this.#client, `item-${random.int(OBJECTS)}`, random.int(VALUES));
  }

  /** Changes or deletes the parameter of the policy, after all earlier changes. */
  changeLimit(choice: number): Promise<void> {
    const limit = limits[choice % (limits.length + 1)];
    this.#turn = this.#turn.then(async () => {
      await persist(this.#env.clock, () => this.#store(limit));
      this.#limit = limit;
    });
    return this.#turn;
  }

  /** Checks all earlier writes, and the decisions of each server now that nothing fails. */
  async check(changes: readonly StoredChange[], transports: readonly Transport[]): Promise<void> {
    await this.#turn;
    const { names } = this.#client;
    for (const transport of transports) {
      const client = createClient({ transport, names, env: this.#env, userAgent: 'submitter/1' });
      for (const value of [11, 151, 299, 11 * refused.strict, 11 * refused.lenient]) {
        const { outcome } = await this.#submitOne(client, `item-${OBJECTS}`, value);
        const isAllowed =
          value <= (this.#limit ?? -1) && value % refused.strict !== 0 && value % refused.lenient !== 0;
        const why = `${value} where the policy allows ${this.#limit ?? 'nothing'}: ${JSON.stringify(outcome)}`;
        assert.equal(outcome === 'done', isAllowed, why);
      }
    }
    checkStored(changes, this.#submissions);
  }

  async #submitOne(client: Client, name: string, value: number): Promise<Submission> {
    // Several are under way at once.
    const id = `submission-${this.#begun++}`;
    const startedAt = this.#env.clock.monotonic();
    const object: ApiObject = { metadata: { name }, data: { id, value: String(value) } };
    const outcome = await this.#outcomeOf(client, object);
    const submission = { id, value, startedAt, outcome };
    this.#submissions.push(submission);
    checkDecision(submission, this.#webhooks);
    return submission;
  }

  async #outcomeOf(client: Client, object: ApiObject): Promise<Submission['outcome']> {
    const maps = this.#mapsOf(client, guardedNamespace);
    const { name = '' } = object.metadata;
    try {
      const current = await maps.get(name).catch(unless(404));
      if (current === undefined) await maps.create(object);
      else {
        const { resourceVersion = '' } = current.metadata;
        await maps.update({ ...object, metadata: { name, resourceVersion } });
      }
      return 'done';
    } catch (error) {
      const isRefused = error instanceof ApiError && ![500, 504].includes(error.status.code ?? 500);
      const isOfWebhook = error instanceof ApiError && error.message.includes('failed calling webhook');
      return isRefused || isOfWebhook ? { refusal: error.message } : 'unknown';
    }
  }

  /** Stores the parameter of the policy. */
  async #store(limit: number | undefined): Promise<unknown> {
    const maps = this.#mapsOf(this.#client, 'rules');
    const name = 'limit';
    if (limit === undefined) return maps.delete(name).catch(unless(404));
    const data = { most: String(limit) };
    return (await maps.get(name).catch(unless(404))) === undefined
      ? maps.create({ metadata: { name }, data })
      : maps.patch.merge(name, { data });
  }

  #mapsOf(client: Client, namespace: string): ResourceClient<ApiObject> {
    return client.resource<ApiObject>(builtinResources(client.names).core.v1.configmaps, namespace);
  }
}

/** Nothing for a status that is expected. */
const unless =
  (code: number) =>
  (error: unknown): undefined => {
    if (error instanceof ApiError && error.status.code === code) return undefined;
    throw error;
  };
