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
import type { ApiObject, Names } from '@orch/machinery';
import { type LabelSelector, labelSelectorFromMap } from '@orch/machinery/selectors';
import { ignoreTerminatingNamespace } from '../api/writes.ts';
import { labelIndex, objectsSelected, ownersSelecting, selectorIndex } from '../pods/label-index.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { randomName } from '../pods/template.ts';
import { decideSlices } from './decide.ts';
import { TriggerTimes } from './trigger-times.ts';

type Service = kinds.core.Service;
type Pod = kinds.core.Pod;
type Node = kinds.core.Node;

/** A pod whose node is not known has no endpoint; the service is looked at again. */
const MISSING_NODE_MS = 1000;
const CONCURRENCY = 5;

const selectorOf = ({ spec }: Service): LabelSelector | undefined =>
  spec?.selector === undefined || Object.keys(spec.selector).length === 0 || spec.type === 'ExternalName'
    ? undefined
    : labelSelectorFromMap(spec.selector);

const bySelector = selectorIndex('service-selector', selectorOf);
const byLabels = labelIndex('labels', () => true);

/** The name of a node with its zone. */
function zoneOf(node: Node | undefined, { labels }: Names): readonly (readonly [string, string])[] {
  const zone = node?.metadata.labels?.[labels.topologyZone];
  return zone === undefined || zone === '' ? [] : [[node?.metadata.name ?? '', zone]];
}

/** Keeps the endpoint slices of services with a selector. */
export function endpointSliceController({ client, informers, env }: ControllerContext): Controller {
  const { services, pods, nodes } = typed(client).core.v1;
  const { endpointslices } = typed(client).discovery.v1;
  const { names } = client;
  const informer = informers.informer(services.resource);
  const podInformer = informers.informer(pods.resource);
  const sliceInformer = informers.informer(endpointslices.resource);
  const nodeInformer = informers.informer(nodes.resource);
  const servicesOf = ownersSelecting(informer, bySelector);
  const podsSelected = objectsSelected(podInformer, byLabels);
  const triggerTimes = new TriggerTimes();
  const owned = new OwnedObjects({ informer: sliceInformer, api: endpointslices, owners: services });
  const isManaged = ({ metadata }: ApiObject): boolean =>
    metadata.labels?.[names.labels.endpointSliceManagedBy] === names.controllers.endpointSlice;
  return controller({
    name: 'endpointslice',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer),
      informerSource(podInformer, { keys: (pod) => servicesOf(pod).map(objectKey) }),
      informerSource(sliceInformer, {
        keys: ({ metadata }) => [
          keyOf(metadata.namespace, metadata.labels?.[names.labels.serviceName] ?? ''),
        ],
      }),
      // Nodes are known before the first reconciliation. A change of one leads to none.
      informerSource(nodeInformer, { keys: () => [] }),
    ],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const service = informer.store.get(key);
      if (service === undefined) triggerTimes.forget(key);
      // The garbage collector removes the slices of a service that is gone.
      if (service === undefined || isBeingDeleted(service)) return;
      const { uid, namespace = '', name } = service.metadata;
      if (owned.isBehind(uid)) return { requeueAfterMs: BEHIND_MS };
      const selector = selectorOf(service);
      if (selector === undefined) return;
      const selected = podsSelected(namespace, selector);
      const nodeOf = ({ spec }: Pod): Node | undefined => nodeInformer.store.get(spec?.nodeName ?? '');
      const isPublished = service.spec?.publishNotReadyAddresses === true;
      const isPlaced = (pod: Pod): boolean => isPublished || nodeOf(pod) !== undefined;
      const placed = selected.filter(isPlaced);
      const { create, update, remove } = decideSlices({
        service,
        pods: placed,
        slices: owned.of(uid).filter((slice) => isManaged(slice) && !owned.isEnding(slice)),
        names,
        zones: new Map(placed.flatMap((pod) => zoneOf(nodeOf(pod), names))),
        triggerTime: triggerTimes.next(key, service, selected),
      });
      for (const slice of update) await owned.update(service, slice, signal);
      for (const slice of create) {
        const named = { ...slice, metadata: { ...slice.metadata, name: randomName(name, env.random) } };
        await ignoreTerminatingNamespace(() => owned.create(service, named, signal));
      }
      for (const slice of remove) await owned.remove(slice, signal);
      const isWaiting = selected.some((pod) => pod.spec?.nodeName !== undefined && !isPlaced(pod));
      return isWaiting ? { requeueAfterMs: MISSING_NODE_MS } : undefined;
    },
  });
}
