import type { ObjectSource } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

/** Where the cluster-scoped classes of a kind are, and which annotations mark the default one. */
export interface ClassKind {
  /** Name of the resource in the source of objects. */
  readonly resource: string;
  readonly annotations: readonly string[];
}

/** The classes that are marked as the default. */
export const defaultClasses = (
  source: ObjectSource,
  { resource, annotations }: ClassKind,
): readonly ApiObject[] =>
  source
    .list(resource)
    .map((object) => object.read())
    .filter(({ metadata }) => annotations.some((key) => metadata.annotations?.[key] === 'true'));

/** The one that was created last; of those that were created at the same time, the first by name. */
export const newestOf = (classes: readonly ApiObject[]): ApiObject | undefined =>
  classes.toSorted(
    (a, b) =>
      compare(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
      compare(a.metadata.name ?? '', b.metadata.name ?? ''),
  )[0];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
