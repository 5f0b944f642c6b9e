import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  objectKey,
  type Reconciled,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { labelSelectorFromMap } from '@orch/machinery/selectors';
import { ignoreTerminatingNamespace } from '../api/writes.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { randomName } from '../pods/template.ts';
import { decideSlices } from './decide.ts';

type Service = kinds.core.Service;

const CONCURRENCY = 5;
const INDEX = 'endpointslice-namespace';
const byNamespace = ({ metadata }: ApiObject): readonly string[] => [metadata.namespace ?? ''];

const selectorOf = ({ spec }: Service): Readonly<Record<string, string>> | undefined =>
  spec?.selector === undefined || Object.keys(spec.selector).length === 0 || spec.type === 'ExternalName'
    ? undefined
    : spec.selector;

function selects(service: Service, labels: Readonly<Record<string, string>> | undefined): boolean {
  const wanted = selectorOf(service);
  return wanted !== undefined && labelSelectorFromMap(wanted).matches(labels);
}

/** Keeps the endpoint slices of services with a selector. */
export function endpointSliceController({ client, informers, env }: ControllerContext): Controller {
  const { services, pods } = typed(client).core.v1;
  const { endpointslices } = typed(client).discovery.v1;
  const { names } = client;
  const informer = informers.informer(services.resource, { indexes: { [INDEX]: byNamespace } });
  const podInformer = informers.informer(pods.resource, { indexes: { [INDEX]: byNamespace } });
  const sliceInformer = informers.informer(endpointslices.resource);
  const owned = new OwnedObjects({ informer: sliceInformer, api: endpointslices, owners: services });
  const isManaged = ({ metadata }: ApiObject): boolean =>
    metadata.labels?.[names.labels.endpointSliceManagedBy] === names.controllers.endpointSlice;
  return controller({
    name: 'endpointslice',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer),
      informerSource(podInformer, {
        keys: ({ metadata }) =>
          informer.store
            .byIndex(INDEX, metadata.namespace ?? '')
            .filter((service) => selects(service, metadata.labels))
            .map(objectKey),
      }),
      informerSource(sliceInformer, {
        keys: ({ metadata }) => [
          keyOf(metadata.namespace, metadata.labels?.[names.labels.serviceName] ?? ''),
        ],
      }),
    ],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const service = informer.store.get(key);
      // The garbage collector removes the slices of a service that is gone.
      if (service === undefined || isBeingDeleted(service)) return;
      const { uid, namespace = '', name } = service.metadata;
      if (owned.isBehind(uid)) return { requeueAfterMs: BEHIND_MS };
      const labels = selectorOf(service);
      if (labels === undefined) return;
      const selector = labelSelectorFromMap(labels);
      const selected = podInformer.store
        .byIndex(INDEX, namespace)
        .filter((pod) => selector.matches(pod.metadata.labels));
      const slices = owned.of(uid).filter((slice) => isManaged(slice) && !owned.isEnding(slice));
      const { create, update, remove } = decideSlices({ service, pods: selected, slices, names });
      for (const slice of update) await owned.update(service, slice, signal);
      for (const slice of create) {
        const named = { ...slice, metadata: { ...slice.metadata, name: randomName(name, env.random) } };
        await ignoreTerminatingNamespace(() => owned.create(service, named, signal));
      }
      for (const slice of remove) await owned.remove(slice, signal);
      return undefined;
    },
  });
}
