import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/** A certificate that is selected by server name, PEM. */
export interface NamedTls {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  /** In lower case; the first label may be `*`. */
  readonly names: readonly string[];
}

/** The TLS contexts of certificates with names. */
export class NamedContexts {
  readonly #byName = new Map<string, SecureContext>();

  /** `common`: everything besides certificate and key. Throws what Node throws when one cannot be read. */
  constructor(named: readonly NamedTls[], common: SecureContextOptions) {
    for (const { key, cert, names } of named) {
      const context = createSecureContext({ ...common, key, cert });
      // The first of several certificates for a name is used.
      for (const name of names) if (!this.#byName.has(name)) this.#byName.set(name, context);
    }
  }

  /** The context for a name; undefined when the default certificate is used. */
  of(serverName: string): SecureContext | undefined {
    const name = serverName.toLowerCase().replace(/\.$/, '');
    return this.#byName.get(name) ?? this.#byName.get(name.replace(/^[^.]*/, '*'));
  }
}
