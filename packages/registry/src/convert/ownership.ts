import { atLeast, type Release, type ResourceType } from '@orch/apis';
import {
  emptySet,
  type FieldSet,
  type KindVersions,
  type RawEntry,
  type Shapes,
  setOfFields,
  type UpdatedOwners,
  updatingOwnership,
} from '@orch/apply';
import type { ApiObject, Names, ObjectMeta } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { cloneJson } from '@orch/machinery/json';
import { type CodecCompiler, resolveRef, type StructSchema } from '@orch/schema';
import { ConversionNeeded } from './conversion-needed.ts';
import { type ConversionInPieces, type VersionConverter, versionConverter } from './version-converter.ts';

/** The field manager of a write and its subresource. */
export interface Writer {
  readonly manager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/**
 * The managed fields of an object after a write, in pieces if it is large. Both objects are in the hub version and are not
 * modified.
 */
export type OwnersAfter = (
  next: ApiObject,
  old: ApiObject,
  isLarge: boolean,
) => readonly RawEntry[] | Work<readonly RawEntry[]>;

/** The managed fields of `OwnersAfter`, also of a large object, at once. */
export const ownersAtOnce = (after: ReturnType<OwnersAfter>): readonly RawEntry[] =>
  'next' in after ? atOnce(after) : after;

/** The time of a write, and whether its object is large. */
export interface OwnedWrite {
  readonly now: string;
  readonly isLarge: boolean;
}

/**
 * When field ownership is recorded: never, from the first apply of an object on, or from its creation on (facts:
 * ObjectMeta, managedFields).
 */
export type Tracking = 'never' | 'applied' | 'always';

export function trackingIn(release: Release): Tracking {
  if (atLeast(release, '1.18')) return 'always';
  return atLeast(release, '1.16') ? 'applied' : 'never';
}

/** The release from which entries name the subresource of the write. */
const SUBRESOURCES_SINCE: Release = '1.22';

/** The field that each subresource writes, besides metadata, by its behaviour. */
const written: Readonly<Record<string, readonly string[]>> = {
  status: ['status'],
  approval: ['status'],
  finalize: ['spec', 'finalizers'],
  ephemeralcontainers: ['spec', 'ephemeralContainers'],
  resize: ['spec'],
  scale: ['spec', 'replicas'],
};

export interface OwnershipOptions {
  readonly names: Names;
  readonly release: Release;
  readonly shapes: Shapes;
  /** Codecs with all fields. */
  readonly codecs: CodecCompiler;
}

/** All declared versions of a resource: owners keep their fields when a version is no longer served. */
export function kindVersions(
  definition: ResourceType,
  { names, codecs, shapes }: OwnershipOptions,
): KindVersions {
  const known = new Map(
    definition.versions.map((version) => {
      const converter = versionConverter(definition, version, { names, codecs });
      return [converter.apiVersion, { converter, schema: version.schema }] as const;
    }),
  );
  return {
    shapes(apiVersion) {
      const found = known.get(apiVersion);
      return found === undefined ? undefined : shapes.ofObject(found.schema);
    },
    convert(object, from, to) {
      try {
        const hub = known.get(from)?.converter.toHub(cloneJson(object) as unknown as ApiObject);
        return hub === undefined ? undefined : known.get(to)?.converter.fromHub(hub);
      } catch (error) {
        if (error instanceof ConversionNeeded) throw error;
        // `toHub` refuses objects that cannot be converted.
        return undefined;
      }
    },
  };
}

/** The dependencies of field ownership in one version of a resource. */
export interface OwnedResource {
  readonly type: ResourceType;
  readonly schema: StructSchema;
  readonly converter: VersionConverter;
}

/** An object before and after a write, in the version of the writer; only after it when it is created. */
interface Sides {
  readonly live?: ApiObject;
  readonly next: ApiObject;
}

/** Field ownership of the objects of one resource, for writers in one version (spec 2.6, 3.2, 4.9). */
export class FieldOwnership {
  readonly versions: KindVersions;
  readonly #resource: OwnedResource;
  readonly #options: OwnershipOptions;
  readonly #tracking: Tracking;
  /** Entries name the subresource of the write. */
  readonly #namesSubresources: boolean;
  readonly #resets = new Map<string, FieldSet>();

  constructor(resource: OwnedResource, versions: KindVersions, options: OwnershipOptions) {
    this.#resource = resource;
    this.versions = versions;
    this.#options = options;
    this.#tracking = trackingIn(options.release);
    this.#namesSubresources = atLeast(options.release, SUBRESOURCES_SINCE);
  }

  /** The subresource in managed field entries. */
  subresourceOf({ subresource }: Writer): string {
    return this.#namesSubresources ? subresource : '';
  }

  /** The fields that a write through a subresource does not change. */
  resetFields(subresource: string): FieldSet {
    let fields = this.#resets.get(subresource);
    if (fields === undefined) {
      fields = this.#fieldsReset(subresource);
      this.#resets.set(subresource, fields);
    }
    return fields;
  }

  #fieldsReset(subresource: string): FieldSet {
    const { type, schema } = this.#resource;
    const through = type.subresources.find(({ name }) => name === subresource);
    if (through !== undefined) {
      const path = written[through.behaviour];
      return path === undefined ? emptySet : setOfFields(allBut(schema, path, this.#options.names));
    }
    const hasOwnPath = type.subresources.some(({ name }) => name === 'status');
    const { resetStatus, fixedSpec } = type.strategy;
    if (!hasOwnPath && !resetStatus) return emptySet;
    return setOfFields(fixedSpec === true ? [['spec'], ['status']] : [['status']]);
  }

  /** Owners of a new object, given decoded and defaulted in the version of the client. */
  *afterCreate(sent: ApiObject, writer: Writer, about: OwnedWrite): Work<readonly RawEntry[]> {
    if (this.#tracking !== 'always') return [];
    return yield* this.#after({ next: sent }, writer, about);
  }

  /** Owners after a write other than an apply. `next.metadata.managedFields` are as the client sent them. */
  byUpdate(writer: Writer, now: string): OwnersAfter {
    const { converter } = this.#resource;
    const { differs, inPieces } = converter;
    const tracking = this.#tracking;
    return (next, old, isLarge) => {
      const before = entriesOf(old.metadata);
      if (tracking === 'never') return before;
      if (tracking === 'applied' && before.length === 0) return [];
      const about = { now, isLarge };
      if (differs && isLarge && inPieces !== undefined)
        return this.#afterConverting({ live: old, next }, writer, { ...about, inPieces });
      const served = differs
        ? { live: converter.fromHub(old), next: converter.fromHub(next) }
        : { live: old, next };
      return isLarge
        ? this.#after(served, writer, about)
        : atOnce(this.#updating(served, writer, about)).managedFields;
    };
  }

  *#afterConverting(
    { live, next }: { readonly live: ApiObject; readonly next: ApiObject },
    writer: Writer,
    { inPieces, ...about }: OwnedWrite & { readonly inPieces: ConversionInPieces },
  ): Work<readonly RawEntry[]> {
    const served = { live: yield* inPieces.fromHub(live), next: yield* inPieces.fromHub(next) };
    return yield* this.#after(served, writer, about);
  }

  *#after(sides: Sides, writer: Writer, about: OwnedWrite): Work<readonly RawEntry[]> {
    const { managedFields } = yield* this.#updating(sides, writer, about);
    return managedFields;
  }

  #updating({ live, next }: Sides, writer: Writer, { now, isLarge }: OwnedWrite): Work<UpdatedOwners> {
    return updatingOwnership({
      versions: this.versions,
      apiVersion: this.#resource.converter.apiVersion,
      manager: writer.manager,
      subresource: this.subresourceOf(writer),
      resetFields: this.resetFields(writer.subresource),
      live,
      next,
      now,
      isLarge,
    });
  }
}

/** Paths of all fields except one, its parents and the metadata. */
function allBut(schema: StructSchema, path: readonly string[], names: Names): string[][] {
  const [kept, ...below] = path;
  const declared = schema.fields.flatMap((field): string[][] => {
    const inner = resolveRef(field.schema);
    if (field.inline === true && inner.kind === 'struct') return allBut(inner, path, names);
    const name = names.field(field.name);
    if (name === 'metadata') return [];
    if (name !== kept) return [[name]];
    if (below.length === 0 || inner.kind !== 'struct') return [];
    return allBut(inner, below, names).map((rest) => [name, ...rest]);
  });
  return [...declared, ...restBut(schema, kept)];
}

/** Fields of a custom kind except one; `spec` is one of them also where the schema declares none. */
function restBut({ rest }: StructSchema, kept: string | undefined): string[][] {
  if (rest === undefined) return [];
  const names = new Set(['spec', ...(rest().properties?.keys() ?? [])]);
  for (const name of [kept, 'metadata', 'kind', 'apiVersion']) if (name !== undefined) names.delete(name);
  return [...names].map((name) => [name]);
}

export const entriesOf = (meta: ObjectMeta): readonly RawEntry[] =>
  (meta.managedFields ?? []) as readonly RawEntry[];

/** Sets the managed fields, or removes them when there are none. */
export function setOwners(meta: ObjectMeta, owners: readonly RawEntry[]): void {
  if (owners.length === 0) delete meta.managedFields;
  else meta.managedFields = owners as RawEntry[];
}

const MAX_MANAGER_BYTES = 128;
const UNKNOWN_MANAGER = 'unknown';
/** Names of clients that are managers as they are: the names of almost all clients. */
const PRINTABLE_ASCII = /^[ -~]{1,128}$/;

/** The default manager of a client: its user agent up to the first `/` (spec 4.3), `unknown` when that is empty. */
export function managerOfAgent(userAgent: string | undefined): string {
  const agent = userAgent ?? '';
  const slash = agent.indexOf('/');
  const head = slash === -1 ? agent : agent.slice(0, slash);
  if (PRINTABLE_ASCII.test(head)) return head;
  let manager = '';
  let bytes = 0;
  for (const character of head) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_MANAGER_BYTES) break;
    manager += character;
  }
  return manager === '' ? UNKNOWN_MANAGER : manager;
}
