import type { KindVersion, ResourceType } from '@orch/apis';
import type { CachedObject, ObjectEncoder } from '@orch/cache';
import { type ApiObject, cloneJson, encodeJson, errors, type Names, parseJson } from '@orch/machinery';
import type { CodecCompiler, Lens, StructSchema } from '@orch/schema';
import { metadataSpan } from '../json/json-slices.ts';

/**
 * One version of a kind, joined with the hub: the form in which the server works, and the cache keeps objects. Versions
 * that differ from the hub by nothing but their name share its values; for the others a lens goes between.
 */
export interface VersionConverter {
  /** As served: `batch/v1`. */
  readonly apiVersion: string;
  /** With the key of the group: `batch/v1`, under every naming. */
  readonly canonicalVersion: string;
  /** A lens lies between this form and the hub. */
  readonly differs: boolean;
  /** What differs from the JSON of the hub; undefined for the hub itself. */
  readonly encoder: ObjectEncoder | undefined;
  /** An object of this version in the hub version; the one that was given is used up. 400 when it has no such form. */
  toHub(object: ApiObject): ApiObject;
  /** An object of the hub version in this one, which shares members with it when the form is the same. */
  fromHub(hub: ApiObject): ApiObject;
  /** The JSON of an object in this version, from that in the hub version. */
  convertJson(hubJson: Buffer): Buffer;
}

export interface VersionConverterOptions {
  readonly names: Names;
  /** Of all members, whatever the release serves: a conversion loses none. */
  readonly codecs: CodecCompiler;
  /** Told of an object that has no form in this version; what is shown of it is its metadata. */
  readonly failed?: (apiVersion: string, error: unknown) => void;
}

/** The hub of a row. */
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
  if (version.lens !== undefined)
    return lensConverter(about, hubApiVersion, hub, { ...version, lens: version.lens }, options);
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

/** Another name for the same form. */
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

const MEMBER = Buffer.from('"apiVersion":"');
const QUOTE = 0x22;

/** Writes another `apiVersion` into canonical JSON; no other byte changes. */
export function withApiVersion(json: Buffer, apiVersion: string): Buffer {
  const start = json.indexOf(MEMBER) + MEMBER.length;
  const end = json.indexOf(QUOTE, start);
  return Buffer.concat([json.subarray(0, start), Buffer.from(apiVersion), json.subarray(end)]);
}

interface VersionSchema {
  readonly apiVersion: string;
  readonly schema: StructSchema;
}

function lensConverter(
  about: VersionNames,
  hubApiVersion: string,
  hub: KindVersion,
  { lens, schema }: KindVersion & { readonly lens: Lens },
  { names, codecs, failed }: VersionConverterOptions,
): VersionConverter {
  const hubSide: VersionSchema = { apiVersion: hubApiVersion, schema: hub.schema };
  const ownSide: VersionSchema = { apiVersion: about.apiVersion, schema };
  /** `object` is used up. The codec puts the members in their order and checks what came out of annotations. */
  const convert = (object: ApiObject, go: Lens['toHub'], to: VersionSchema) => {
    go(object, { names, root: object });
    object.apiVersion = to.apiVersion;
    return codecs.compile(to.schema).decode(object);
  };
  const lower = (own: ApiObject): ApiObject => convert(own, lens.fromHub, ownSide).value;
  const convertJson = (hubJson: Buffer): Buffer => {
    try {
      return encodeJson(lower(parseJson(hubJson) as ApiObject));
    } catch (error) {
      // One object that cannot be shown must not take a whole list with it.
      failed?.(about.apiVersion, error);
      return metadataOnly(hubJson, about.apiVersion);
    }
  };
  return {
    ...about,
    differs: true,
    encoder: encoderOf(about, convertJson),
    toHub(object) {
      const refused = (why: string): Error =>
        errors.badRequest(
          `the object cannot be converted from ${about.apiVersion} to ${hubApiVersion}: ${why}`,
        );
      let lifted: ReturnType<typeof convert>;
      try {
        lifted = convert(object, lens.toHub, hubSide);
      } catch {
        throw refused('its annotations do not fit its members');
      }
      const wrong = lifted.problems.find(({ kind }) => kind === 'type');
      if (wrong !== undefined) throw refused(wrong.message);
      return lifted.value;
    },
    fromHub: (hubObject) => lower(cloneJson(hubObject)),
    convertJson,
  };
}

/** Stands for an object: its kind, version and metadata, in canonical form. */
function metadataOnly(hubJson: Buffer, apiVersion: string): Buffer {
  const { start, end } = metadataSpan(hubJson);
  const { kind } = parseJson(Buffer.concat([hubJson.subarray(0, start), Buffer.from('{}}')])) as ApiObject;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":`;
  return Buffer.concat([Buffer.from(head), hubJson.subarray(start, end), Buffer.from('}')]);
}
