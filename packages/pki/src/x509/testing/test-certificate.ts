import { systemRandom } from '@orch/machinery/env';
import { type CertificateContent, issueCertificate, type KeyPair } from '../issue.ts';

const HOUR_MS = 3_600_000;

type TestContent = Pick<CertificateContent, 'commonName' | 'use'> & Partial<CertificateContent>;

/**
 * A certificate of `issuer`, or a self-signed one. By default it is valid from an hour ago for two hours, and that of a
 * server is valid for 127.0.0.1; with empty `hosts` it has no alternative names.
 */
export function testCertificate(content: TestContent, issuer?: KeyPair): KeyPair {
  const { hosts = content.use === 'server' ? ['127.0.0.1'] : [], ...rest } = content;
  const validity = { notBefore: Date.now() - HOUR_MS, notAfter: Date.now() + HOUR_MS };
  const names = hosts.length === 0 ? {} : { hosts };
  return issueCertificate({ ...validity, ...rest, ...names }, systemRandom, issuer);
}
