import {
  builtinTypes,
  compareReleases,
  type KindVersion,
  type Release,
  type ResourceType,
  type TypeOfOtherRelease,
  typesAt,
  typesOfOtherReleases,
} from '@orch/apis';
import type { CachedResource } from '@orch/cache';
import type { ApiObject, Logger, Names } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { StartError } from '@orch/program';
import { cachedResourceOf, cacheNameOf, conversionCodecs, conversionMessages } from '@orch/registry';
import { type KeyValue, prefixRange, readable, type Store } from '@orch/storage';
import type { Settings } from '../settings/settings.ts';

/** Number of bytes that are read from the store at once. */
const PART_BYTES = 1024 * 1024;
/** Number of objects of a kind that a message names. */
const MAX_NAMED = 100;

/** The names of kinds, and the place of their objects. */
type KeyedNames = Pick<Settings, 'names' | 'storePrefix'>;

export interface StoredData {
  readonly settings: KeyedNames & Pick<Settings, 'release' | 'isEnabled'>;
  /** With values as they were before they were encrypted. */
  readonly store: Pick<Store, 'scan'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Objects of one kind that the release of the server does not serve. */
interface Found extends TypeOfOtherRelease {
  /** `namespace/name` or `name` of the first ones. */
  readonly named: readonly string[];
  readonly count: number;
}

/**
 * Rejects with a `StartError` that names them when the store has objects of kinds that only later releases serve: clients would
 * not find them, and policies among them would have no effect. Objects of kinds that only earlier releases serve are reported.
 */
export async function checkReleaseOfData(data: StoredData, signal: AbortSignal): Promise<void> {
  const { release, isEnabled, names } = data.settings;
  const kinds = typesOfOtherReleases(release, builtinTypes, isEnabled);
  const all = await Promise.all(kinds.map((kind) => objectsOf(data, kind, signal)));
  const found = all.filter(({ count }) => count > 0);
  for (const { type, named, count } of found.filter(({ isLater }) => !isLater))
    data.log.warn('the store has objects of a kind that the emulated release no longer serves', {
      resource: resourceName(type, names),
      objects: count,
      names: named,
    });
  const later = found.filter(({ isLater }) => isLater);
  if (later.length > 0) throw new StartError(refusal(later, release, names));
}

async function objectsOf(
  { settings: { names, storePrefix }, store }: StoredData,
  kind: TypeOfOtherRelease,
  signal: AbortSignal,
): Promise<Found> {
  const { type } = kind;
  const prefix = `${storePrefix}${cacheNameOf(type)}/`;
  let reader: CachedResource | undefined;
  const named: string[] = [];
  let count = 0;
  for await (const { items } of store.scan(prefixRange(prefix), { byteBudget: PART_BYTES }, signal)) {
    for (const item of items) {
      reader ??= readerOf(kind, { names, storePrefix });
      const object = objectIn(item, prefix, reader);
      if (object === undefined || isKeptByServers(cacheNameOf(type), object, names)) continue;
      if (named.length < MAX_NAMED) named.push(item.key.slice(prefix.length));
      count++;
    }
  }
  return { ...kind, named, count };
}

/** Compiles the kind, which only a store with its keys needs. */
function readerOf(
  { type, servedIn: release }: TypeOfOtherRelease,
  { names, storePrefix }: KeyedNames,
): CachedResource {
  const [served] = typesAt(release, [type], () => true);
  if (served === undefined) throw new TypeError(`${type.resource} is not served in ${release}`);
  const codecs = conversionCodecs(names, release);
  return cachedResourceOf(served, {
    names,
    storePrefix,
    codecs,
    messages: conversionMessages(names, release),
  });
}

/** Undefined for bytes that are no object of the kind: damaged ones, and those of another kind with the same keys. */
function objectIn(item: KeyValue, prefix: string, reader: CachedResource): ApiObject | undefined {
  try {
    const { json } = reader.ingest(readable(item).value, item.modRevision, item.key.slice(prefix.length));
    return parseJson(json) as ApiObject;
  } catch {
    return undefined;
  }
}

/** Reports whether servers, controllers and candidates of elections keep an object, and make it again when they need it. */
function isKeptByServers(cacheName: string, { metadata }: ApiObject, names: Names): boolean {
  const { labels = {}, annotations = {} } = metadata;
  switch (cacheName) {
    case 'ipaddresses.networking':
      return labels[names.labels.ipAddressManagedBy] === names.controllers.ipAllocator;
    case 'servicecidrs.networking':
      return metadata.name === names.defaultService;
    case 'endpointslices.discovery':
      return (
        labels[names.labels.endpointSliceManagedBy] === names.controllers.endpointSlice ||
        (metadata.namespace === names.namespaces.default &&
          labels[names.labels.serviceName] === names.defaultService)
      );
    case 'flowschemas.flowcontrol':
    case 'prioritylevelconfigurations.flowcontrol':
      return annotations[names.annotations.apfAutoupdateSpec] === 'true';
    case 'leasecandidates.coordination':
      return true;
    default:
      return false;
  }
}

function refusal(later: readonly Found[], release: Release, names: Names): string {
  const parts = later.map((found) => `${objectNames(found, names)} (${reasonOf(found, names)})`);
  const newest = later
    .map(({ servedIn }) => servedIn)
    .sort(compareReleases)
    .at(-1);
  return `the store has objects of kinds that --emulated-version=${release} does not serve: ${parts.join('; ')}: start with --emulated-version=${newest} or a later release, and delete them there if they are not needed`;
}

function objectNames({ type, named, count }: Found, names: Names): string {
  const rest = count > named.length ? ` and ${count - named.length} more` : '';
  return `${resourceName(type, names)} ${named.join(', ')}${rest}`;
}

/** The releases that serve the kind, and the flag with which they or this one do, where they need it. */
function reasonOf({ type, servedIn, offered: [version], byName }: Found, names: Names): string {
  const flag = (one: KindVersion): string =>
    `with --runtime-config=${names.apiVersion(one.group ?? type.group, one.version)}=true`;
  if (byName !== undefined) return `served in ${servedIn} ${flag(byName)}`;
  const since = `served from ${servedIn} on`;
  return version === undefined ? since : `${since}, or ${flag(version)}`;
}

/** The resource as clients name it: `deviceclasses.resource.example.com`. */
function resourceName({ group, resource }: ResourceType, names: Names): string {
  const served = names.group(group);
  return served === '' ? resource : `${resource}.${served}`;
}
