import { customPriority, isCustomGroup } from '@orch/discovery';
import type { APIService } from '@orch/kinds/apiregistration';
import { jsonEquals } from '@orch/machinery/json';
import {
  type InternalResource,
  ObjectLoop,
  type ResourceTable,
  type ServedResource,
  type ServerContext,
} from '@orch/registry';
import { ALWAYS, managementOf } from '../api-services/api-service.ts';
import { apiServiceName, correctSpec, localApiService } from './local-api-service.ts';

/** API services that are written at a time. */
const WORKERS = 16;

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

/**
 * Keeps an API service for every group version of custom resources: created when its first resource is served, restored when
 * it is changed or deleted, deleted with the last resource. An API service without the label belongs to a user, also one
 * that names an extension API server for a group version of custom resources: that server is used. Every replica runs this,
 * and all of them decide alike: each waits until it has seen the latest definitions before it writes.
 */
export class CustomApiServices {
  readonly #options: CustomApiServicesOptions;
  readonly #resource: InternalResource<APIService> | undefined;
  readonly #served = new Map<string, CustomGroupVersion>();
  readonly #loop: ObjectLoop;

  constructor(options: CustomApiServicesOptions) {
    const { env, objects, names } = options.context;
    const label = names.labels.aggregatorAutomanaged;
    this.#options = options;
    this.#resource = objects.resource('apiregistration', 'apiservices');
    this.#loop = new ObjectLoop({
      env,
      name: 'custom_api_services',
      resource: this.#resource,
      includes: (name, object) => this.#served.has(name) || object?.labels.labels[label] === ALWAYS,
      known: () => this.#served.keys(),
      workers: WORKERS,
      failed: 'the API service of a custom resource could not be written',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    options.table.observe({
      added: (resource) => this.#count(resource, 1),
      removed: (resource) => this.#count(resource, -1),
    });
  }

  /** Keeps the API services until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  #count({ group, groupKey, version }: ServedResource, by: 1 | -1): void {
    if (!isCustomGroup(groupKey)) return;
    const name = apiServiceName({ group, version });
    const known = this.#served.get(name) ?? { group, version, resources: 0 };
    known.resources += by;
    if (known.resources > 0) this.#served.set(name, known);
    else this.#served.delete(name);
    if (known.resources <= 1) this.#loop.add(name);
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
    else if (resource !== undefined && !jsonEquals(present.object.spec, wanted.spec))
      await correctSpec(resource, { wanted, isOwn: (current) => this.#isOwn(current) }, signal);
  }

  #isOwn(object: APIService): boolean {
    return managementOf(object, this.#options.context.names) === ALWAYS;
  }

  #wanted(name: string): APIService | undefined {
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
