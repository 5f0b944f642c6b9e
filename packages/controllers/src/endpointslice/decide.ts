import { type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { stableText } from '../pods/template.ts';
import { type AddressType, addressTypesOf, endpointOf, portsOf } from './endpoints.ts';
import { withHints } from './hints.ts';

type Service = Stored<kinds.core.Service>;
type Pod = kinds.core.Pod;
type Slice = kinds.discovery.EndpointSlice;
type Endpoint = kinds.discovery.Endpoint;
type EndpointPort = kinds.discovery.EndpointPort;

/** Endpoints of one slice. */
export const MAX_ENDPOINTS = 100;

export interface SliceDecision {
  /** Without names. */
  readonly create: readonly Slice[];
  readonly update: readonly Stored<Slice>[];
  readonly remove: readonly Stored<Slice>[];
}

export interface SliceState {
  readonly service: Service;
  /** The pods that it selects. */
  readonly pods: readonly Pod[];
  /** Its slices that this controller manages. */
  readonly slices: readonly Stored<Slice>[];
  readonly names: Names;
  /** By the name of a node, its zone. */
  readonly zones?: ReadonlyMap<string, string>;
  /** When the change happened that leads to this decision. */
  readonly triggerTime?: string | undefined;
}

/** Endpoints with the same type and ports share slices. */
interface Group {
  readonly type: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

const keyOf = (type: string, ports: readonly EndpointPort[] | null | undefined): string =>
  `${type} ${stableText([...(ports ?? [])].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)))}`;
const uidOf = ({ targetRef }: Endpoint): string => targetRef?.uid ?? '';

/** The changes that make the slices of a service those of its pods. Slices without a change are not written. */
export function decideSlices(state: SliceState): SliceDecision {
  const { service, slices, names } = state;
  const groups = groupsOf(state);
  const labels = labelsOf(service, names);
  const create: Slice[] = [];
  const update: Stored<Slice>[] = [];
  const remove: Stored<Slice>[] = [];
  for (const [key, group] of groups) {
    const own = slices.filter((slice) => keyOf(slice.addressType, slice.ports) === key);
    const filled = fill(own, group);
    for (const { slice, endpoints } of filled.kept) {
      if (endpoints.length === 0 && own.length > 1) remove.push(slice);
      else if (!jsonEquals(endpoints, slice.endpoints ?? []) || !hasLabels(slice, labels))
        update.push({
          ...slice,
          metadata: { ...slice.metadata, labels, ...timeOf(slice, state) },
          endpoints: [...endpoints],
        });
    }
    for (const endpoints of filled.added) create.push(newSlice(state, { group, endpoints, labels }));
  }
  for (const slice of slices) if (!groups.has(keyOf(slice.addressType, slice.ports))) remove.push(slice);
  return withReused({ create, update, remove });
}

/** Slices that are removed become new ones of their type where there are such, so that no watcher misses the service meanwhile. */
function withReused({ create, update, remove }: SliceDecision): SliceDecision {
  const left = [...create];
  const reused: Stored<Slice>[] = [];
  const rest = remove.filter(({ addressType, apiVersion, kind, metadata }) => {
    const index = left.findIndex((slice) => slice.addressType === addressType);
    const [slice] = index < 0 ? [] : left.splice(index, 1);
    if (slice === undefined) return true;
    const { labels = {}, annotations = {} } = slice.metadata;
    reused.push({ ...slice, apiVersion, kind, metadata: { ...metadata, labels, annotations } });
    return false;
  });
  return { create: left, update: [...update, ...reused], remove: rest };
}

/** The annotations of a slice with the time of the change that led to it, if it is known. */
function timeOf(
  { metadata }: Pick<Slice, 'metadata'>,
  { names, triggerTime }: SliceState,
): { readonly annotations: Record<string, string> } {
  const key = names.annotations.endpointsLastChangeTriggerTime;
  const { [key]: _, ...others } = metadata.annotations ?? {};
  return { annotations: triggerTime === undefined ? others : { ...others, [key]: triggerTime } };
}

function groupsOf({ service, pods, names, zones }: SliceState): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const type of addressTypesOf(service)) {
    let isEmpty = true;
    for (const pod of pods) {
      const found = endpointOf(pod, service, type, zones?.get(pod.spec?.nodeName ?? ''));
      if (found === undefined) continue;
      const endpoint = withHints(found, service, names);
      const ports = portsOf(service, pod);
      const key = keyOf(type, ports);
      const group = groups.get(key) ?? { type, ports, endpoints: new Map<string, Endpoint>() };
      group.endpoints.set(uidOf(endpoint), endpoint);
      groups.set(key, group);
      isEmpty = false;
    }
    // A slice without endpoints shows that the service has none.
    if (isEmpty) groups.set(keyOf(type, []), { type, ports: [], endpoints: new Map() });
  }
  return groups;
}

interface Filled {
  readonly kept: readonly { readonly slice: Stored<Slice>; readonly endpoints: readonly Endpoint[] }[];
  readonly added: readonly (readonly Endpoint[])[];
}

/** Endpoints stay in their slices; further ones go to slices that change anyway, then to others with room, then to new ones. */
function fill(slices: readonly Stored<Slice>[], { endpoints }: Group): Filled {
  const left = new Map(endpoints);
  const kept = slices.map((slice) => {
    const own: Endpoint[] = [];
    for (const old of slice.endpoints ?? []) {
      const next = left.get(uidOf(old));
      if (next === undefined) continue;
      left.delete(uidOf(old));
      own.push(next);
    }
    return { slice, endpoints: own, isChanged: !jsonEquals(own, slice.endpoints ?? []) };
  });
  const rest = [...left.values()];
  for (const { endpoints: own } of [...kept].sort((a, b) => Number(b.isChanged) - Number(a.isChanged)))
    own.push(...rest.splice(0, Math.max(0, MAX_ENDPOINTS - own.length)));
  const added: Endpoint[][] = [];
  while (rest.length > 0) added.push(rest.splice(0, MAX_ENDPOINTS));
  if (kept.length + added.length === 0) added.push([]);
  return { kept, added };
}

function labelsOf({ metadata, spec }: Service, { labels, controllers }: Names): Record<string, string> {
  const { [labels.headlessService]: _, ...own } = metadata.labels ?? {};
  return {
    ...own,
    [labels.serviceName]: metadata.name,
    [labels.endpointSliceManagedBy]: controllers.endpointSlice,
    ...(['', 'None'].includes(spec?.clusterIP ?? '') && { [labels.headlessService]: '' }),
  };
}

const hasLabels = ({ metadata }: Slice, labels: Readonly<Record<string, string>>): boolean =>
  jsonEquals(metadata.labels ?? {}, labels);

interface NewSlice {
  readonly group: Group;
  readonly endpoints: readonly Endpoint[];
  readonly labels: Record<string, string>;
}

function newSlice(state: SliceState, { group, endpoints, labels }: NewSlice): Slice {
  const { service, names } = state;
  const { namespace, name } = service.metadata;
  return {
    apiVersion: names.apiVersion('discovery', 'v1'),
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      labels,
      ...timeOf({ metadata: {} }, state),
      ownerReferences: [ownerReferenceTo(service)],
    },
    addressType: group.type,
    ports: [...group.ports],
    endpoints: [...endpoints],
  };
}
