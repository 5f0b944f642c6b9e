import type { Credentials, Identity } from './types.ts';

/**
 * Credentials made of others: `combine` makes one identity of theirs, and is asked again when one of them has another.
 * A rejection goes to all of them.
 */
export function combinedCredentials(
  parts: readonly Credentials[],
  combine: (identities: readonly Identity[]) => Identity,
): Credentials {
  return new Combined(parts, combine);
}

/** Headers of one, the client certificate of the other. */
export const withCertificate = (inner: Credentials, certificate: Credentials): Credentials =>
  combinedCredentials([inner, certificate], ([said, shown]) => ({
    headers: said?.headers ?? {},
    ...(shown?.tls !== undefined && { tls: shown.tls }),
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
    // Equal parts are one identity, so that a rejection is known to be about the current one.
    if (last?.of.every((one, i) => one === of[i])) return last.identity;
    const identity = this.#combine(of);
    this.#madeOf.set(identity, of);
    this.#last = { identity, of };
    return identity;
  }

  rejected(identity: Identity): boolean {
    const of = this.#madeOf.get(identity) ?? [];
    // Every part is told, although one that has something new would be enough.
    const answers = of.map((one, i) => this.#parts[i]?.rejected(one) === true);
    return answers.includes(true);
  }

  onTlsChange(listener: () => void): () => void {
    const ends = this.#parts.map((part) => part.onTlsChange(listener));
    return () => {
      for (const end of ends) end();
    };
  }
}
