import type { ObjectSource } from '@orch/auth';
import type { Draft } from '@orch/kinds/draft';
import type { ApiObject, Names } from '@orch/machinery';
import type { AdmissionPlugin } from '../types.ts';

export interface DefaultClassParts {
  readonly source: ObjectSource;
  readonly names: Names;
  /** Whether several default classes are an error; otherwise the newest of them is used. */
  readonly refusesSeveralDefaults: boolean;
}

/** A plugin that sets the class of objects of type `T`, and the cluster-scoped classes from which it chooses. */
export interface DefaultClass<T extends { readonly spec?: object }>
  extends Pick<AdmissionPlugin, 'name' | 'handles'> {
  /** The field that names the class. */
  readonly field: keyof NonNullable<T['spec']> & string;
  /** The annotation that names the class instead of the field. */
  readonly annotation: string;
  readonly classes: ClassKind;
}

export interface ClassKind {
  /** Name of the resource in the source of objects. */
  readonly resource: string;
  /** In messages: `StorageClasses`. */
  readonly plural: string;
  /** End of the message about several defaults. */
  readonly rule?: string;
  /** Annotations that mark the default class. */
  readonly annotations: readonly string[];
}

/** New objects without a class get the default one. */
export function defaultClassPlugin<T extends { readonly spec?: object }>(
  { name, handles, field, annotation, classes }: DefaultClass<T>,
  { source, refusesSeveralDefaults }: DefaultClassParts,
): AdmissionPlugin {
  return {
    name,
    handles,
    mutate({ object }) {
      const classed = object as Draft<ApiObject> & { spec?: Record<string, unknown> };
      const { metadata, spec } = classed;
      // An empty name is explicit: the object is without a class.
      if (spec?.[field] !== undefined || metadata.annotations?.[annotation] !== undefined) return undefined;
      const defaults = defaultClasses(source, classes);
      if (defaults.length > 1 && refusesSeveralDefaults)
        return `${defaults.length} default ${classes.plural} were found${classes.rule ?? ''}`;
      const found = newestOf(defaults)?.metadata.name;
      if (found !== undefined) classed.spec = { ...spec, [field]: found };
      return undefined;
    },
  };
}

/** The classes that are marked as the default. */
const defaultClasses = (source: ObjectSource, { resource, annotations }: ClassKind): readonly ApiObject[] =>
  source
    .list(resource)
    .map((object) => object.read())
    .filter(({ metadata }) => annotations.some((key) => metadata.annotations?.[key] === 'true'));

/** The most recently created one; of those created at the same time, the first by name. */
const newestOf = (classes: readonly ApiObject[]): ApiObject | undefined =>
  classes.toSorted(
    (a, b) =>
      compare(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
      compare(a.metadata.name ?? '', b.metadata.name ?? ''),
  )[0];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
