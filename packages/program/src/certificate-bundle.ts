import { X509Certificate } from 'node:crypto';
import { messageOf } from '@orch/machinery';
import { StartError } from './failure.ts';
import { readFlagFile } from './read-file.ts';

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads a PEM file with one or more certificates; text around them is ignored. TLS silently skips certificates that it
 * cannot read, so a broken file is a `StartError` here.
 */
export function readCertificateBundle(flag: string, path: string): readonly string[] {
  const certificates = readFlagFile(flag, path).match(block) ?? [];
  if (certificates.length === 0) throw new StartError(`--${flag} ${path}: it contains no certificate`);
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw new StartError(`--${flag} ${path}: ${messageOf(error)}`);
    }
  }
  return certificates;
}
