import { customPriority, isCustomGroup } from '@orch/discovery';
import { type ApiObject, jsonEquals, KeyedWork } from '@orch/machinery';
import {
  everythingFilter,
  type InternalResource,
  type ResourceTable,
  type ServedResource,
  type ServerContext,
} from '@orch/registry';
import { ALWAYS, managementOf } from '../api-services/api-service.ts';
import { apiServiceName, correctSpec, localApiService } from './local-api-service.ts';

/** API services that are written at a time. */
const CONCURRENCY = 16;

export interface CustomApiServicesOptions {
  readonly context: ServerContext;
  readonly table: Pick<ResourceTable, 'observe'>;
  /** Resolves when this replica serves every definition that was established before the call. */
  readonly catchUp: (signal: AbortSignal) => Promise<void> | undefined;
}

/** A group version of custom resources, and the number of resources that it has. */
interface CustomGroupVersion {
  readonly group: string;
  readonly version: string;
  resources: number;
}

const never = new AbortController().signal;

/**
 * Keeps an API service for every group version of custom resources: created when its first resource is served, restored when
 * it is changed or deleted, deleted with the last resource. An API service without the label belongs to a user, also one
 * that names an extension API server for a group version of custom resources: that server is used. Every replica runs this,
 * and all of them decide alike: each waits until it has seen the latest definitions before it writes.
 */
export class CustomApiServices {
  readonly #options: CustomApiServicesOptions;
  readonly #resource: InternalResource | undefined;
  readonly #served = new Map<string, CustomGroupVersion>();
  readonly #work: KeyedWork;

  constructor(options: CustomApiServicesOptions) {
    const { env, objects } = options.context;
    this.#options = options;
    this.#resource = objects.resource('apiregistration', 'apiservices');
    this.#work = new KeyedWork({
      env,
      concurrency: CONCURRENCY,
      failed: 'the API service of a custom resource could not be written',
      work: (name, signal) => this.#reconcile(name, signal),
    });
    options.table.observe({
      added: (resource) => this.#count(resource, 1),
      removed: (resource) => this.#count(resource, -1),
    });
  }

  /** Keeps the API services until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const resource = this.#resource;
    if (resource === undefined) return;
    const label = this.#options.context.names.labels.aggregatorAutomanaged;
    const unsubscribe = resource.cache.subscribe({
      changed: (name, object) => {
        if (this.#served.has(name) || object?.labels.labels[label] === ALWAYS) this.#work.add(name);
      },
      replaced: () => this.#addAll(resource, label),
    });
    try {
      this.#addAll(resource, label);
      await this.#work.run(signal);
    } finally {
      unsubscribe();
    }
  }

  #count({ group, groupKey, version }: ServedResource, by: 1 | -1): void {
    if (!isCustomGroup(groupKey)) return;
    const name = apiServiceName({ group, version });
    const known = this.#served.get(name) ?? { group, version, resources: 0 };
    known.resources += by;
    if (known.resources > 0) this.#served.set(name, known);
    else this.#served.delete(name);
    if (known.resources <= 1) this.#work.add(name);
  }

  #addAll({ cache }: InternalResource, label: string): void {
    for (const name of this.#served.keys()) this.#work.add(name);
    const page = cache.list({ scope: { prefix: '' }, filter: everythingFilter }, never);
    // The present is in memory. Before the first load there is none, and a later call comes when it is there.
    if (page instanceof Promise) return;
    for (const { key, labels } of page.objects) if (labels.labels[label] === ALWAYS) this.#work.add(key);
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const resource = this.#resource;
    await this.#options.catchUp(signal);
    const own = { namespace: '', name };
    const wanted = this.#wanted(name);
    const present = resource?.cachedState(own);
    if (present === undefined) {
      if (wanted !== undefined && resource?.isCached(own) === false)
        await resource.create(own, wanted, signal);
      return;
    }
    if (!this.#isOwn(present.object)) return;
    if (wanted === undefined) await resource?.removeAt(own, present.revision, signal);
    else if (resource !== undefined && !jsonEquals(present.object['spec'], wanted['spec']))
      await correctSpec(resource, { wanted, isOwn: (current) => this.#isOwn(current) }, signal);
  }

  #isOwn(object: ApiObject): boolean {
    return managementOf(object, this.#options.context.names) === ALWAYS;
  }

  #wanted(name: string): ApiObject | undefined {
    const served = this.#served.get(name);
    if (served === undefined) return undefined;
    const { group, version } = served;
    const priorities = {
      groupPriorityMinimum: customPriority.group,
      versionPriority: customPriority.version,
    };
    return localApiService({ group, version, ...priorities }, ALWAYS, this.#options.context.names);
  }
}
