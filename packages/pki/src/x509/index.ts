export type { AlternativeNames } from './alternative-names.ts';
export { type Authority, AuthorityError, readAuthority } from './authority.ts';
export { type CertificateBody, type Issuer, signCertificate } from './certificate.ts';
export {
  type CertificateRequest,
  parseCertificateRequest,
  readCertificateRequest,
  type Signature,
} from './certificate-request.ts';
export { readCertificates } from './certificates.ts';
export { DerError, DerReader, type DerValue } from './der-reader.ts';
export { type CertificateContent, issueCertificate, type KeyPair } from './issue.ts';
export { keyUsageNames } from './key-usages.ts';
export { encodePem, type PemBlock, pemBlocks } from './pem.ts';
export { privateKeyPem } from './private-key-pem.ts';
export { requestSignatureProblem } from './signature.ts';
export { commonNamesOf, type DistinguishedName, encodeName, type NameAttribute } from './subject.ts';
