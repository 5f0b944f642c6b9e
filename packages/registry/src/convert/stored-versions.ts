import type { ServedType } from '@orch/apis';
import { ownBytes } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import type { MessageVersion } from './stored-protobuf.ts';
import {
  apiVersionOf,
  type VersionConverter,
  type VersionConverterOptions,
  versionConverter,
} from './version-converter.ts';

/** A version that objects may be stored in. */
export interface StoredVersion extends MessageVersion {
  readonly converter: VersionConverter;
  /** The first bytes of its objects in canonical JSON. */
  readonly head: Buffer;
}

/** The versions in which objects of a kind may be stored: all that are declared, served or not. */
export class StoredVersions {
  /** The version that the server processes and caches. */
  readonly hub: StoredVersion;
  /** The version in which objects are written. */
  readonly written: StoredVersion;
  readonly #all: readonly StoredVersion[];

  constructor(type: ServedType, options: VersionConverterOptions) {
    const { kind } = type;
    this.#all = type.versions.map((version): StoredVersion => {
      const converter = versionConverter(type, version, options);
      const { apiVersion } = converter;
      return { kind, apiVersion, schema: version.schema, converter, head: headOf(kind, apiVersion) };
    });
    const writtenVersion = apiVersionOf(type, type.stored, options.names);
    const [hub] = this.#all;
    const written = this.#all.find(({ apiVersion }) => apiVersion === writtenVersion);
    if (hub === undefined || written === undefined)
      throw new TypeError(`${type.resource} has no stored version`);
    this.hub = hub;
    this.written = written;
  }

  /** The version of bytes in canonical JSON; undefined for other formats. */
  ofCanonical(bytes: Buffer): StoredVersion | undefined {
    return this.#all.find(({ head }) => startsWith(bytes, head));
  }

  /** The version of a parsed object. Throws for values that are not objects of the kind. */
  ofObject(object: unknown): StoredVersion {
    if (!isJsonObject(object)) throw new TypeError('the stored value is not a JSON object');
    return this.named(object['kind'], object['apiVersion']);
  }

  /** Throws for versions that the kind does not have. */
  named(kind: unknown, apiVersion: unknown): StoredVersion {
    const found = this.#all.find((version) => version.apiVersion === apiVersion && version.kind === kind);
    if (found !== undefined) return found;
    throw new TypeError(
      `it is stored as ${String(kind)} of ${String(apiVersion)}, a version that ${this.hub.kind} does not have`,
    );
  }
}

const headOf = (kind: string, apiVersion: string): Buffer =>
  ownBytes(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);

export const startsWith = (bytes: Buffer, head: Buffer): boolean =>
  bytes.length >= head.length && bytes.compare(head, 0, head.length, 0, head.length) === 0;
