import type { IndexFunction, Informer, Stored } from '@orch/client';
import type { ApiObject, ObjectMeta } from '@orch/machinery';
import type { LabelSelector } from '@orch/machinery/selectors';

type Place = Pick<ObjectMeta, 'namespace'>;

/** The index value of all objects of a namespace. Those of labels differ: they have an equals sign. */
const placeOf = ({ namespace = '' }: Place): string => namespace;

const labelIn = ({ namespace = '' }: Place, key: string, value: string): string =>
  `${namespace} ${key}=${value}`;

/** The index values of an object: its namespace, and each of its labels in this namespace. */
const valuesOf = ({ metadata }: ApiObject): readonly string[] => [
  placeOf(metadata),
  ...Object.entries(metadata.labels ?? {}).map(([key, value]) => labelIn(metadata, key, value)),
];

/** An index of objects by their labels. Controllers that use the same one share it in the informer that they share. */
export interface LabelIndex {
  readonly name: string;
  readonly keysOf: IndexFunction<ApiObject>;
}

/** Returns an index of the objects that meet a condition. Call it once in a module: informers compare indexes by identity. */
export const labelIndex = (name: string, isIndexed: (object: ApiObject) => boolean): LabelIndex => ({
  name,
  keysOf: (object) => (isIndexed(object) ? valuesOf(object) : []),
});

/**
 * Adds an index of labels to an informer. Returns the function that finds the indexed objects which a selector matches in a namespace. It
 * looks at those with the rarest of the labels that the selector demands; if it demands none, at all objects of the namespace.
 */
export function objectsSelected<T extends ApiObject>(
  informer: Informer<T>,
  { name, keysOf }: LabelIndex,
): (namespace: string | undefined, selector: LabelSelector) => readonly Stored<T>[] {
  informer.addIndex(name, keysOf);
  return (namespace = '', selector) => {
    if (selector.nothing) return [];
    const { store } = informer;
    const labels = selector.equalities.map(({ key, value }) => labelIn({ namespace }, key, value));
    const counts = labels.map((label) => store.countByIndex(name, label));
    const rarest = labels[counts.indexOf(Math.min(...counts))] ?? placeOf({ namespace });
    return store.byIndex(name, rarest).filter(({ metadata }) => selector.matches(metadata.labels));
  };
}

/** An index of owners by the selectors with which they choose objects. */
export interface SelectorIndex<O extends ApiObject> {
  readonly name: string;
  readonly selectorOf: (owner: O) => LabelSelector | undefined;
  readonly keysOf: IndexFunction<O>;
}

/** Returns an index of owners. `selectorOf` returns undefined for an owner that chooses nothing. Call it once in a module. */
export const selectorIndex = <O extends ApiObject>(
  name: string,
  selectorOf: (owner: O) => LabelSelector | undefined,
): SelectorIndex<O> => ({
  name,
  selectorOf,
  keysOf(owner) {
    const selector = selectorOf(owner);
    if (selector === undefined || selector.nothing) return [];
    const [demanded] = selector.equalities;
    const { metadata } = owner;
    return [demanded === undefined ? placeOf(metadata) : labelIn(metadata, demanded.key, demanded.value)];
  },
});

/** Adds an index of selectors to an informer. Returns the function that finds the owners in the namespace of an object that select it. */
export function ownersSelecting<O extends ApiObject>(
  informer: Informer<O>,
  { name, selectorOf, keysOf }: SelectorIndex<O>,
): (object: ApiObject) => readonly Stored<O>[] {
  informer.addIndex(name, keysOf);
  return (object) =>
    valuesOf(object)
      .flatMap((value) => informer.store.byIndex(name, value))
      .filter((owner) => selectorOf(owner)?.matches(object.metadata.labels) === true);
}
