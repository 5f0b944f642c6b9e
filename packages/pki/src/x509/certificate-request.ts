import { createPublicKey } from 'node:crypto';
import { type AlternativeNames, type FoundNames, readAlternativeNames } from './alternative-names.ts';
import { DerError, DerReader, type DerValue, tags } from './der-reader.ts';
import { oid } from './der-writer.ts';
import { oids } from './oids.ts';
import { pemBlocks } from './pem.ts';
import { commonNamesOf, type DistinguishedName, organizationsOf, readName } from './subject.ts';

/** A signature that has not been verified, with the signed bytes. */
export interface Signature {
  readonly signed: Buffer;
  /** Object identifier, encoded. */
  readonly algorithm: Buffer;
  /** Parameters of the algorithm, encoded; empty when there are none. */
  readonly parameters: Buffer;
  readonly value: Buffer;
}

/** Content of a PKCS#10 request. Its signature has not been verified: see `requestSignatureProblem`. */
export interface CertificateRequest extends AlternativeNames {
  readonly subject: DistinguishedName;
  /** The last one of the subject; empty when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  readonly signature: Signature;
}

/** Object identifiers as they are encoded. */
const encoded = {
  extensionRequest: oid(oids.extensionRequest),
  subjectAlternativeName: oid(oids.subjectAlternativeName),
  rsa: oid(oids.rsa),
  ellipticCurve: oid(oids.ellipticCurve),
  ed25519: oid(oids.ed25519),
};

const oidOf = (reader: DerReader, what: string): Buffer => reader.expect(tags.objectIdentifier, what).raw;

/**
 * Throws a DerError when a key of a kind that the platform supports cannot be read; keys of other kinds are not
 * checked.
 */
function checkKey({ raw, content }: DerValue): void {
  const reader = new DerReader(content);
  const algorithm = reader.enter(tags.sequence, 'algorithm of the public key');
  const type = oidOf(algorithm, 'algorithm of the public key');
  reader.expect(tags.bitString, 'the public key');
  reader.end('the public key');
  const isCurve = type.equals(encoded.ellipticCurve);
  if (!isCurve && !type.equals(encoded.rsa) && !type.equals(encoded.ed25519)) return;
  // Explicit curve parameters are rejected without parsing: computing with them can be made arbitrarily expensive.
  if (isCurve) algorithm.expect(tags.objectIdentifier, 'name of the curve');
  try {
    createPublicKey({ key: Buffer.from(raw), format: 'der', type: 'spki' });
  } catch (cause) {
    throw new DerError('a public key that cannot be read', { cause });
  }
}

function readExtensions(extensions: DerReader, found: FoundNames): void {
  while (extensions.more()) {
    const extension = extensions.enter(tags.sequence, 'an extension');
    const type = oidOf(extension, 'type of an extension');
    if (extension.nextIs(tags.boolean)) extension.next();
    const { content } = extension.expect(tags.octetString, 'value of an extension');
    extension.end('an extension');
    if (type.equals(encoded.subjectAlternativeName)) readAlternativeNames(content, found);
  }
}

function readAttributes(attributes: DerReader, found: FoundNames): void {
  while (attributes.more()) {
    const attribute = attributes.enter(tags.sequence, 'an attribute');
    const type = oidOf(attribute, 'type of an attribute');
    const values = attribute.enter(tags.set, 'values of an attribute');
    attribute.end('an attribute');
    if (!type.equals(encoded.extensionRequest)) continue;
    while (values.more()) readExtensions(values.enter(tags.sequence, 'extensions'), found);
  }
}

/** The signature algorithm and the signature, after the content of the request. */
function readSignature(request: DerReader, signed: Buffer): Signature {
  const algorithm = request.enter(tags.sequence, 'algorithm of the signature');
  const type = oidOf(algorithm, 'algorithm of the signature');
  const { content } = request.expect(tags.bitString, 'the signature');
  request.end('the signature');
  // The first byte is the number of unused bits in the last one.
  const value = content[0] === 0 ? content.subarray(1) : Buffer.alloc(0);
  return { signed, algorithm: type, parameters: algorithm.rest(), value };
}

/** Reads a DER-encoded PKCS#10 request (RFC 2986) from untrusted bytes; throws a `DerError`. */
export function readCertificateRequest(bytes: Buffer): CertificateRequest {
  const outer = new DerReader(bytes);
  const request = outer.enter(tags.sequence, 'a certificate request');
  outer.end('the certificate request');
  const content = request.expect(tags.sequence, 'the content of the request');
  const info = request.inside(content);
  const signature = readSignature(request, content.raw);
  info.expect(tags.integer, 'version of the request');
  const subject = readName(info.enter(tags.sequence, 'the subject'));
  const key = info.expect(tags.sequence, 'the public key');
  checkKey(key);
  const found: FoundNames = { dnsNames: [], emailAddresses: [], uris: [], ipAddresses: [], others: 0 };
  if (info.more()) readAttributes(info.enter(tags.context0, 'attributes of the request'), found);
  info.end('the content of the request');
  return {
    ...found,
    subject,
    commonName: commonNamesOf(subject).at(-1) ?? '',
    organizations: organizationsOf(subject),
    publicKey: key.raw,
    signature,
  };
}

/** Reads `spec.request`: base64 of PEM whose first block is a certificate request. Throws a `DerError`. */
export function parseCertificateRequest(base64: string): CertificateRequest {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
  if (block?.label !== 'CERTIFICATE REQUEST') {
    throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  }
  return readCertificateRequest(block.bytes);
}
