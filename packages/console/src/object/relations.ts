import type { ApiObject, OwnerReference } from '@orch/machinery';
import type { Outline } from './read-metadata.ts';

/** An object in a graph of owners and dependents. */
export interface GraphNode {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined for an owner that was not found: it may be absent, in the cluster, or not readable. */
  readonly outline: Outline | undefined;
  /** The generation, counted from the object in the middle; negative for owners. */
  readonly depth: number;
  /** The place in its generation. */
  readonly place: number;
}

export interface OwnerGraph {
  readonly nodes: readonly GraphNode[];
  /** Pairs of an owner and a dependent, by uid. */
  readonly edges: readonly (readonly [owner: string, dependent: string])[];
  /** Whether there are more objects than the graph shows. */
  readonly isCut: boolean;
}

/** Objects in a graph. */
const MAX_NODES = 120;

/** The owners of an object and theirs, and its dependents and theirs. */
export function ownerGraph(object: Outline, others: readonly Outline[]): OwnerGraph {
  const all = new Map([...others, object].map((each) => [each.metadata.uid ?? '', each]));
  const dependents = new Map<string, Outline[]>();
  for (const each of all.values())
    for (const { uid } of ownersOf(each)) dependents.set(uid, [...(dependents.get(uid) ?? []), each]);
  const uid = object.metadata.uid ?? '';
  const graph = new Growing();
  graph.put({ uid, kind: object.resource.kind, name: object.metadata.name ?? '', outline: object }, 0);
  graph.grow(uid, 1, (of) => (dependents.get(of) ?? []).map(bodyOf));
  graph.grow(uid, -1, (of) => ownersOf(all.get(of)).map((owner) => referenced(owner, all.get(owner.uid))));
  return graph;
}

type Body = Omit<GraphNode, 'depth' | 'place'>;

const ownersOf = (outline: Outline | undefined): readonly OwnerReference[] =>
  outline?.metadata.ownerReferences ?? [];

const bodyOf = (outline: Outline): Body => ({
  uid: outline.metadata.uid ?? '',
  kind: outline.resource.kind,
  name: outline.metadata.name ?? '',
  outline,
});

const referenced = ({ uid, kind, name }: OwnerReference, outline: Outline | undefined): Body => ({
  ...{ uid, kind, name, outline },
});

/** A graph that is made generation by generation. */
class Growing implements OwnerGraph {
  readonly nodes: GraphNode[] = [];
  readonly edges: (readonly [string, string])[] = [];
  isCut = false;
  readonly #known = new Set<string>();

  put(body: Body, depth: number): boolean {
    if (this.#known.has(body.uid)) return false;
    if (this.nodes.length >= MAX_NODES) this.isCut = true;
    if (this.isCut) return false;
    this.#known.add(body.uid);
    const place = this.nodes.filter((each) => each.depth === depth).length;
    this.nodes.push({ ...body, depth, place });
    return true;
  }

  /** `next`: the dependents of an object, or with a step of -1 its owners. */
  grow(start: string, step: 1 | -1, next: (uid: string) => readonly Body[]): void {
    let generation = [start];
    for (let depth = step as number; generation.length > 0; depth += step) {
      const following: string[] = [];
      for (const uid of generation)
        for (const body of next(uid)) {
          if (this.put(body, depth)) following.push(body.uid);
          if (this.#known.has(body.uid)) this.edges.push(step > 0 ? [uid, body.uid] : [body.uid, uid]);
        }
      generation = following;
    }
  }
}

/** The object of a page as a node of the graph. */
export const outlineOf = (resource: Outline['resource'], { metadata }: ApiObject): Outline => ({
  resource,
  metadata,
});
