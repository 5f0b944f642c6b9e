import type { DiscoveredResource } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type Outline, readMetadata, type Search } from './read-metadata.ts';

/** An object that garbage collection deletes after its owner, or that stands in a namespace. */
export interface Dependent {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly finalizers: readonly string[];
  /** Whether it holds the deletion of its owner in the foreground. */
  readonly isBlocking: boolean;
}

export interface Dependents {
  readonly found: readonly Dependent[];
  /** Kinds of which the page does not know whether they have dependents, with the reason. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** The objects whose owner an object is, and for a namespace all objects in it. Reads the metadata of every kind. */
export async function findDependents(
  owner: ApiObject,
  isNamespace: boolean,
  search: Search,
): Promise<Dependents> {
  const { uid = '', namespace = '', name = '' } = owner.metadata;
  const isSought = ({ metadata }: Outline): boolean => isNamespace || ownsIt(metadata, uid);
  const { found, unknown } = await readMetadata(isNamespace ? name : namespace, isSought, search);
  return { found: found.map((each) => dependentOf(each, uid)), unknown };
}

const ownsIt = ({ ownerReferences = [] }: ApiObject['metadata'], uid: string): boolean =>
  ownerReferences.some((each) => each.uid === uid);

const dependentOf = ({ resource, metadata }: Outline, uid: string): Dependent => ({
  resource,
  name: metadata.name ?? '',
  finalizers: metadata.finalizers ?? [],
  isBlocking: (metadata.ownerReferences ?? []).some(
    (each) => each.uid === uid && each.blockOwnerDeletion === true,
  ),
});
