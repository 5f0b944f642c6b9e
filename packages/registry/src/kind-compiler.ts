import {
  clusterChecks,
  defaultedIn,
  fieldDeclaredIn,
  fieldServedIn,
  findKind,
  type IncludesPart,
  omittedWhereEmpty,
  type Release,
  type ServedType,
} from '@orch/apis';
import { Shapes } from '@orch/apply';
import type { Env, Names } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';
import {
  type Codec,
  type CodecCompiler,
  codecCompiler,
  type ProtobufCompiler,
  type StructSchema,
} from '@orch/schema';
import type { KindLookup } from './context/paths.ts';
import { conversionCodecs, conversionMessages } from './convert/conversion-codecs.ts';
import { type KindCodecs, kindCodecs } from './convert/decoding.ts';
import type { StoredEncoding } from './convert/storage-codec.ts';
import { scaleEncodings } from './encode/scale-encodings.ts';
import { type ServedResource, servedResources } from './resource/served-resource.ts';
import { DEFAULT_STORE_PREFIX } from './resource/store-keys.ts';

/** What decides how schemas are compiled. */
export interface SchemaCompilersOptions {
  readonly names: Names;
  readonly release: Release;
  readonly openGates?: ReadonlySet<string>;
  readonly closedGates?: ReadonlySet<string>;
  /** Whether containers may be privileged; true when absent. */
  readonly allowPrivileged?: boolean;
}

/**
 * Compilers of schemas for one naming, release and set of feature gates. What they compile is kept: all parts of a process that have
 * the same options share them.
 */
export interface SchemaCompilers {
  readonly names: Names;
  /** Whether the release serves a field. */
  readonly includes: IncludesPart;
  /** Codecs of the fields that the release serves. */
  readonly codecs: CodecCompiler;
  readonly codecsOf: (schema: StructSchema) => KindCodecs;
  /** Codecs of all fields. */
  readonly wholeCodecs: CodecCompiler;
  /** Messages have all fields: the JSON codec drops those that are disabled. */
  readonly protobufCodecs: ProtobufCompiler;
  readonly shapes: Shapes;
}

export function schemaCompilers(options: SchemaCompilersOptions): SchemaCompilers {
  const { names, release, openGates, closedGates, allowPrivileged = true } = options;
  const addedChecks = clusterChecks({ allowPrivileged });
  const includes = fieldServedIn(release, openGates, closedGates);
  const codecs = codecCompiler(names, {
    includes,
    quiet: omittedWhereEmpty(release),
    defaults: defaultedIn(release),
    addedChecks,
  });
  return {
    names,
    includes,
    codecs,
    codecsOf: kindCodecs({ names, release, includes, addedChecks }, codecs),
    wholeCodecs: conversionCodecs(names, release, openGates),
    protobufCodecs: conversionMessages(names, release, openGates),
    shapes: new Shapes(names, { includes: fieldDeclaredIn(release, includes) }),
  };
}

export interface KindCompilerOptions extends SchemaCompilersOptions {
  readonly env: Pick<Env, 'clock' | 'log' | 'turns'>;
  readonly storePrefix?: string;
  readonly storedAs?: StoredEncoding;
  /** Compilers of these options; own ones when absent. */
  readonly compilers?: SchemaCompilers;
}

/** Compiles kinds for one naming, release and set of feature gates. Compiled schemas are shared by all kinds. */
export interface KindCompiler extends KindLookup {
  /** For work on large objects. */
  readonly turns: Turns;
  /** Whether the release serves a field. */
  readonly includes: IncludesPart;
  /** The served versions of a resource, with codecs and encodings. */
  resourcesOf(type: ServedType): readonly ServedResource[];
}

export function kindCompiler(options: KindCompilerOptions): KindCompiler {
  const { names, env, release, compilers = schemaCompilers(options) } = options;
  const { includes, codecs, codecsOf, wholeCodecs, protobufCodecs, shapes } = compilers;
  const protobufOf = (kind: string) => protobufCodecs.compile(auxiliarySchema('meta', 'v1', kind));
  const shared = {
    names,
    release,
    shapes,
    clock: env.clock,
    turns: new Turns(env),
    codecsOf,
    wholeCodecs,
    protobufCodecs,
    sharedProtobuf: {
      partial: protobufOf('PartialObjectMetadata'),
      partialList: protobufOf('PartialObjectMetadataList'),
      status: protobufOf('Status'),
    },
    storePrefix: options.storePrefix ?? DEFAULT_STORE_PREFIX,
    storedAs: options.storedAs ?? 'json',
    conversionFailed: (apiVersion: string, error: unknown): void =>
      env.log.error('an object cannot be converted to a version', { apiVersion, error: String(error) }),
  } as const;
  const auxiliaryProtobuf: KindLookup['auxiliaryProtobuf'] = (group, version, kind) => {
    const schema = auxiliarySchema(group, version, kind);
    return {
      mediaType: names.mediaTypes.protobuf,
      kind,
      schemaName: schema.name,
      codec: protobufCodecs.compile(schema),
    };
  };
  const auxiliaryCodecs = new Map<string, Codec>();
  return {
    includes,
    turns: shared.turns,
    resourcesOf: (type) => servedResources(type, shared),
    auxiliary: (group, version, kind) => {
      const key = `${group} ${version} ${kind}`;
      // Every deletion asks for its options, and the search looks at all kinds.
      const codec = auxiliaryCodecs.get(key) ?? codecs.compile(auxiliarySchema(group, version, kind));
      auxiliaryCodecs.set(key, codec);
      return codec;
    },
    auxiliaryProtobuf,
    auxiliarySchema,
    scaleEncodings: scaleEncodings({ ...shared, protobufOf: auxiliaryProtobuf }),
  };
}

function auxiliarySchema(group: string, version: string, kind: string): StructSchema {
  const declaration = findKind(group, version, kind);
  if (declaration === undefined) throw new TypeError(`there is no kind ${group}/${version} ${kind}`);
  return declaration.schema;
}
