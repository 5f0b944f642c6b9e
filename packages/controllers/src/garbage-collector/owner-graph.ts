import type { Resource } from '@orch/client';
import { hasDeletionTimestamp, type Names, type ObjectMeta } from '@orch/machinery';
import type { AbsentOwners } from './absent-owners.ts';
import { blocks, isOrphaning, isWaiting } from './object-state.ts';
import { type ObservedObject, type OwnerRef, ownerRefsOf, refersTo } from './owner-ref.ts';

/** An object that an informer has delivered. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: Resource;
  readonly kind: string;
  readonly meta: ObjectMeta;
  readonly owners: readonly OwnerRef[];
}

/** The dependents with the same owner reference; the owner may not exist. */
interface Dependents {
  readonly ref: OwnerRef;
  readonly uids: Set<string>;
}

/** What a graph tells of its changes. */
export interface GraphReports {
  readonly absent: AbsentOwners;
  /** Called with the uid of each object that needs to be examined. */
  readonly examine: (uid: string) => void;
}

export interface OwnerGraphOptions extends GraphReports {
  readonly names: Names;
}

/**
 * The ownership of all objects, as delivered by informers. It may be stale, and is not proof that an owner is deleted.
 * Level-triggered: every change requests an examination of the objects that it concerns.
 */
export class OwnerGraph {
  readonly #names: Names;
  #absent: AbsentOwners;
  #examine: (uid: string) => void;
  readonly #nodes = new Map<string, GraphNode>();
  /** By the uid of the owner, then by the key of the reference; includes owners that were not delivered yet. */
  readonly #dependents = new Map<string, Map<string, Dependents>>();

  constructor({ names, absent, examine }: OwnerGraphOptions) {
    this.#names = names;
    this.#absent = absent;
    this.#examine = examine;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Reports to others from now on, beginning with the objects that need to be examined. */
  reportTo({ absent, examine }: GraphReports): void {
    this.#absent = absent;
    this.#examine = examine;
    for (const node of this.#nodes.values()) if (this.#needsExamination(node)) examine(node.uid);
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** The object that is referred to, if it was delivered. */
  ownerOf(ref: OwnerRef): GraphNode | undefined {
    const node = this.#nodes.get(ref.uid);
    return node !== undefined && refersTo(ref, node) ? node : undefined;
  }

  /** The object with the uid of a reference, but of another namespace, kind or name. */
  mismatchOf(ref: OwnerRef): GraphNode | undefined {
    const node = this.#nodes.get(ref.uid);
    return node !== undefined && !refersTo(ref, node) ? node : undefined;
  }

  /** The objects that refer to this owner, whether or not it is in the graph. */
  *dependentsOf(owner: ObservedObject): Generator<GraphNode> {
    for (const { ref, uids } of this.#dependents.get(owner.meta.uid ?? '')?.values() ?? []) {
      if (refersTo(ref, owner)) yield* this.#nodesOf(uids);
    }
  }

  /** The dependents that block the deletion of this owner. */
  *blockersOf(owner: ObservedObject): Generator<GraphNode> {
    for (const dependent of this.dependentsOf(owner)) if (blocks(dependent.meta, owner.meta)) yield dependent;
  }

  /** Reports whether an owner is blocked by waiting objects only, and by itself through a cycle of them. */
  isInCycle(owner: ObservedObject): boolean {
    const visited = new Set<string>();
    const open: ObservedObject[] = [owner];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const blocker of this.blockersOf(node)) {
        if (blocker.uid === owner.meta.uid) return true;
        if (!isWaiting(blocker.meta, this.#names)) {
          // This dependent is deleted without the cycle, and its owners are examined again then.
          if (node === owner) return false;
          continue;
        }
        if (visited.has(blocker.uid)) continue;
        visited.add(blocker.uid);
        open.push(blocker);
      }
    }
    return false;
  }

  /** Adds or replaces an object that an informer has delivered. */
  observe(resource: Resource, meta: ObjectMeta): void {
    const { uid = '' } = meta;
    if (uid === '') return;
    const old = this.#nodes.get(uid);
    const node: GraphNode = { uid, resource, kind: resource.kind, meta, owners: ownerRefsOf(meta) };
    this.#nodes.set(uid, node);
    if (old !== undefined) this.#removeReferences(old);
    for (const ref of node.owners) this.#addReference(ref, uid);
    if (old !== undefined) this.#examineOwners(old);
    if (this.#needsExamination(node)) this.#examine(uid);
    if (isWaiting(meta, this.#names) && (old === undefined || !isWaiting(old.meta, this.#names)))
      for (const dependent of this.dependentsOf(node)) this.#examine(dependent.uid);
  }

  /**
   * Applies the object of a response before the informer delivers it, unless the informer has delivered anything since
   * `before`: the response may be older than that, and a deleted object would stay in the graph.
   */
  applyResponse(resource: Resource, before: ObjectMeta | undefined, response: ObjectMeta): void {
    const cached = this.#nodes.get(response.uid ?? '')?.meta;
    if (cached !== undefined && cached.resourceVersion === before?.resourceVersion)
      this.observe(resource, response);
  }

  /**
   * Removes an object. `isCertain`: its deletion was observed; otherwise a list lacked it, and its existence is looked up
   * before its dependents are deleted.
   */
  forget(uid: string, isCertain: boolean): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    this.#removeReferences(node);
    this.#examineOwners(node);
    for (const { ref, uids } of this.#dependents.get(uid)?.values() ?? []) {
      if (!refersTo(ref, node)) continue;
      if (isCertain) this.#absent.add(ref);
      for (const dependent of uids) this.#examine(dependent);
    }
  }

  /**
   * Requests the examination of objects with an owner of this kind that is not in the graph, after all objects of the kind
   * were delivered: the owner may have been deleted before.
   */
  examineUnobserved(kind: string): void {
    for (const byRef of this.#dependents.values())
      for (const { ref, uids } of byRef.values())
        if (ref.kind === kind && this.ownerOf(ref) === undefined) for (const uid of uids) this.#examine(uid);
  }

  *#nodesOf(uids: Iterable<string>): Generator<GraphNode> {
    for (const uid of uids) {
      const node = this.#nodes.get(uid);
      if (node !== undefined) yield node;
    }
  }

  #addReference(ref: OwnerRef, dependent: string): void {
    const byRef = this.#dependents.get(ref.uid) ?? new Map<string, Dependents>();
    this.#dependents.set(ref.uid, byRef);
    const present = byRef.get(ref.key);
    if (present === undefined) byRef.set(ref.key, { ref, uids: new Set([dependent]) });
    else present.uids.add(dependent);
  }

  #removeReferences(node: GraphNode): void {
    for (const ref of node.owners) {
      const byRef = this.#dependents.get(ref.uid);
      const uids = byRef?.get(ref.key)?.uids;
      uids?.delete(node.uid);
      if (uids?.size === 0) byRef?.delete(ref.key);
      if (byRef?.size === 0) this.#dependents.delete(ref.uid);
    }
  }

  /** Waiting owners may be blocked by one dependent less. */
  #examineOwners(dependent: GraphNode): void {
    for (const ref of dependent.owners) {
      const owner = this.ownerOf(ref);
      if (owner !== undefined && isWaiting(owner.meta, this.#names)) this.#examine(owner.uid);
    }
  }

  #needsExamination({ meta, owners }: GraphNode): boolean {
    if (hasDeletionTimestamp(meta)) return isWaiting(meta, this.#names) || isOrphaning(meta, this.#names);
    return owners.some((ref) => {
      const owner = this.ownerOf(ref);
      return owner === undefined || isWaiting(owner.meta, this.#names);
    });
  }
}
