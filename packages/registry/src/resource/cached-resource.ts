import type { FieldReader, ServedType } from '@orch/apis';
import type { CachedResource, Ingested } from '@orch/cache';
import type { ApiObject, Names } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { parseJson } from '@orch/machinery/json';
import {
  type CodecCompiler,
  codecCompiler,
  type FieldPicker,
  fieldPicker,
  type PeekedMeta,
  type ProtobufCompiler,
  peekMeta,
  protobufCompiler,
  type ResourceVersionSplice,
  resourceVersionSplice,
  withResourceVersion,
} from '@orch/schema';
import type { Revision } from '@orch/storage';
import { type Encoded, type ReadStored, StorageCodec } from '../convert/storage-codec.ts';
import { cacheNameOf, DEFAULT_STORE_PREFIX, keyPrefixOf } from './store-keys.ts';

/** Selectable on every resource; they come first in `CachedResource.selectableFields`. */
export const commonFields = ['metadata.name', 'metadata.namespace'] as const;

export interface CachedResourceOptions {
  readonly names: Names;
  readonly storePrefix?: string;
  /** Codecs with all fields; compiled when absent. */
  readonly codecs?: CodecCompiler;
  readonly messages?: ProtobufCompiler;
  /** Objects that need not be decoded, because this server wrote them. */
  readonly recentWrites?: RecentWrites;
}

/**
 * How the cache decodes a stored resource: JSON of the hub version, and the values of selectable fields. Only objects that
 * are stored in Protobuf, or in a version that needs a lens, are parsed; of others only the selectable fields are read.
 */
export function cachedResourceOf(type: ServedType, options: CachedResourceOptions): CachedResource {
  const { names, storePrefix = DEFAULT_STORE_PREFIX } = options;
  const { recentWrites, codecs = codecCompiler(names), messages = protobufCompiler(names) } = options;
  const own = Object.entries(type.fields);
  const readers = own.map(([, read]) => read);
  const pickFields = pickerFor(readers);
  const selectableFields = [...commonFields, ...own.map(([field]) => field)];
  const stored = new StorageCodec(type, { names, codecs, messages });
  const prefix = keyPrefixOf(type, storePrefix);
  const { objectConverter } = type;
  const note = (json: Buffer): void => {
    if (objectConverter !== undefined && !stored.isCurrent(json)) objectConverter.noteOutdated();
  };
  return {
    name: cacheNameOf(type),
    prefix,
    selectableFields,
    indexedFields: type.indexedFields ?? [],
    distinctFields: type.distinctFields ?? [],
    ...(type.readAs !== undefined && { form: type.readAs }),
    ...(objectConverter !== undefined && { adopted: note }),
    ingest(value: Buffer, rev: Revision, key: string): Ingested {
      const recent = recentWrites?.take(prefix + key, value);
      // A write that began before the definition of its kind changed is read as the kind is now.
      const own = recent?.readAs === type.readAs ? recent : undefined;
      const read: ReadStored =
        own === undefined ? stored.readAsStored(value) : { json: own.hub, object: own.object };
      note(read.json);
      const { name, namespace, labels } = own === undefined ? peekMeta(read.json) : metaOf(own.object);
      if (name === '') throw new TypeError('it is stored without a name');
      const fields = [name, namespace];
      if (readers.length > 0) {
        const object = read.object ?? (pickFields(read.json) as ApiObject);
        for (const reader of readers) fields.push(reader(object));
      }
      return { ...served(read.json, rev, own?.splice), labels, fields };
    },
    corrupt(key, rev) {
      const json = stored.placeholder(key);
      const { name, namespace } = peekMeta(json);
      return {
        ...served(json, rev),
        labels: {},
        fields: [name, namespace, ...own.map(() => '')],
      };
    },
  };
}

/** Picks the fields that the readers use; all fields, when a reader does not declare them. */
function pickerFor(readers: readonly FieldReader[]): FieldPicker {
  const paths: string[] = [];
  for (const { fields } of readers) {
    if (fields === undefined) return (json) => parseJson(json) as ApiObject;
    paths.push(...fields);
  }
  return fieldPicker(paths);
}

/** Stored bytes, and the resourceVersion that the cache inserts when it copies them. */
function served(
  json: Buffer,
  rev: Revision,
  splice: ResourceVersionSplice | undefined = resourceVersionSplice(json),
): Pick<Ingested, 'json' | 'insert' | 'revisionOffset'> {
  if (splice === undefined) return { json: withResourceVersion(json, rev) };
  const { offset, before, after, resume } = splice;
  const text = before + rev + after;
  return { json, insert: { offset, text, resume }, revisionOffset: offset + before.length };
}

/** As `peekMeta`, of a decoded object. */
const metaOf = ({
  metadata: { name = '', namespace = '', labels = {} },
}: ApiObject): Pick<PeekedMeta, 'name' | 'namespace' | 'labels'> => ({ name, namespace, labels });

/** More than the number of concurrent writes, unless the watch of the store stalls. */
const MAX_WRITES = 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Objects that this server writes, until its watch of the store delivers them, so that they need not be decoded again.
 * Matched by key and bytes, independent of whether and when the write took effect. Beyond the limits the oldest are
 * dropped, and decoded like the writes of other servers.
 */
export class RecentWrites {
  readonly #writes = new BoundedCache<string, Encoded>({
    maxEntries: MAX_WRITES,
    size: { max: MAX_BYTES, of: ({ value }) => value.length },
  });

  /** Must be called before the write is sent: the watch may be faster than the reply. `key` is the store key. */
  put(key: string, encoded: Encoded): void {
    this.#writes.set(key, encoded);
  }

  /** Removes and returns the last write of the key, when the arrived bytes are the written ones. */
  take(key: string, value: Buffer): Encoded | undefined {
    const encoded = this.#writes.delete(key);
    return encoded?.value.equals(value) === true ? encoded : undefined;
  }
}
