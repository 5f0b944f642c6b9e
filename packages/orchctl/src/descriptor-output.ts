import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { TextOutput } from './io.ts';

/** A stream of the process that can be opened instead of a descriptor, and that waits for room. */
export interface OutputStream {
  /** Width of the terminal. */
  readonly columns: number | undefined;
  write(bytes: Uint8Array): boolean;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

const DEFAULT_COLUMNS = 80;

/**
 * Standard output or error. Text is written to the descriptor at once: opening a stream takes a short command longer than its work.
 * From the first write on that would block a descriptor in non-blocking mode, everything goes through the stream.
 */
export class DescriptorOutput implements TextOutput {
  readonly #descriptor: number;
  readonly #openStream: () => OutputStream;
  #stream: OutputStream | undefined;
  #terminal: OutputStream | undefined;
  #hasRoom = true;
  #isClosed = false;

  constructor(descriptor: number, openStream: () => OutputStream) {
    this.#descriptor = descriptor;
    this.#openStream = openStream;
  }

  get columns(): number | undefined {
    if (!isTerminal(this.#descriptor)) return undefined;
    this.#terminal ??= this.#openStream();
    // A terminal that does not report its width, such as a new one, is still a terminal.
    return this.#terminal.columns || DEFAULT_COLUMNS;
  }

  write(text: string | Uint8Array): void {
    if (this.#isClosed) return;
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const rest = this.#stream === undefined ? this.#written(bytes) : bytes;
    if (rest.byteLength > 0) this.#hasRoom = this.#waiting().write(rest);
  }

  drained(): Promise<void> {
    if (this.#hasRoom || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream?.once('drain', resolve);
      this.#stream?.once('close', resolve);
    });
  }

  /** Whether everything was written to the descriptor, so that the end of the process loses nothing. */
  get isWritten(): boolean {
    return this.#stream === undefined;
  }

  /** Writes as much as the descriptor takes and returns the rest. */
  #written(bytes: Uint8Array): Uint8Array {
    let rest = bytes;
    while (rest.byteLength > 0) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
      } catch (error) {
        if (codeOf(error) === 'EAGAIN') return rest;
        // The reader may close its end early, such as `head`; what cannot be written is dropped, as by the stream.
        this.#isClosed = true;
        return rest.subarray(rest.byteLength);
      }
    }
    return rest;
  }

  #waiting(): OutputStream {
    if (this.#stream === undefined) {
      this.#stream = this.#openStream();
      this.#stream.on('error', () => {
        this.#isClosed = true;
      });
    }
    return this.#stream;
  }
}

/** Reports whether a descriptor is a terminal. Only devices can be: the module that tells is not loaded for files and pipes. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && isatty(descriptor);
  } catch {
    // A descriptor that is closed.
    return false;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
