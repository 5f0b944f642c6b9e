export { type Authority, AuthorityError, readAuthority } from './authority.ts';
export { signCertificate } from './certificate.ts';
export {
  type CertificateRequest,
  parseCertificateRequest,
  readCertificateRequest,
} from './certificate-request.ts';
export { readCertificates } from './certificates.ts';
export { DerError } from './der-reader.ts';
export { type CertificateContent, issueCertificate, type KeyPair } from './issue.ts';
export { keyUsageNames } from './key-usages.ts';
export { encodePem, firstCertificate, pemBlocks } from './pem.ts';
export { privateKeyPem } from './private-key-pem.ts';
export { requestSignatureProblem } from './signature.ts';
export { commonNamesOf, type DistinguishedName, encodeName } from './subject.ts';
