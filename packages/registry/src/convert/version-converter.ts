import type { KindVersion, ResourceType } from '@orch/apis';
import type { CachedObject, ObjectEncoder } from '@orch/cache';
import { type ApiObject, errors, type Names } from '@orch/machinery';
import type { Turns, Work } from '@orch/machinery/concurrency';
import {
  cloneJson,
  cloneJsonInPieces,
  encodeJson,
  encodeJsonInPieces,
  hasManyParts,
  parseJson,
  parseJsonInPieces,
} from '@orch/machinery/json';
import type { CodecCompiler, Decoded, Lens, LensDirection, StructSchema } from '@orch/schema';
import { metadataSpan } from '../json/json-slices.ts';
import { type Conversion, webhookVersionConverter } from './webhook-conversion.ts';

/**
 * Converts objects between one version of a kind and the hub version, in which the server processes and caches them.
 * Versions that differ from the hub only by name share its values; others are converted by a lens.
 */
export interface VersionConverter {
  /** Served name: `batch/v1`. */
  readonly apiVersion: string;
  /** With the key of the group: `batch/v1`, under every naming. */
  readonly canonicalVersion: string;
  /** A lens converts between this version and the hub. */
  readonly differs: boolean;
  /** The conversion to the hub loses fields that the hub does not declare. */
  readonly losesFields?: boolean;
  /** Encodes cached objects in this version; undefined for the hub itself. */
  readonly encoder: ObjectEncoder | undefined;
  /** Set where a lens converts: its conversions in pieces. */
  readonly inPieces?: ConversionInPieces;
  /** Set where a webhook converts; the functions then run in `withConversions`. */
  readonly conversion?: Conversion;
  /** Converts an object, which is consumed, to the hub version. 400 when it cannot be converted. */
  toHub(object: ApiObject): ApiObject;
  /** Converts an object of the hub version to this one; the result shares values with it when no lens is needed. */
  fromHub(hub: ApiObject): ApiObject;
  /** Converts the JSON of an object in the hub version to this version. */
  convertJson(hubJson: Buffer): Buffer;
}

/** The conversions of a `VersionConverter`, in pieces. */
export interface ConversionInPieces {
  toHub(object: ApiObject): Work<ApiObject>;
  fromHub(hub: ApiObject): Work<ApiObject>;
  convertJson(hubJson: Buffer): Work<Buffer>;
}

export interface VersionConverterOptions {
  readonly names: Names;
  /** Codecs of all fields, including those that the release does not serve, so that conversions lose none. */
  readonly codecs: CodecCompiler;
  /** Reports an object that cannot be converted to this version; only its metadata is served. */
  readonly failed?: (apiVersion: string, error: unknown) => void;
}

/** The hub version of a resource. */
export function hubOf({ versions: [hub], resource }: ResourceType): KindVersion {
  if (hub === undefined) throw new TypeError(`${resource} has no version`);
  return hub;
}

export const apiVersionOf = (type: ResourceType, version: KindVersion, names: Names): string =>
  names.apiVersion(version.group ?? type.group, version.version);

export function versionConverter(
  type: ResourceType,
  version: KindVersion,
  options: VersionConverterOptions,
): VersionConverter {
  const { names } = options;
  const hub = hubOf(type);
  const group = version.group ?? type.group;
  const about = {
    apiVersion: apiVersionOf(type, version, names),
    canonicalVersion: group === '' ? version.version : `${group}/${version.version}`,
  };
  const hubApiVersion = apiVersionOf(type, hub, names);
  const { objectConverter: converter } = type;
  if (converter !== undefined) {
    const own = { apiVersion: about.apiVersion, schema: version.schema };
    const { canonicalVersion } = about;
    const inHub = { apiVersion: hubApiVersion, schema: hub.schema };
    return webhookVersionConverter({ canonicalVersion, own, hub: inHub, converter, codecs: options.codecs });
  }
  if (version.lens !== undefined)
    return lensConverter(
      about,
      version.lens,
      {
        hub: { apiVersion: hubApiVersion, schema: hub.schema, decodedOnRead: hub.decodedOnRead },
        own: {
          apiVersion: about.apiVersion,
          schema: version.schema,
          decodedOnRead: version.decodedOnRead,
        },
      },
      options,
    );
  return about.apiVersion === hubApiVersion ? hubConverter(about) : renamingConverter(about, hubApiVersion);
}

type VersionNames = Pick<VersionConverter, 'apiVersion' | 'canonicalVersion'>;

const hubConverter = (about: VersionNames): VersionConverter => ({
  ...about,
  differs: false,
  encoder: undefined,
  toHub: (object) => object,
  fromHub: (hub) => hub,
  convertJson: (hubJson) => hubJson,
});

const encoderOf = ({ apiVersion }: VersionNames, render: (hubJson: Buffer) => Buffer): ObjectEncoder => ({
  id: `version ${apiVersion}`,
  encode: (object: CachedObject) => render(object.json()),
});

/** For versions that differ from the hub only by name. */
function renamingConverter(about: VersionNames, hubApiVersion: string): VersionConverter {
  const convertJson = (hubJson: Buffer): Buffer => withApiVersion(hubJson, about.apiVersion);
  return {
    ...about,
    differs: false,
    encoder: encoderOf(about, convertJson),
    toHub(object) {
      object.apiVersion = hubApiVersion;
      return object;
    },
    fromHub: (hub) => ({ ...hub, apiVersion: about.apiVersion }),
    convertJson,
  };
}

const API_VERSION = Buffer.from('"apiVersion":"');
const QUOTE = 0x22;

/** Writes another `apiVersion` into canonical JSON; no other byte changes. */
export function withApiVersion(json: Buffer, apiVersion: string): Buffer {
  const start = json.indexOf(API_VERSION) + API_VERSION.length;
  const end = json.indexOf(QUOTE, start);
  return Buffer.concat([json.subarray(0, start), Buffer.from(apiVersion), json.subarray(end)]);
}

interface VersionSchema {
  readonly apiVersion: string;
  readonly schema: StructSchema;
  readonly decodedOnRead?: boolean | undefined;
}

function lensConverter(
  about: VersionNames,
  lens: Lens,
  { hub, own }: { readonly hub: VersionSchema; readonly own: VersionSchema },
  { names, codecs, failed }: VersionConverterOptions,
): VersionConverter {
  const targets = { toHub: hub, fromHub: own };
  const decoding = ({ decodedOnRead }: VersionSchema) => ({ defaults: decodedOnRead === true });
  /** Consumes `object`. The codec orders the fields and checks those that the lens restored from annotations. */
  const convert = (object: ApiObject, direction: LensDirection): Decoded => {
    const to = targets[direction];
    lens[direction](object, { names, root: object });
    object.apiVersion = to.apiVersion;
    return codecs.compile(to.schema).decode(object, decoding(to));
  };
  function* converting(object: ApiObject, direction: LensDirection): Work<Decoded> {
    const to = targets[direction];
    const scope = { names, root: object };
    if (lens.inPieces === undefined) lens[direction](object, scope);
    else yield* lens.inPieces[direction](object, scope);
    object.apiVersion = to.apiVersion;
    yield;
    return yield* codecs.compile(to.schema).decodeInPieces(object, decoding(to));
  }
  const fromHub = (object: ApiObject): ApiObject => convert(object, 'fromHub').value;
  const refused = (why: string): Error =>
    errors.badRequest(`the object cannot be converted from ${about.apiVersion} to ${hub.apiVersion}: ${why}`);
  const unlessMistyped = ({ problems, value }: Decoded): ApiObject => {
    const wrong = problems.find(({ kind }) => kind === 'type');
    if (wrong !== undefined) throw refused(wrong.message);
    return value;
  };
  /** One object that cannot be converted must not fail a whole list. */
  const instead = (hubJson: Buffer, error: unknown): Buffer => {
    failed?.(about.apiVersion, error);
    return metadataOnly(hubJson, about.apiVersion);
  };
  const convertJson = (hubJson: Buffer): Buffer => {
    try {
      return encodeJson(fromHub(parseJson(hubJson) as ApiObject));
    } catch (error) {
      return instead(hubJson, error);
    }
  };
  return {
    ...about,
    differs: true,
    losesFields: lens.losesFields === true,
    encoder: encoderOf(about, convertJson),
    toHub(object) {
      let converted: Decoded;
      try {
        converted = convert(object, 'toHub');
      } catch {
        throw refused(MISMATCH);
      }
      return unlessMistyped(converted);
    },
    fromHub: (hubObject) => fromHub(cloneJson(hubObject)),
    convertJson,
    inPieces: {
      *toHub(object) {
        let converted: Decoded;
        try {
          converted = yield* converting(object, 'toHub');
        } catch {
          throw refused(MISMATCH);
        }
        return unlessMistyped(converted);
      },
      *fromHub(hubObject) {
        return (yield* converting(yield* cloneJsonInPieces(hubObject), 'fromHub')).value;
      },
      *convertJson(hubJson) {
        try {
          const object = (yield* parseJsonInPieces(hubJson)) as ApiObject;
          const { value } = yield* converting(object, 'fromHub');
          return yield* encodeJsonInPieces(value);
        } catch (error) {
          return instead(hubJson, error);
        }
      },
    },
  };
}

const MISMATCH = 'its annotations do not match its fields';

/** The kind, version and metadata of an object in canonical form, in place of the whole object. */
function metadataOnly(hubJson: Buffer, apiVersion: string): Buffer {
  const { start, end } = metadataSpan(hubJson);
  const { kind } = parseJson(Buffer.concat([hubJson.subarray(0, start), Buffer.from('{}}')])) as ApiObject;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":`;
  return Buffer.concat([Buffer.from(head), hubJson.subarray(start, end), Buffer.from('}')]);
}

interface WithTurns {
  readonly turns: Turns;
}

/** Converts an object of the hub version; in turns when it is large and a lens converts it. */
export const fromHubInTurns = (
  { turns }: WithTurns,
  converter: VersionConverter,
  hub: ApiObject,
): ApiObject | Promise<ApiObject> =>
  converter.inPieces !== undefined && hasManyParts(hub)
    ? turns.run(converter.inPieces.fromHub(hub))
    : converter.fromHub(hub);

/** Converts an object, which is consumed, to the hub version; in turns when it is large and a lens converts it. */
export const toHubInTurns = (
  { turns }: WithTurns,
  converter: VersionConverter,
  object: ApiObject,
): ApiObject | Promise<ApiObject> =>
  converter.inPieces !== undefined && hasManyParts(object)
    ? turns.run(converter.inPieces.toHub(object))
    : converter.toHub(object);
