import type { ServedType } from '@orch/apis';
import type { CachedResource, Ingested } from '@orch/cache';
import { type ApiObject, type Names, parseJson } from '@orch/machinery';
import {
  type CodecCompiler,
  codecCompiler,
  type PeekedMeta,
  type ProtobufCompiler,
  peekMeta,
  protobufCompiler,
  withResourceVersion,
} from '@orch/schema';
import type { Revision } from '@orch/storage';
import type { OwnWrites } from './own-writes.ts';
import { cacheNameOf, DEFAULT_STORE_PREFIX, keyPrefixOf } from './store-keys.ts';
import { type ReadStored, storedForm } from './stored-form.ts';

/** Selectable on every resource; they come first in `CachedResource.selectableFields`. */
export const commonFields = ['metadata.name', 'metadata.namespace'] as const;

export interface CachedResourceOptions {
  readonly names: Names;
  readonly storePrefix?: string;
  /** Of all members; made when absent. */
  readonly codecs?: CodecCompiler;
  readonly messages?: ProtobufCompiler;
  /** What need not be read, since this server wrote it. */
  readonly ownWrites?: OwnWrites;
}

/**
 * How the cache reads a stored resource: JSON of the hub version, and what objects are selected by. Only objects stored
 * as Protobuf or in a version of another form, and those of resources with fields of their own, are parsed.
 */
export function cachedResourceOf(type: ServedType, options: CachedResourceOptions): CachedResource {
  const { names, storePrefix = DEFAULT_STORE_PREFIX } = options;
  const { ownWrites, codecs = codecCompiler(names), messages = protobufCompiler(names) } = options;
  const own = Object.entries(type.fields);
  const readers = own.map(([, read]) => read);
  const selectableFields = [...commonFields, ...own.map(([field]) => field)];
  const stored = storedForm(type, { names, codecs, messages });
  const prefix = keyPrefixOf(type, storePrefix);
  return {
    name: cacheNameOf(type),
    prefix,
    selectableFields,
    indexedFields: type.indexedFields ?? [],
    ingest(value: Buffer, rev: Revision, key: string): Ingested {
      const own = ownWrites?.arrived(prefix + key, value);
      const read: ReadStored = own === undefined ? stored.read(value) : { json: own.hub, object: own.object };
      const { name, namespace, labels } = own === undefined ? peekMeta(read.json) : metaOf(own.object);
      const fields = [name, namespace];
      if (readers.length > 0) {
        const object = read.object ?? (parseJson(read.json) as ApiObject);
        for (const reader of readers) fields.push(reader(object));
      }
      return { json: withResourceVersion(read.json, rev), labels, fields };
    },
    corrupt(key, rev) {
      const json = stored.standIn(key);
      const { name, namespace } = peekMeta(json);
      return {
        json: withResourceVersion(json, rev),
        labels: {},
        fields: [name, namespace, ...own.map(() => '')],
      };
    },
  };
}

/** As `peekMeta`, of an object that is at hand. */
const metaOf = ({
  metadata: { name = '', namespace = '', labels = {} },
}: ApiObject): Pick<PeekedMeta, 'name' | 'namespace' | 'labels'> => ({ name, namespace, labels });
