import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '../types.ts';

/** Volumes of clouds that are attached to nodes of the same zone. */
const zonalSources = [
  'awsElasticBlockStore',
  'gcePersistentDisk',
  'azureDisk',
  'cinder',
  'vsphereVolume',
] as const;

/** Separator of the zones of a replicated volume. */
const ZONE_SEPARATOR = '__';

/**
 * `PersistentVolumeLabel`: pods with a new volume of a cloud run in the zone and region of the labels of the volume.
 * Unlike in-tree cloud providers, this server does not query a cloud for the zone: volumes without labels are not
 * changed.
 */
export function persistentVolumeLabel({ names }: { readonly names: Names }): AdmissionPlugin {
  const { topologyZone, topologyRegion, failureDomainZone, failureDomainRegion } = names.labels;
  const topologies: readonly Topology[] = [
    { zone: topologyZone, region: topologyRegion },
    { zone: failureDomainZone, region: failureDomainRegion },
  ];
  return {
    name: 'PersistentVolumeLabel',
    handles: writesOf('', 'persistentvolumes', 'CREATE'),
    mutate: (write) => addAffinity(write, topologies),
  };
}

/** Keys of the labels of a zone and its region. */
interface Topology {
  readonly zone: string;
  readonly region: string;
}

function addAffinity({ object }: AdmissionAttributes, topologies: readonly Topology[]): Refusal | undefined {
  const volume = object as Draft<PersistentVolume> | undefined;
  const spec = volume?.spec;
  if (spec === undefined || zonalSources.every((source) => spec[source] === undefined)) return undefined;
  const labels = new Map(Object.entries(volume?.metadata?.labels ?? {}));
  const required = requirementsOf(labels, topologies);
  if (typeof required === 'string') return required;
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  if (required.length === 0 || hasAnyKey(terms, required)) return undefined;
  spec.nodeAffinity = {
    required: {
      nodeSelectorTerms: (terms.length === 0 ? [{}] : terms).map((term) => extended(term, required)),
    },
  };
  return undefined;
}

const extended = (
  { matchExpressions = [], ...term }: NodeSelectorTerm,
  required: readonly NodeSelectorRequirement[],
): NodeSelectorTerm => ({ ...term, matchExpressions: [...matchExpressions, ...required] });

/** An affinity of the volume for the same labels takes precedence. */
const hasAnyKey = (
  terms: readonly NodeSelectorTerm[],
  required: readonly NodeSelectorRequirement[],
): boolean =>
  terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ key }) => required.some((requirement) => requirement.key === key)),
  );

/** The first topology of which a volume has both labels, or else any. */
function requirementsOf(
  labels: ReadonlyMap<string, string>,
  topologies: readonly Topology[],
): readonly NodeSelectorRequirement[] | Refusal {
  const { zone, region } =
    topologies.find((keys) => labels.has(keys.zone) && labels.has(keys.region)) ??
    topologies.find((keys) => labels.has(keys.zone) || labels.has(keys.region)) ??
    {};
  const zones = [...new Set(valuesOf(labels, zone).flatMap((value) => value.split(ZONE_SEPARATOR)))];
  if (zones.includes(''))
    return `failed to convert label string for Zone: ${valuesOf(labels, zone).join()} to a Set`;
  return [requirement(zone, zones.toSorted()), requirement(region, valuesOf(labels, region))].flat();
}

const valuesOf = (labels: ReadonlyMap<string, string>, key = ''): readonly string[] => {
  const value = labels.get(key);
  return value === undefined ? [] : [value];
};

const requirement = (
  key: string | undefined,
  values: readonly string[],
): readonly NodeSelectorRequirement[] =>
  key === undefined || values.length === 0 ? [] : [{ key, operator: 'In', values }];
