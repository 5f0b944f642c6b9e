import { type Env, messageOf } from '@orch/machinery';
import { problemOfPair } from '../files/pem.ts';
import { readSmallFile } from '../files/small-file.ts';
import { CredentialError } from './credential-error.ts';
import { TlsListeners } from './listeners.ts';
import type { Credentials, Identity } from './types.ts';

type Pair = NonNullable<Identity['tls']>;

/** PEM text, or the file that contains it. */
export type PemSource = { readonly pem: string } | { readonly path: string };

/** A client certificate with its private key. Files are read again when they may have changed. */
export interface CertificateOptions {
  readonly cert: PemSource;
  readonly key: PemSource;
  readonly env: Pick<Env, 'clock'>;
}

/** Minimum interval between reads of the files. */
const REREAD_MS = 10_000;
/** Retry interval while one of two files has changed, or a file cannot be read. */
const RETRY_MS = 1_000;

/**
 * A client certificate and its key. Files are read again by the next request after ten seconds, and when the server has
 * rejected the certificate. A new pair applies when both files match.
 */
export const certificateCredentials = (options: CertificateOptions): Credentials => new Certificate(options);

class Certificate implements Credentials {
  readonly #options: CertificateOptions;
  readonly #listeners = new TlsListeners();
  #held: (Identity & { readonly tls: Pair }) | undefined;
  #readAgainAt = Number.NEGATIVE_INFINITY;

  constructor(options: CertificateOptions) {
    this.#options = options;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    signal.throwIfAborted();
    if (this.#held === undefined || this.#now() >= this.#readAgainAt) this.#look();
    if (this.#held === undefined) throw new CredentialError('there is no client certificate');
    return this.#held;
  }

  rejected(identity: Identity): boolean {
    return this.#held !== identity || this.#look();
  }

  onTlsChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Reports whether the pair has changed. Throws only while there is none. */
  #look(): boolean {
    const before = this.#held;
    try {
      const pair = this.#read(before?.tls);
      this.#readAgainAt = this.#now() + REREAD_MS;
      if (pair === before?.tls) return false;
      this.#held = { headers: {}, tls: pair };
    } catch (error) {
      if (before === undefined) throw error;
      this.#readAgainAt = this.#now() + RETRY_MS;
      return false;
    }
    if (before !== undefined) this.#listeners.notify();
    return true;
  }

  /** The identical pair when the files have not changed. */
  #read(before: Pair | undefined): Pair {
    const pair = { cert: textOf(this.#options.cert), key: textOf(this.#options.key) };
    if (before !== undefined && before.cert === pair.cert && before.key === pair.key) return before;
    const wrong = problemOfPair(pair);
    if (wrong === undefined) return pair;
    const what = wrong.of === 'cert' ? 'certificate' : 'key';
    throw new CredentialError(
      `the client ${what}${inFile(this.#options[wrong.of])} cannot be used: it ${wrong.problem}`,
    );
  }

  #now(): number {
    return this.#options.env.clock.monotonic();
  }
}

const inFile = (source: PemSource): string => ('path' in source ? ` in ${source.path}` : '');

function textOf(source: PemSource): string {
  if ('pem' in source) return source.pem;
  try {
    return readSmallFile(source.path);
  } catch (cause) {
    throw new CredentialError(`cannot read the client certificate or key: ${messageOf(cause)}`, { cause });
  }
}
