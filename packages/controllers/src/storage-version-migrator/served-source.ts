import {
  type ControllerContext,
  type Informer,
  informerSource,
  type ObjectKey,
  type Source,
  type TypedResource,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';

/**
 * Keys of the new objects of a resource that servers serve only on request. Nothing is requested of the resource until
 * the API service of its version exists: servers create and delete these objects with the versions that they serve.
 */
export function servedSource<T extends ApiObject>(
  { client, informers }: Pick<ControllerContext, 'client' | 'informers'>,
  resource: TypedResource<T>,
): Source<ObjectKey> {
  const { apiservices } = typed(client).apiregistration.v1;
  const services = informers.informer(apiservices.resource, {
    metadataOnly: true,
    fieldSelector: `metadata.name=${resource.version}.${resource.group}`,
  });
  let objects: Informer<T> | undefined;
  return {
    async run(add, signal) {
      const ended: Promise<void>[] = [];
      const follow = (): void => {
        objects ??= informers.informer(resource);
        const isNew = ({ type }: { readonly type: string }): boolean => type === 'added';
        ended.push(informerSource(objects, { filter: isNew }).run(add, signal));
      };
      const unsubscribe = services.subscribe(({ type }) => {
        if (type === 'added' && ended.length === 0) follow();
      });
      await aborted(signal);
      unsubscribe();
      await Promise.all(ended);
    },
    synced: async (signal) => {
      await services.synced(signal);
      await objects?.synced(signal);
    },
  };
}
