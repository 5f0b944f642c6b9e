import { type ApiObject, formatApiVersion, type Names } from '@orch/machinery';
import type { Resource } from './types.ts';

/** The representation in which objects are requested. */
export interface ObjectFormat {
  /** `Accept` for one object, and for a watch. */
  readonly object: string;
  readonly list: string;
  /** Sets kind and version of an object in a response; `T` differs in these fields only. */
  name<T extends ApiObject>(object: T, resource: Resource): T;
}

type Nameable = { kind?: string; apiVersion?: string };

/** Whole objects. Some servers send kind and version once for all items of a list. */
export const wholeObjects: ObjectFormat = {
  object: 'application/json',
  list: 'application/json',
  name(object, resource) {
    const named: Nameable = object;
    named.kind ??= resource.kind;
    named.apiVersion ??= formatApiVersion(resource);
    return object;
  },
};

/** The metadata of objects only, if the server supports it (spec 4.7). */
export function metadataOnly(names: Names): ObjectFormat {
  const as = (kind: string): string =>
    `application/json;as=${kind};g=${names.group('meta')};v=v1,application/json`;
  const partialVersion = names.apiVersion('meta', 'v1');
  return {
    object: as('PartialObjectMetadata'),
    list: as('PartialObjectMetadataList'),
    name(object, resource) {
      const named: Nameable = object;
      // The kind is that of the object, not that of the representation.
      if (named.kind === 'PartialObjectMetadata' && named.apiVersion === partialVersion) {
        named.kind = resource.kind;
        named.apiVersion = formatApiVersion(resource);
      }
      return wholeObjects.name(object, resource);
    },
  };
}
