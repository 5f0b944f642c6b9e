import type { PersistentVolume, Pod } from '@orch/kinds/core';
import type { Clock, HistogramSeries, Metrics, Names } from '@orch/machinery';
import type { ObjectSource, SourceObject } from '../object-source.ts';
import { podReferences, type VolumeReferences, volumeReferences } from './pod-references.ts';

/** The inputs of the graph. */
export interface NodeGraphParts {
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Metrics;
}

const buckets = [
  0.0001, 0.0002, 0.0004, 0.0008, 0.0016, 0.0032, 0.0064, 0.0128, 0.0256, 0.0512, 0.1024, 0.2048,
];

type Action = 'AddPod' | 'DeletePod' | 'AddPV' | 'DeletePV';

interface PlacedPod {
  readonly node: string;
  readonly references: readonly string[];
}

/**
 * The objects that the pods of each node refer to: their secrets, config maps, claims and service accounts, the volumes
 * of their claims, and the secrets of those volumes. Updated with every change of a pod or volume; a lookup takes
 * constant time.
 */
export class NodeGraph {
  readonly #source: ObjectSource;
  readonly #mirror: string;
  readonly #pods = new Map<string, PlacedPod>();
  /** Number of pods of a node that refer to an object. */
  readonly #users = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, VolumeReferences>();
  readonly #volumesOfSecret = new Map<string, Set<string>>();

  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #durations: Readonly<Record<Action, HistogramSeries>>;

  /** Follows the source from now on. */
  constructor(source: ObjectSource, { names, clock, metrics }: NodeGraphParts) {
    this.#source = source;
    this.#clock = clock;
    this.#durations = durationsOf(metrics);
    this.#mirror = names.annotations.configMirror;
    source.subscribe('pods', {
      reset: (objects) => {
        this.#pods.clear();
        this.#users.clear();
        for (const object of objects) this.#pod(object.key, object);
      },
      changed: (key, object) => this.#pod(key, object),
    });
    source.subscribe('persistentvolumes', {
      reset: (objects) => {
        this.#volumes.clear();
        this.#volumesOfSecret.clear();
        for (const object of objects) this.#volume(object.key, object);
      },
      changed: (key, object) => this.#volume(key, object),
    });
  }

  loaded(signal: AbortSignal): Promise<void> | undefined {
    return this.#source.loaded(signal);
  }

  /** Resolves when everything is known that was written before. */
  fresh(signal: AbortSignal): Promise<void> {
    return this.#source.fresh(signal);
  }

  /** The node has the pod. */
  hasPod(node: string, namespace: string, name: string): boolean {
    return this.#pods.get(`${namespace}/${name}`)?.node === node;
  }

  /** A pod of the node refers to the object of a `referenceKey`, directly or through its volumes. */
  leadsTo(node: string, key: string): boolean {
    if (this.#isUsed(node, key)) return true;
    for (const volume of this.#volumesOfSecret.get(key) ?? []) if (this.hasVolume(node, volume)) return true;
    return false;
  }

  /** A pod of the node has a claim that the volume is bound to. */
  hasVolume(node: string, volume: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#isUsed(node, claim);
  }

  /** The attachment is about the node. */
  hasAttachment(node: string, name: string): boolean {
    return this.#source.get('volumeattachments.storage', '', name)?.spec?.nodeName === node;
  }

  #isUsed(node: string, key: string): boolean {
    return this.#users.get(key)?.has(node) === true;
  }

  #pod(key: string, object: SourceObject<Pod> | undefined): void {
    this.#timed(object === undefined ? 'DeletePod' : 'AddPod', () => this.#placePod(key, object));
  }

  #volume(key: string, object: SourceObject<PersistentVolume> | undefined): void {
    this.#timed(object === undefined ? 'DeletePV' : 'AddPV', () => this.#placeVolume(key, object));
  }

  #timed(action: Action, work: () => void): void {
    const began = this.#clock.monotonic();
    work();
    this.#durations[action].observe((this.#clock.monotonic() - began) / 1000);
  }

  #placePod(key: string, object: SourceObject<Pod> | undefined): void {
    const earlier = this.#pods.get(key);
    const placed = object === undefined ? undefined : placedPod(object.read(), this.#mirror);
    for (const reference of placed?.references ?? []) this.#count(reference, placed?.node ?? '', 1);
    for (const reference of earlier?.references ?? []) this.#count(reference, earlier?.node ?? '', -1);
    if (placed === undefined) this.#pods.delete(key);
    else this.#pods.set(key, placed);
  }

  #count(reference: string, node: string, by: 1 | -1): void {
    const users = this.#users.get(reference) ?? new Map<string, number>();
    const pods = (users.get(node) ?? 0) + by;
    if (pods > 0) users.set(node, pods);
    else users.delete(node);
    if (users.size > 0) this.#users.set(reference, users);
    else this.#users.delete(reference);
  }

  #placeVolume(key: string, object: SourceObject<PersistentVolume> | undefined): void {
    for (const secret of this.#volumes.get(key)?.secrets ?? []) {
      const volumes = this.#volumesOfSecret.get(secret);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#volumesOfSecret.delete(secret);
    }
    this.#volumes.delete(key);
    const references = object === undefined ? undefined : volumeReferences(object.read());
    if (references === undefined) return;
    this.#volumes.set(key, references);
    for (const secret of references.secrets) {
      const volumes = this.#volumesOfSecret.get(secret) ?? new Set<string>();
      this.#volumesOfSecret.set(secret, volumes.add(key));
    }
  }
}

function durationsOf(metrics: Metrics): Readonly<Record<Action, HistogramSeries>> {
  const family = metrics.histogram({
    name: 'node_authorizer_graph_actions_duration_seconds',
    help: 'Time that changes of the graph of nodes and what their pods lead to took.',
    labels: ['operation'],
    buckets,
    stability: 'ALPHA',
  });
  const of = (action: Action): HistogramSeries => family.series(action);
  return { AddPod: of('AddPod'), DeletePod: of('DeletePod'), AddPV: of('AddPV'), DeletePV: of('DeletePV') };
}

/** Undefined for a pod without a node. The mirror of a pod that the node itself has made leads nowhere. */
function placedPod(pod: Pod, mirror: string): PlacedPod | undefined {
  const node = pod.spec?.nodeName ?? '';
  if (node === '') return undefined;
  const isMirror = pod.metadata.annotations?.[mirror] !== undefined;
  return { node, references: isMirror ? [] : podReferences(pod) };
}
