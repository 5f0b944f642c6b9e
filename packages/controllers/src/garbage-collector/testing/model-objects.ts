import type { DeleteOptions, Resource } from '@orch/client';
import {
  hasDeletionTimestamp,
  type Names,
  type ObjectMeta,
  type OwnerReference,
  parseApiVersion,
  type Random,
} from '@orch/machinery';
import type { Rejection, Target } from '../live-objects.ts';

/** One change of one object, in the order of watch events. */
export interface LogEntry {
  readonly type: 'set' | 'deleted';
  readonly meta: ObjectMeta;
}

type Policy = NonNullable<DeleteOptions['propagationPolicy']>;

const keyOf = (resource: Resource, { namespace = '', name = '' }: ObjectMeta): string =>
  `${resource.group}/${resource.resource}/${namespace}/${name}`;

/** A model of deletion in an API server: versions, preconditions, finalizers and propagation. */
export class ModelObjects {
  readonly resources: readonly Resource[];
  readonly log = new Map<Resource, LogEntry[]>();
  readonly #objects = new Map<string, { readonly resource: Resource; readonly meta: ObjectMeta }>();
  readonly #names: Names;
  readonly #random: Random;
  #revision = 0;

  constructor(resources: readonly Resource[], names: Names, random: Random) {
    this.resources = resources;
    this.#names = names;
    this.#random = random;
    for (const resource of resources) this.log.set(resource, []);
  }

  get revision(): number {
    return this.#revision;
  }

  all(): readonly Target[] {
    return [...this.#objects.values()];
  }

  /** The owner that a reference in this namespace refers to. */
  owner({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Target | undefined {
    const resource = this.resourceOf(apiVersion, kind);
    if (resource === undefined || (resource.namespaced && namespace === '')) return undefined;
    const found = this.#objects.get(keyOf(resource, resource.namespaced ? { name, namespace } : { name }));
    return found?.meta.uid === uid ? found : undefined;
  }

  isResolvable({ apiVersion, kind }: OwnerReference, namespace: string): boolean {
    const resource = this.resourceOf(apiVersion, kind);
    return resource !== undefined && (!resource.namespaced || namespace !== '');
  }

  create(resource: Resource, meta: ObjectMeta): ObjectMeta | undefined {
    if (this.#objects.has(keyOf(resource, meta))) return undefined;
    return this.#put(resource, { ...meta, uid: this.#random.uuid() });
  }

  /** A delete request. */
  remove({ resource, meta: { namespace, name } }: Target, policy: Policy): void {
    const current = this.#objects.get(
      keyOf(resource, { namespace: namespace ?? '', name: name ?? '' }),
    )?.meta;
    if (current === undefined) return;
    const { orphan, foregroundDeletion } = this.#names.finalizers;
    const kept = (current.finalizers ?? []).filter((f) => f !== orphan && f !== foregroundDeletion);
    const added = policy === 'Orphan' ? [orphan] : policy === 'Foreground' ? [foregroundDeletion] : [];
    const finalizers = [...kept, ...added];
    this.#put(resource, { ...current, finalizers, deletionTimestamp: current.deletionTimestamp ?? 'now' });
  }

  /** An update request. */
  edit({ resource, meta }: Target, change: Partial<ObjectMeta>): ObjectMeta | undefined {
    const current = this.get(resource, meta);
    return current === undefined ? undefined : this.#put(resource, { ...current, ...change });
  }

  get(resource: Resource, at: ObjectMeta): ObjectMeta | undefined {
    return this.#objects.get(keyOf(resource, at))?.meta;
  }

  /** The current version when it is that of the target; the reason of the rejection otherwise. */
  current({ resource, meta }: Target): ObjectMeta | Rejection {
    const current = this.#objects.get(keyOf(resource, meta))?.meta;
    if (current === undefined) return 'gone';
    const isSame = current.uid === meta.uid && current.resourceVersion === meta.resourceVersion;
    return isSame ? current : 'changed';
  }

  resourceOf(apiVersion: string, kind: string): Resource | undefined {
    const at = parseApiVersion(apiVersion);
    return this.resources.find((r) => r.group === at?.group && r.version === at.version && r.kind === kind);
  }

  #put(resource: Resource, next: ObjectMeta): ObjectMeta {
    const meta: ObjectMeta = Object.freeze({ ...next, resourceVersion: String(++this.#revision) });
    const isGone = hasDeletionTimestamp(meta) && (meta.finalizers ?? []).length === 0;
    if (isGone) this.#objects.delete(keyOf(resource, meta));
    else this.#objects.set(keyOf(resource, meta), { resource, meta });
    this.log.get(resource)?.push({ type: isGone ? 'deleted' : 'set', meta });
    return meta;
  }
}
