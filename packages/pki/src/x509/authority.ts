import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Issuer } from './certificate.ts';
import { DerReader, tags } from './der-reader.ts';
import { oid } from './der-writer.ts';
import { oids } from './oids.ts';
import { firstCertificate } from './pem.ts';
import { keyProblem } from './signature.ts';

/** A certificate authority. */
export interface Authority extends Issuer {
  /** DER. */
  readonly certificate: Buffer;
  /** Epoch milliseconds. */
  readonly notAfter: number;
}

/** The error for an unusable authority. The message gives the reason and contains no part of the key. */
export class AuthorityError extends Error {
  override readonly name = 'AuthorityError';
}

const subjectKeyId = oid(oids.subjectKeyId);

/** The distinguished name and the key identifier of a valid certificate. */
function readIssuer(certificate: Buffer): Pick<Issuer, 'subject' | 'keyId'> {
  const body = new DerReader(certificate)
    .enter(tags.sequence, 'a certificate')
    .enter(tags.sequence, 'the content of the certificate');
  if (body.nextIs(tags.context0)) body.next();
  body.expect(tags.integer, 'serial number');
  for (const what of ['algorithm of the signature', 'the issuer', 'the validity'])
    body.expect(tags.sequence, what);
  const subject = body.expect(tags.sequence, 'the subject').raw;
  body.expect(tags.sequence, 'the public key');
  while (body.more() && !body.nextIs(tags.context3)) body.next();
  return { subject, keyId: body.more() ? keyIdIn(body.enter(tags.context3, 'the extensions')) : undefined };
}

function keyIdIn(outer: DerReader): Buffer | undefined {
  const extensions = outer.enter(tags.sequence, 'the extensions');
  while (extensions.more()) {
    const extension = extensions.enter(tags.sequence, 'an extension');
    const type = extension.expect(tags.objectIdentifier, 'type of an extension').raw;
    if (extension.nextIs(tags.boolean)) extension.next();
    const { content } = extension.expect(tags.octetString, 'value of an extension');
    if (type.equals(subjectKeyId))
      return new DerReader(content).expect(tags.octetString, 'the key identifier').content;
  }
  return undefined;
}

interface Pair extends Authority {
  readonly isAuthority: boolean;
}

/** Parses a certificate and its key, regardless of the usages of the certificate. Throws `AuthorityError`. */
export function readPair(cert: string, key: string): Pair {
  const bytes = firstCertificate(cert);
  if (bytes === undefined) throw new AuthorityError('it contains no certificate');
  const certificate = attempt('the certificate cannot be read', () => new X509Certificate(bytes));
  const privateKey = attempt('the private key cannot be read', () => createPrivateKey(key));
  const problem = keyProblem(privateKey);
  if (problem !== undefined) throw new AuthorityError(problem);
  if (!certificate.checkPrivateKey(privateKey))
    throw new AuthorityError('the private key is not that of the certificate');
  return {
    ...attempt('the certificate has an unusual form', () => readIssuer(certificate.raw)),
    key: privateKey,
    certificate: certificate.raw,
    notAfter: Date.parse(certificate.validTo),
    isAuthority: certificate.ca,
  };
}

/**
 * Reads an authority: PEM whose first certificate is that of an authority, and PEM with its private key. Further
 * certificates, such as those of its issuers, are ignored. Throws `AuthorityError`.
 */
export function readAuthority(cert: string, key: string): Authority {
  const { isAuthority, ...authority } = readPair(cert, key);
  if (!isAuthority) throw new AuthorityError('the certificate is not that of an authority');
  return authority;
}

function attempt<T>(problem: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new AuthorityError(problem, { cause });
  }
}
