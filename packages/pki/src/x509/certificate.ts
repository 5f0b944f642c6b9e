import { createHash, type KeyObject } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { type AlternativeNames, encodeAlternativeNames } from './alternative-names.ts';
import { bits, boolean, explicit, implicit, integer, octets, oid, sequence, time } from './der-writer.ts';
import { encodeExtendedKeyUsage, encodeKeyUsage } from './key-usages.ts';
import { oids } from './oids.ts';
import { certificateSigning } from './signature.ts';

/** Content of a certificate. Encodings are DER. */
export interface CertificateBody {
  /** A distinguished name. */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** As in requests: `client auth`. */
  readonly usages: readonly string[];
  readonly alternativeNames?: AlternativeNames;
  readonly isAuthority: boolean;
  /** Whether it contains the identifier of its key. */
  readonly hasKeyId?: boolean;
}

/** The signer. */
export interface Issuer {
  /** Its distinguished name, DER. */
  readonly subject: Buffer;
  /** Its key identifier, when it has one. */
  readonly keyId: Buffer | undefined;
  readonly key: KeyObject;
}

/** Identifies a key (RFC 5280, 4.2.1.2), given as SubjectPublicKeyInfo. */
export const keyIdOf = (publicKey: Uint8Array): Buffer => createHash('sha1').update(publicKey).digest();

/** A certificate (RFC 5280), in DER. */
export function signCertificate(body: CertificateBody, issuer: Issuer, random: Random): Buffer {
  const signing = certificateSigning(issuer.key);
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber(random)),
    signing.algorithm,
    issuer.subject,
    sequence(time(body.notBefore), time(body.notAfter)),
    body.subject,
    body.publicKey,
    explicit(3, sequence(...extensionsOf(body, issuer))),
  );
  return sequence(content, signing.algorithm, bits(signing.sign(content)));
}

/** 128 random bits, of which the first stays clear and the second does not. */
function serialNumber(random: Random): Buffer {
  const serial = random.bytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const extension = (type: string, content: Buffer | undefined, isCritical = false): readonly Buffer[] =>
  content === undefined ? [] : [sequence(oid(type), ...(isCritical ? [boolean(true)] : []), octets(content))];

const emptyName = sequence();

function extensionsOf(body: CertificateBody, issuer: Issuer): readonly Buffer[] {
  const { usages, isAuthority, publicKey, subject, alternativeNames } = body;
  const names = alternativeNames === undefined ? undefined : encodeAlternativeNames(alternativeNames);
  return [
    ...extension(oids.keyUsage, encodeKeyUsage(usages), true),
    ...extension(oids.extendedKeyUsage, encodeExtendedKeyUsage(usages)),
    ...extension(oids.basicConstraints, isAuthority ? sequence(boolean(true)) : sequence(), true),
    ...extension(oids.subjectKeyId, body.hasKeyId === true ? octets(keyIdOf(publicKey)) : undefined),
    ...extension(
      oids.authorityKeyId,
      issuer.keyId === undefined ? undefined : sequence(implicit(0, issuer.keyId)),
    ),
    // With an empty subject, these names are the only identification, so the extension is critical.
    ...extension(
      oids.subjectAlternativeName,
      names === undefined || names.equals(emptyName) ? undefined : names,
      subject.equals(emptyName),
    ),
  ];
}
