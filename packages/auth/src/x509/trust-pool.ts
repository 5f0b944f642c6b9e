import { X509Certificate } from 'node:crypto';

/** When a certificate is valid together with its authority, in epoch milliseconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Authorities of one purpose. TLS verifies certificates against the authorities of all purposes together, with their
 * extensions; this says to which purpose a verified certificate belongs. Authorities can be replaced while connections
 * last: `generation` then is another, and what was found out before holds no longer.
 */
export class TrustPool {
  #authorities: readonly X509Certificate[] = [];
  #generation = 0;
  #isOnly = false;

  get generation(): number {
    return this.#generation;
  }

  /**
   * PEM, one certificate each; throws what Node throws when one cannot be read, and then changes nothing. `isOnly`: TLS
   * knows no authorities but these, so that what it verified over authorities between belongs here too. Who presents
   * those is known to TLS alone; beside another pool, authorities between have to be among the certificates.
   */
  replace(authorities: readonly string[], { isOnly }: { readonly isOnly: boolean }): void {
    this.#authorities = authorities.map((pem) => new X509Certificate(pem));
    this.#isOnly = isOnly;
    this.#generation++;
  }

  /**
   * When a certificate that TLS verified is valid; undefined when it belongs to no authority of the pool. `isNew`: it was
   * verified against the authorities of now, not against those that the pool had before.
   */
  validityOf(certificate: X509Certificate, { isNew }: { readonly isNew: boolean }): Validity | undefined {
    const issuer = this.#authorities.find(
      (authority) => authority.raw.equals(certificate.raw) || isIssued(certificate, authority),
    );
    if (issuer !== undefined) return commonValidity(certificate, issuer);
    return this.#isOnly && isNew ? commonValidity(certificate, certificate) : undefined;
  }
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // A key that nothing can be verified with verifies nothing.
    return false;
  }
}

const commonValidity = (...certificates: readonly X509Certificate[]): Validity => ({
  notBefore: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))),
  notAfter: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))),
});
