import { type Env, messageOf } from '@orch/machinery';
import { readSmallFile } from '../files/small-file.ts';
import { CredentialError } from './credential-error.ts';
import { bearer, isToken } from './fixed.ts';
import type { Credentials, Identity } from './types.ts';

/** A file with a bearer token, which is read again when it may have changed. */
export interface TokenFileOptions {
  readonly path: string;
  readonly env: Pick<Env, 'clock'>;
  /** The token until the file was first read. */
  readonly fallback?: string;
}

/** Interval of reads. Tokens are renewed in the file well before they expire. */
const REREAD_MS = 60_000;
/** Retry interval for an unreadable file. */
const RETRY_MS = 5_000;

/**
 * The token of a file, which is read once a minute and after a rejection by the server. While the file cannot be read, the
 * last token applies.
 */
export const tokenFileCredentials = (options: TokenFileOptions): Credentials => new TokenFile(options);

interface Held {
  readonly identity: Identity;
  readonly text: string;
}

class TokenFile implements Credentials {
  readonly #path: string;
  readonly #env: Pick<Env, 'clock'>;
  #held: Held | undefined;
  #readAgainAt = Number.NEGATIVE_INFINITY;

  constructor({ path, env, fallback }: TokenFileOptions) {
    this.#path = path;
    this.#env = env;
    this.#held = fallback === undefined ? undefined : { identity: bearer(fallback), text: fallback };
  }

  async current(signal: AbortSignal): Promise<Identity> {
    signal.throwIfAborted();
    const held = this.#held;
    if (held === undefined) return this.#take(this.#read()).identity;
    if (this.#now() < this.#readAgainAt) return held.identity;
    try {
      return this.#take(this.#read()).identity;
    } catch {
      this.#readAgainAt = this.#now() + RETRY_MS;
      return held.identity;
    }
  }

  rejected(identity: Identity): boolean {
    if (this.#held !== undefined && this.#held.identity !== identity) return true;
    try {
      return this.#take(this.#read()).identity !== identity;
    } catch {
      // The rejected token is the only one.
      return false;
    }
  }

  /** An unchanged token stays the same identity. */
  #take(text: string): Held {
    this.#readAgainAt = this.#now() + REREAD_MS;
    this.#held = this.#held?.text === text ? this.#held : { identity: bearer(text), text };
    return this.#held;
  }

  #now(): number {
    return this.#env.clock.monotonic();
  }

  #read(): string {
    const text = readToken(this.#path);
    if (!isToken(text)) throw new CredentialError(`the token file ${this.#path} contains no token`);
    return text;
  }

  onTlsChange(): () => void {
    return () => undefined;
  }
}

function readToken(path: string): string {
  try {
    return readSmallFile(path).trim();
  } catch (cause) {
    throw new CredentialError(`cannot read the token file: ${messageOf(cause)}`, { cause });
  }
}
