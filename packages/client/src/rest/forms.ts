import { type ApiObject, formatApiVersion, type Names } from '@orch/machinery';
import type { Resource } from './types.ts';

/** In which form objects are asked for. */
export interface ObjectForm {
  /** `Accept` for one object, and for a watch. */
  readonly object: string;
  readonly list: string;
  /** Gives an object of an answer the kind and version that it has; `T` as long as only these are missing or others'. */
  name<T extends ApiObject>(object: T, resource: Resource): T;
}

type Nameable = { kind?: string; apiVersion?: string };

/** Whole objects. Some servers say kind and version once for all items of a list. */
export const wholeObjects: ObjectForm = {
  object: 'application/json',
  list: 'application/json',
  name(object, resource) {
    const named: Nameable = object;
    named.kind ??= resource.kind;
    named.apiVersion ??= formatApiVersion(resource);
    return object;
  },
};

/** Objects without anything but their metadata, where the server can make them so (spec 4.7). */
export function metadataOnly(names: Names): ObjectForm {
  const as = (kind: string): string =>
    `application/json;as=${kind};g=${names.group('meta')};v=v1,application/json`;
  const partialVersion = names.apiVersion('meta', 'v1');
  return {
    object: as('PartialObjectMetadata'),
    list: as('PartialObjectMetadataList'),
    name(object, resource) {
      const named: Nameable = object;
      // Who looks at the object wants to know what it is of, and not in which form it came.
      if (named.kind === 'PartialObjectMetadata' && named.apiVersion === partialVersion) {
        named.kind = resource.kind;
        named.apiVersion = formatApiVersion(resource);
      }
      return wholeObjects.name(object, resource);
    },
  };
}
