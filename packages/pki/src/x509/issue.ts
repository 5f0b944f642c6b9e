import { generateKeyPairSync } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { alternativeNamesOf } from './alternative-names.ts';
import { readPair } from './authority.ts';
import { type Issuer, keyIdOf, signCertificate } from './certificate.ts';
import { encodePem } from './pem.ts';
import { simpleName } from './subject.ts';

/** Content of a certificate with a new key. */
export interface CertificateContent {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly use: 'authority' | 'server' | 'client';
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** A key and its certificate, in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

const usages = {
  authority: ['cert sign', 'crl sign', 'digital signature'],
  server: ['digital signature', 'server auth'],
  client: ['digital signature', 'client auth'],
} as const;

/** Makes an ECDSA P-256 key and a certificate for it: signed by `issuer`, or by itself without one (RFC 5280). */
export function issueCertificate(content: CertificateContent, random: Random, issuer?: KeyPair): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = publicKey.export({ type: 'spki', format: 'der' });
  const subject = simpleName(content.commonName, content.organizations);
  const signer: Issuer =
    issuer === undefined
      ? { subject, keyId: keyIdOf(own), key: privateKey }
      : readPair(issuer.cert, issuer.key);
  const certificate = signCertificate(
    {
      subject,
      publicKey: own,
      notBefore: content.notBefore,
      notAfter: content.notAfter,
      usages: usages[content.use],
      isAuthority: content.use === 'authority',
      hasKeyId: true,
      ...(content.hosts === undefined ? {} : { alternativeNames: alternativeNamesOf(content.hosts) }),
    },
    signer,
    random,
  );
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: encodePem('CERTIFICATE', certificate) };
}
