import {
  type ControllerContext,
  type Informer,
  type InformerSourceOptions,
  informerSource,
  type ObjectKey,
  type Source,
  type TypedResource,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';

/** Versions of a resource, best first, and what is told of the one that is used. */
interface Served<T extends ApiObject> {
  readonly versions: readonly TypedResource<T>[];
  readonly onServed: (version: TypedResource<T>) => void;
  /** Selects events; those of new objects when absent. */
  readonly filter?: InformerSourceOptions<T, ObjectKey>['filter'];
}

const isNew = ({ type }: { readonly type: string }): boolean => type === 'added';

/**
 * Keys of the objects of a resource that some servers do not serve, in the first of its versions that is served.
 * Nothing is requested of the resource until the API service of a version exists: servers create and delete these
 * objects with the versions that they serve.
 */
export function servedSource<T extends ApiObject>(
  { client, informers }: Pick<ControllerContext, 'client' | 'informers'>,
  { versions, onServed, filter = isNew }: Served<T>,
): Source<ObjectKey> {
  const { apiservices } = typed(client).apiregistration.v1;
  const services = versions.map((version) => ({
    version,
    informer: informers.informer(apiservices.resource, {
      metadataOnly: true,
      fieldSelector: `metadata.name=${version.version}.${version.group}`,
    }),
  }));
  let objects: Informer<T> | undefined;
  return {
    async run(add, signal) {
      const ended: Promise<void>[] = [];
      const follow = (version: TypedResource<T>): void => {
        onServed(version);
        objects ??= informers.informer(version);
        ended.push(informerSource(objects, { filter }).run(add, signal));
      };
      const subscriptions = services.map(({ version, informer }) =>
        informer.subscribe(({ type }) => {
          if (type === 'added' && ended.length === 0) follow(version);
        }),
      );
      await aborted(signal);
      for (const unsubscribe of subscriptions) unsubscribe();
      await Promise.all(ended);
    },
    synced: async (signal) => {
      await Promise.all(services.map(({ informer }) => informer.synced(signal)));
      await objects?.synced(signal);
    },
  };
}
