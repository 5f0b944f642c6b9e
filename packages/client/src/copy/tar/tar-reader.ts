import { parseLongHeaders } from './tar-fields.ts';
import { type HeaderBlock, type LongHeaders, readHeader, TarError } from './tar-header.ts';

/** A member of an archive. Names are as the archive has them: they can be absolute or lead to parent folders. */
export interface TarEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly linkName: string;
  readonly size: number;
  readonly mode: number;
}

/** Receives the content of a file; `end` follows the last byte. */
export interface TarSink {
  write(data: Uint8Array): void;
  end(): void;
}

/** Maximum size of names outside of the header block. */
const MAX_LONG_HEADER_BYTES = 64 * 1024;
const BLOCK = 512;

/** Reads an archive (ustar, pax, GNU) from chunks of any size, in constant memory. Throws a `TarError` for other data. */
export class TarReader {
  readonly #open: (entry: TarEntry) => TarSink | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #left = 0;
  #padding = 0;
  #sink: TarSink | undefined;
  #long: LongHeaders = {};
  #hasEnded = false;

  /** `open`: called for each member in order; without a sink the content is skipped. */
  constructor(open: (entry: TarEntry) => TarSink | undefined) {
    this.#open = open;
  }

  push(chunk: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    while (!this.#hasEnded && (this.#left + this.#padding > 0 ? this.#content() : this.#header()));
    if (this.#hasEnded) this.#rest = Buffer.alloc(0);
  }

  /** Throws a `TarError` for an archive that ends within a member. */
  end(): void {
    this.#sink?.end();
    if (this.#left > 0 || this.#rest.length > 0) throw new TarError('the archive ends within a member');
  }

  /** False when more data is required. */
  #content(): boolean {
    if (this.#rest.length === 0) return false;
    const part = this.#rest.subarray(0, this.#left);
    const skipped = Math.min(this.#rest.length - part.length, this.#left === part.length ? this.#padding : 0);
    this.#sink?.write(part);
    this.#left -= part.length;
    this.#padding -= skipped;
    this.#rest = this.#rest.subarray(part.length + skipped);
    if (this.#left === 0) this.#close();
    return true;
  }

  #close(): void {
    this.#sink?.end();
    this.#sink = undefined;
  }

  #header(): boolean {
    if (this.#rest.length < BLOCK) return false;
    const block = this.#rest.subarray(0, BLOCK);
    this.#rest = this.#rest.subarray(BLOCK);
    if (block.every((byte) => byte === 0)) {
      this.#hasEnded = true;
      return false;
    }
    const header = readHeader(block);
    this.#left = header.size;
    if (header.longKind === undefined) this.#start(header);
    else this.#sink = this.#longHeader(header, header.longKind);
    this.#padding = (BLOCK - (this.#left % BLOCK)) % BLOCK;
    if (this.#left === 0) this.#close();
    return true;
  }

  #start(header: HeaderBlock): void {
    const { name = header.name, linkName = header.linkName, size = header.size } = this.#long;
    this.#long = {};
    const { kind, mode } = header;
    this.#left = kind === 'file' || kind === 'other' ? size : 0;
    this.#sink = this.#open({ name, linkName, size: this.#left, kind, mode });
  }

  #longHeader({ size }: HeaderBlock, kind: 'pax' | 'name' | 'link' | 'ignored'): TarSink {
    if (size > MAX_LONG_HEADER_BYTES) throw new TarError('a name has more than 64 KiB');
    const chunks: Uint8Array[] = [];
    return {
      write: (data) => void chunks.push(Buffer.from(data)),
      end: () => {
        this.#long = { ...this.#long, ...parseLongHeaders(kind, Buffer.concat(chunks)) };
      },
    };
  }
}
