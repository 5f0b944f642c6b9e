import type { GroupVersionKind, VersionedResource } from '@orch/admission';
import type { Subresource } from '@orch/apis';
import { mergeConfiguration } from '@orch/apply';
import { type ApiObject, type Names, parseApiVersion } from '@orch/machinery';
import type { StructSchema } from '@orch/schema';
import type { KindLookup, VersionLookup } from '../context/paths.ts';
import { whenConverted } from '../convert/conversion-needed.ts';
import { decodeObject } from '../request/decode-object.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import { scaleFromHub, scaleToHub } from './scale-versions.ts';

export interface VersionedResourcesParts extends KindLookup {
  readonly names: Names;
  readonly table: ResourceTable;
}

/** Subresources whose requests contain the object itself. */
const views: ReadonlySet<Subresource['behaviour']> = new Set([
  'status',
  'finalize',
  'ephemeralcontainers',
  'resize',
  'approval',
]);

/** The kind of the objects of a resource or a subresource, and how they are converted. */
type Conversions = Pick<
  VersionedResource,
  'kind' | 'fromHub' | 'toHub' | 'merge' | 'hasMetadata' | 'holdsCredentials'
>;

/** Served resources and their subresources, as the rules of webhooks and policies select them. */
export class VersionedResources implements VersionLookup {
  readonly #parts: VersionedResourcesParts;
  readonly #known = new WeakMap<ServedResource, Map<string, VersionedResource>>();
  #byPrefix: ReadonlyMap<string, readonly ServedResource[]> = new Map();
  #generation = -1;

  constructor(parts: VersionedResourcesParts) {
    this.#parts = parts;
  }

  of(resource: ServedResource, subresource: string): VersionedResource {
    return this.#known.get(resource)?.get(subresource) ?? this.#add(resource, subresource);
  }

  #add(resource: ServedResource, subresource: string): VersionedResource {
    const known = this.#known.get(resource) ?? new Map<string, VersionedResource>();
    this.#known.set(resource, known);
    const added = this.#versioned(resource, subresource);
    known.set(subresource, added);
    return added;
  }

  #versioned(resource: ServedResource, subresource: string): VersionedResource {
    const { type, group, version } = resource;
    let equivalents: readonly VersionedResource[] = [];
    let generation = -1;
    return {
      ...this.#conversions(resource, resource.subresources.get(subresource)),
      resource: { group, version, resource: type.resource },
      subresource,
      namespaced: type.namespaced,
      equivalents: () => {
        if (generation === this.#parts.table.generation) return equivalents;
        generation = this.#parts.table.generation;
        equivalents = this.#others(resource, subresource).map((other) => this.of(other, subresource));
        return equivalents;
      },
    };
  }

  /** The other served versions of a resource that have the subresource: all versions of one share their place in the store. */
  #others({ keyPrefix, apiVersion }: ServedResource, subresource: string): readonly ServedResource[] {
    const { table } = this.#parts;
    if (this.#generation !== table.generation) {
      this.#generation = table.generation;
      this.#byPrefix = Map.groupBy(table.all, (each) => each.keyPrefix);
    }
    return (this.#byPrefix.get(keyPrefix) ?? []).filter(
      (other) =>
        other.apiVersion !== apiVersion && (subresource === '' || other.subresources.has(subresource)),
    );
  }

  #conversions(resource: ServedResource, subresource: Subresource | undefined): Conversions {
    if (subresource === undefined || views.has(subresource.behaviour)) return ofObjects(resource);
    const { names } = this.#parts;
    const { group, version, kind } = subresource.kind;
    const schema = this.#parts.auxiliarySchema(group, version, kind);
    const codec = this.#parts.auxiliary(group, version, kind);
    const expected = { kind, apiVersion: names.apiVersion(group, version) };
    const isScale = subresource.behaviour === 'scale';
    return {
      kind: kindOf(expected.apiVersion, kind),
      hasMetadata: hasMetadata(schema),
      holdsCredentials: schema.holdsCredentials === true,
      merge: () => `objects of kind ${kind} cannot be merged`,
      fromHub: (hub) => (isScale ? scaleFromHub(hub, expected.apiVersion, schema) : { ...hub, ...expected }),
      toHub(value) {
        const { object } = decodeObject(parsed(value), codec, expected, 'Ignore');
        if (isScale) return scaleToHub(object, names);
        return hasMetadata(schema) ? object : { ...object, metadata: {} };
      },
    };
  }
}

/** Conversions of the objects of a resource themselves. */
function ofObjects(resource: ServedResource): Conversions {
  const { type, apiVersion, converter, codecs, schema } = resource;
  const expected = { kind: type.kind, apiVersion };
  const decoded = (value: unknown, old: ApiObject | undefined): ApiObject => {
    const { codec, finish } = old === undefined ? codecs : codecs.forUpdateOf(converter.fromHub(old));
    const { object } = decodeObject(parsed(value), codec, expected, 'Ignore');
    finish?.(object);
    return object;
  };
  return {
    kind: kindOf(apiVersion, type.kind),
    hasMetadata: hasMetadata(schema),
    holdsCredentials: schema.holdsCredentials === true,
    merge(object, configuration) {
      const shapes = resource.ownership.versions.shapes(apiVersion);
      if (shapes === undefined) return `objects of version ${apiVersion} cannot be merged`;
      const merged = mergeConfiguration(object, configuration, shapes);
      return merged.kind === 'merged' ? merged.object : merged.problem;
    },
    fromHub: (hub, signal) => whenConverted(resource, () => converter.fromHub(hub), signal),
    toHub: (value, old, signal) =>
      whenConverted(resource, () => converter.toHub(decoded(value, old)), signal),
  };
}

const parsed = (value: unknown) => ({ value, duplicates: [], unknown: [] });

const hasMetadata = ({ fields }: StructSchema): boolean => fields.some(({ name }) => name === 'metadata');

function kindOf(apiVersion: string, kind: string): GroupVersionKind {
  const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
  return { group, version, kind };
}
