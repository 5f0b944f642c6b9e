import { X509Certificate } from 'node:crypto';

/** Period in which a certificate is valid together with its authority, in epoch milliseconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Authorities of one purpose. TLS verifies certificates against the authorities of all purposes together, including
 * their extensions; a pool decides which purpose a verified certificate is for. Authorities can be replaced while
 * connections are open: `generation` changes, and cached results are invalid then.
 */
export class TrustPool {
  #authorities: readonly X509Certificate[] = [];
  #generation = 0;
  #isOnly = false;

  get generation(): number {
    return this.#generation;
  }

  /**
   * PEM, one certificate each. Throws the error of Node for an unreadable certificate, without any change. `isOnly`:
   * TLS has no other authorities, so that certificates that it verified through intermediate authorities are accepted
   * as well. Only TLS has the presented intermediates; beside another pool, intermediate authorities must be among the
   * certificates.
   */
  replace(authorities: readonly string[], { isOnly }: { readonly isOnly: boolean }): void {
    this.#authorities = authorities.map((pem) => new X509Certificate(pem));
    this.#isOnly = isOnly;
    this.#generation++;
  }

  /**
   * The validity of a certificate that TLS verified; undefined when it belongs to no authority of the pool. `isNew`: it
   * was verified against the current authorities, not against earlier ones of the pool.
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
