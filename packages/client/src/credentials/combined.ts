import type { Credentials, Identity } from './types.ts';

/**
 * Combined credentials: `combine` makes one identity of those of the parts, and is called again when one of them changes.
 * A rejection is passed to all parts.
 */
export function combinedCredentials(
  parts: readonly Credentials[],
  combine: (identities: readonly Identity[]) => Identity,
): Credentials {
  return new Combined(parts, combine);
}

/** The headers of one, with the client certificate of the other. */
export const withCertificate = (inner: Credentials, certificate: Credentials): Credentials =>
  combinedCredentials([inner, certificate], ([base, withTls]) => ({
    headers: base?.headers ?? {},
    ...(withTls?.tls !== undefined && { tls: withTls.tls }),
  }));

class Combined implements Credentials {
  readonly #parts: readonly Credentials[];
  readonly #combine: (identities: readonly Identity[]) => Identity;
  readonly #madeOf = new WeakMap<Identity, readonly Identity[]>();
  #last: { readonly identity: Identity; readonly of: readonly Identity[] } | undefined;

  constructor(parts: readonly Credentials[], combine: (identities: readonly Identity[]) => Identity) {
    this.#parts = parts;
    this.#combine = combine;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    const of = await Promise.all(this.#parts.map((part) => part.current(signal)));
    const last = this.#last;
    // Equal parts result in the same identity, so that a rejection can be matched with the current one.
    if (last?.of.every((one, i) => one === of[i])) return last.identity;
    const identity = this.#combine(of);
    this.#madeOf.set(identity, of);
    this.#last = { identity, of };
    return identity;
  }

  rejected(identity: Identity): boolean {
    const of = this.#madeOf.get(identity) ?? [];
    // Every part must be notified, so that no short-circuit is used.
    const results = of.map((one, i) => this.#parts[i]?.rejected(one) === true);
    return results.includes(true);
  }

  onTlsChange(listener: () => void): () => void {
    const ends = this.#parts.map((part) => part.onTlsChange(listener));
    return () => {
      for (const end of ends) end();
    };
  }
}
