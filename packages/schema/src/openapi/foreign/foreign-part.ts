import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OpenApiDocument } from '../packed-document.ts';
import { type ForeignDocument, foreignDocument, foreignLines } from './foreign-v2.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The published schemas of a group version that another server serves. */
export interface ForeignSchemas {
  /** Below `/openapi/v3`, as `apis/<group>/<version>`. */
  readonly path: string;
  /** Version 3; undefined for a server that does not publish it. */
  readonly v3: ForeignDocuments | undefined;
  /** The part of version 2. */
  readonly v2: ForeignPart | undefined;
}

/** A document of another server, passed on unchanged. */
export interface ForeignDocuments {
  readonly json: OpenApiDocument;
  readonly protobuf: OpenApiDocument | undefined;
}

/** Paths and definitions of another server. They are kept compressed, and read when a document is made. */
export class ForeignPart {
  readonly #packed: Buffer;

  private constructor(packed: Buffer) {
    this.#packed = packed;
  }

  /** The part of a version 2 document below a path, as `/apis/<group>/<version>`. Rejects for invalid JSON. */
  static async of(body: Uint8Array, prefix: string): Promise<ForeignPart> {
    return new ForeignPart(await pack(Buffer.concat(await foreignLines(body, prefix))));
  }

  async read(): Promise<ForeignDocument> {
    return foreignDocument(await unpack(this.#packed));
  }
}
