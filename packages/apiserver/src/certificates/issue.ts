import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Random } from '@orch/machinery';
import { bits, boolean, explicit, implicit, integer, octets, oid, sequence, set, time, utf8 } from './der.ts';

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** What a certificate says. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly use: 'authority' | 'server' | 'client';
  /** DNS names and IP addresses that a server answers under. */
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

/** Makes an ECDSA P-256 key and a certificate for it: signed by `issuer`, or by itself without one (RFC 5280). */
export function issueCertificate(request: CertificateRequest, random: Random, issuer?: KeyPair): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = publicKey.export({ type: 'spki', format: 'der' });
  const signer = issuer === undefined ? undefined : new X509Certificate(issuer.cert);
  const issuerKey = signer === undefined ? own : signer.publicKey.export({ type: 'spki', format: 'der' });
  const subject = nameOf(request);
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber(random)),
    algorithm,
    signer === undefined ? subject : subjectOf(signer),
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    own,
    explicit(3, sequence(...extensionsOf(request, keyId(own), keyId(issuerKey)))),
  );
  const signature = sign('sha256', body, issuer === undefined ? privateKey : issuer.key);
  return { key: pemOfKey(privateKey), cert: pem('CERTIFICATE', sequence(body, algorithm, bits(signature))) };
}

/** 128 random bits, of which the first stays clear. */
function serialNumber(random: Random): Buffer {
  const serial = random.bytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

function nameOf({ organizations = [], commonName }: CertificateRequest): Buffer {
  const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
  return sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  );
}

/** The subject of an issuer that `issueCertificate` made: such an issuer has a common name and nothing else. */
function subjectOf(certificate: X509Certificate): Buffer {
  const { CN } = certificate.toLegacyObject().subject;
  if (typeof CN !== 'string') throw new TypeError('the issuer has no single common name');
  return nameOf({ commonName: CN, use: 'authority', notBefore: 0, notAfter: 0 });
}

const keyId = (spki: Uint8Array): Buffer => createHash('sha1').update(spki).digest();

function extensionsOf(
  request: CertificateRequest,
  subjectKeyId: Buffer,
  authorityKeyId: Buffer,
): readonly Buffer[] {
  const extension = (type: string, content: Buffer, isCritical = false): Buffer =>
    sequence(oid(type), ...(isCritical ? [boolean(true)] : []), octets(content));
  const isAuthority = request.use === 'authority';
  return [
    // keyCertSign, cRLSign and digitalSignature; or digitalSignature alone.
    extension(oids.keyUsage, isAuthority ? bits(Buffer.from([0x86]), 1) : bits(Buffer.from([0x80]), 7), true),
    ...(isAuthority
      ? []
      : [
          extension(
            oids.extendedKeyUsage,
            sequence(oid(request.use === 'server' ? oids.serverAuth : oids.clientAuth)),
          ),
        ]),
    extension(oids.basicConstraints, isAuthority ? sequence(boolean(true)) : sequence(), true),
    extension(oids.subjectKeyId, octets(subjectKeyId)),
    extension(oids.authorityKeyId, sequence(implicit(0, authorityKeyId))),
    ...(request.hosts === undefined
      ? []
      : [extension(oids.subjectAltName, sequence(...request.hosts.map(generalName)))]),
  ];
}

/** A host in a subjectAltName: `[2]` for a DNS name, `[7]` for an address in network order. */
function generalName(host: string): Buffer {
  return isIP(host) === 0 ? implicit(2, Buffer.from(host, 'ascii')) : implicit(7, addressBytes(host));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const middle = tail === undefined ? [] : new Array<number>(8 - left.length - right.length).fill(0);
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...left, ...middle, ...right].entries())
    bytes.writeUInt16BE(group, index * 2);
  return bytes;
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const pemOfKey = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
