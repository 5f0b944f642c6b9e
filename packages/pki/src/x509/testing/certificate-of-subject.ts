import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { systemRandom } from '@orch/machinery/env';
import { readPair } from '../authority.ts';
import { signCertificate } from '../certificate.ts';
import { oid, sequence, set, utf8 } from '../der-writer.ts';
import type { KeyPair } from '../issue.ts';
import { encodePem } from '../pem.ts';
import { privateKeyPem } from '../private-key-pem.ts';

const HOUR_MS = 3_600_000;

/** A client certificate of the issuer with these attributes of its subject: object identifiers and values. */
export function certificateOfSubject(
  attributes: readonly (readonly [type: string, value: string])[],
  issuer: KeyPair,
): KeyPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = signCertificate(
    {
      subject: sequence(...attributes.map(([type, value]) => set(sequence(oid(type), utf8(value))))),
      publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
      notBefore: Date.now() - HOUR_MS,
      notAfter: Date.now() + HOUR_MS,
      usages: ['digital signature', 'client auth'],
      isAuthority: false,
    },
    readPair(issuer.cert, issuer.key),
    systemRandom,
  );
  return { key: privateKeyPem(privateKey), cert: encodePem('CERTIFICATE', certificate) };
}
