import type { Resource } from '@orch/client';
import { hasDeletionTimestamp, type Names, type ObjectMeta } from '@orch/machinery';
import type { AbsentOwners } from './absent-owners.ts';
import { type Claim, claimsOf, means, type Seen } from './claim.ts';
import { blocks, isOrphaning, isWaiting } from './object-state.ts';

/** An object that informers have shown. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: Resource;
  readonly kind: string;
  readonly meta: ObjectMeta;
  readonly claims: readonly Claim[];
}

/** The dependents that make the same claim; there may be no such owner. */
interface Claimed {
  readonly claim: Claim;
  readonly dependents: Set<string>;
}

export interface OwnerGraphOptions {
  readonly names: Names;
  readonly absent: AbsentOwners;
  /** Called with the uid of each object about which there may be something to do now. */
  readonly examine: (uid: string) => void;
}

/**
 * Who owns whom among all objects of a cluster, as far as informers have told; may be behind, and is never proof that
 * an owner is gone. Level-triggered: whatever changes, the objects that this concerns are to be examined.
 */
export class OwnerGraph {
  readonly #names: Names;
  readonly #absent: AbsentOwners;
  readonly #examine: (uid: string) => void;
  readonly #nodes = new Map<string, GraphNode>();
  /** By the uid of the owner, then by claim: owners that nobody has shown yet have their place too. */
  readonly #claimed = new Map<string, Map<string, Claimed>>();

  constructor({ names, absent, examine }: OwnerGraphOptions) {
    this.#names = names;
    this.#absent = absent;
    this.#examine = examine;
  }

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** The object that a claim means, if it has been shown. */
  ownerOf(claim: Claim): GraphNode | undefined {
    const node = this.#nodes.get(claim.uid);
    return node !== undefined && means(claim, node) ? node : undefined;
  }

  /** The object with the uid of a claim that is not what the claim means: of another namespace, kind or name. */
  otherOf(claim: Claim): GraphNode | undefined {
    const node = this.#nodes.get(claim.uid);
    return node !== undefined && !means(claim, node) ? node : undefined;
  }

  /** The objects that say that this one owns them, whether or not it is in the graph. */
  *dependentsOf(owner: Seen): Generator<GraphNode> {
    for (const { claim, dependents } of this.#claimed.get(owner.meta.uid ?? '')?.values() ?? []) {
      if (means(claim, owner)) yield* this.#nodesOf(dependents);
    }
  }

  /** Those of its dependents that it waits for. */
  *blockersOf(owner: Seen): Generator<GraphNode> {
    for (const dependent of this.dependentsOf(owner)) if (blocks(dependent.meta, owner.meta)) yield dependent;
  }

  /** Whether an owner waits only for objects that wait in turn, and in the end for the owner itself. */
  isInCircle(owner: Seen): boolean {
    const met = new Set<string>();
    const open: Seen[] = [owner];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const blocker of this.blockersOf(node)) {
        if (blocker.uid === owner.meta.uid) return true;
        if (!isWaiting(blocker.meta, this.#names)) {
          // This one goes by itself, and whoever waits for it is looked at again then.
          if (node === owner) return false;
          continue;
        }
        if (met.has(blocker.uid)) continue;
        met.add(blocker.uid);
        open.push(blocker);
      }
    }
    return false;
  }

  /** Takes what an informer shows: a new object, or another state of one that is known. */
  observe(resource: Resource, meta: ObjectMeta): void {
    const { uid = '' } = meta;
    if (uid === '') return;
    const old = this.#nodes.get(uid);
    const node: GraphNode = { uid, resource, kind: resource.kind, meta, claims: claimsOf(meta) };
    this.#nodes.set(uid, node);
    if (old !== undefined) this.#unclaim(old);
    for (const claim of node.claims) this.#claim(claim, uid);
    if (old !== undefined) this.#examineOwners(old);
    if (this.#isInNeed(node)) this.#examine(uid);
    if (isWaiting(meta, this.#names) && (old === undefined || !isWaiting(old.meta, this.#names)))
      for (const dependent of this.dependentsOf(node)) this.#examine(dependent.uid);
  }

  /**
   * Takes the answer to a request before informers show the same, if they have shown nothing since `before`: an answer
   * can be older than what came meanwhile, and of what is gone nothing would ever come again.
   */
  learn(resource: Resource, before: ObjectMeta | undefined, answer: ObjectMeta): void {
    const known = this.#nodes.get(answer.uid ?? '')?.meta;
    if (known !== undefined && known.resourceVersion === before?.resourceVersion)
      this.observe(resource, answer);
  }

  /**
   * Takes that an object is not there any more. `isCertain`: its deletion was seen; otherwise it is only not shown any
   * more, and before anything follows from that its owners are looked for.
   */
  forget(uid: string, isCertain: boolean): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    this.#unclaim(node);
    this.#examineOwners(node);
    for (const { claim, dependents } of this.#claimed.get(uid)?.values() ?? []) {
      if (!means(claim, node)) continue;
      if (isCertain) this.#absent.add(claim);
      for (const dependent of dependents) this.#examine(dependent);
    }
  }

  *#nodesOf(uids: Iterable<string>): Generator<GraphNode> {
    for (const uid of uids) {
      const node = this.#nodes.get(uid);
      if (node !== undefined) yield node;
    }
  }

  #claim(claim: Claim, dependent: string): void {
    const claims = this.#claimed.get(claim.uid) ?? new Map<string, Claimed>();
    this.#claimed.set(claim.uid, claims);
    const present = claims.get(claim.key);
    if (present === undefined) claims.set(claim.key, { claim, dependents: new Set([dependent]) });
    else present.dependents.add(dependent);
  }

  #unclaim(node: GraphNode): void {
    for (const claim of node.claims) {
      const claims = this.#claimed.get(claim.uid);
      const dependents = claims?.get(claim.key)?.dependents;
      dependents?.delete(node.uid);
      if (dependents?.size === 0) claims?.delete(claim.key);
      if (claims?.size === 0) this.#claimed.delete(claim.uid);
    }
  }

  /** Owners that wait for their dependents may have one less to wait for. */
  #examineOwners(dependent: GraphNode): void {
    for (const claim of dependent.claims) {
      const owner = this.ownerOf(claim);
      if (owner !== undefined && isWaiting(owner.meta, this.#names)) this.#examine(owner.uid);
    }
  }

  #isInNeed({ meta, claims }: GraphNode): boolean {
    if (hasDeletionTimestamp(meta)) return isWaiting(meta, this.#names) || isOrphaning(meta, this.#names);
    return claims.some((claim) => {
      const owner = this.ownerOf(claim);
      return owner === undefined || isWaiting(owner.meta, this.#names);
    });
  }
}
