import {
  type KindVersion,
  type ObjectConverter,
  type ServedType,
  strategyOf,
  type WriteGuard,
} from '@orch/apis';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { compareVersions } from '@orch/machinery';
import type { Lens } from '@orch/schema';
import type { CustomResource, CustomVersion } from '../kind/custom-resource-type.ts';

/**
 * Converts between versions whose schemas differ: the fields stay where they are, and the schema of the target prunes
 * and defaults.
 */
const sameFields: Lens = { losesFields: true, toHub: () => undefined, fromHub: () => undefined };

export interface ServedTypeOptions {
  /** Calls the conversion webhook of the definition. */
  readonly converter?: ObjectConverter | undefined;
  readonly writeGuard?: WriteGuard;
}

/**
 * The resource that a definition declares, as the registry serves it. The storage version is the hub. Undefined for a
 * definition without a storage version or without a served one, which validation refuses.
 */
export function servedType(
  definition: CustomResourceDefinition,
  custom: CustomResource,
  { converter, writeGuard }: ServedTypeOptions = {},
): ServedType | undefined {
  const storage = custom.versions.find((version) => version.storage);
  if (storage === undefined) return undefined;
  const others = custom.versions.filter((version) => version !== storage);
  const context: VersionContext = { custom, storage, isConverted: converter !== undefined };
  const versions = [storage, ...others].map((version) => kindVersion(version, context));
  const [stored] = versions;
  const served = versions.filter((_, i) => (i === 0 ? storage : others[i - 1])?.served === true);
  if (stored === undefined || served.length === 0) return undefined;
  const { metadata } = definition;
  return {
    ...storage.type,
    listKind: custom.listKind,
    fields: Object.assign({}, ...custom.versions.map(({ type }) => type.fields)),
    strategy: strategyOf({ ...storage.type.strategy, generation: 'content' }),
    // Objects of a definition that is being deleted are only read and removed.
    verbs: storage.type.verbs.filter((verb) => verb !== 'create' || metadata.deletionTimestamp === undefined),
    versions,
    served,
    stored,
    ...(writeGuard === undefined ? {} : { writeGuard }),
    ...(converter === undefined || versions.length === 1 ? {} : { objectConverter: converter }),
  };
}

interface VersionContext {
  readonly custom: CustomResource;
  readonly storage: CustomVersion;
  /** A webhook converts between the versions. */
  readonly isConverted: boolean;
}

/** One version with its differences from the storage version. */
function kindVersion(version: CustomVersion, { custom, storage, isConverted }: VersionContext): KindVersion {
  const [declared] = version.type.versions;
  if (declared === undefined) throw new TypeError(`version ${version.name} has no schema`);
  const { subresources, table, scale, fields, strategy } = version.type;
  const warning = deprecationWarning(version, custom);
  // Objects are selected by fields of the storage version; only a webhook can map fields of another version.
  const selectable = Object.keys(fields).filter((label) => !isConverted || label in storage.type.fields);
  const differs = version !== storage && !version.schema.equals(storage.schema);
  return {
    ...declared,
    decodedOnRead: true,
    ...(differs ? { lens: sameFields } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    differs: {
      subresources,
      ...(table === undefined ? {} : { table }),
      ...(scale === undefined ? {} : { scale }),
      strategy: { ...strategy, generation: 'content' },
      fields: Object.fromEntries(selectable.map((label) => [label, label])),
    },
  };
}

/** The warning that a definition gives for a version, or the usual one, which names the best version that is not deprecated. */
function deprecationWarning(version: CustomVersion, { group, versions }: CustomResource): string | undefined {
  const { deprecationWarning: text, name, type } = version;
  if (text === undefined || text !== '') return text;
  const usual = `${group}/${name} ${type.kind} is deprecated`;
  const better = versions.find(
    (other) =>
      other.served && other.deprecationWarning === undefined && compareVersions(other.name, name) < 0,
  );
  return better === undefined ? usual : `${usual}; use ${group}/${better.name} ${type.kind}`;
}

/** Parts of the spec that decide how objects are cached: a change of them replaces the cache of the resource. */
export function cacheIdentity(definition: CustomResourceDefinition, custom: CustomResource): unknown {
  const { conversion, group, names, scope, versions } = definition.spec ?? {};
  const schemas = new Map(custom.versions.map(({ name, schema }) => [name, schema.digest]));
  const cached = (versions ?? []).map(({ name, selectableFields, served, storage }) => {
    return { name, schema: schemas.get(name ?? ''), selectableFields, served, storage };
  });
  return { conversion, group, names, scope, cached };
}
