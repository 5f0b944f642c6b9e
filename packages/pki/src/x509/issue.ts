import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import type { Random } from '@orch/machinery';
import { alternativeNamesOf } from './alternative-names.ts';
import { readPair } from './authority.ts';
import { type Issuer, keyIdOf, signCertificate } from './certificate.ts';
import { encodePem } from './pem.ts';
import { privateKeyPem } from './private-key-pem.ts';
import { simpleName } from './subject.ts';

/** Content of a certificate. */
export interface CertificateContent {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** A `peer` is both a server and a client, such as an etcd member. */
  readonly use: 'authority' | 'server' | 'client' | 'peer';
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The private key (PEM) of the certificate; a new key when absent. */
  readonly existingKey?: string;
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
  peer: ['digital signature', 'server auth', 'client auth'],
} as const;

/**
 * Creates an ECDSA P-256 key, unless one is given, and a certificate for it: signed by `issuer`, or self-signed without
 * one (RFC 5280).
 */
export function issueCertificate(content: CertificateContent, random: Random, issuer?: KeyPair): KeyPair {
  const { privateKey, publicKey } = keysOf(content);
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
  return { key: privateKeyPem(privateKey), cert: encodePem('CERTIFICATE', certificate) };
}

function keysOf({ existingKey }: CertificateContent): KeyPairKeyObjectResult {
  if (existingKey === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = createPrivateKey(existingKey);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
