import { generateKeyPairSync } from 'node:crypto';
import { parseCertificateRequest } from '@orch/pki/x509';
import { base64, requests } from '@orch/pki/x509/testing';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

/** Reading of certificate requests, and the cost of loading each library. */
export const certificates = (): readonly Comparison[] => [forgeLoad(), x509Load(), requestReading()];

function forgeLoad(): Comparison {
  const forge = library('node-forge');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  let note = 'reads ECDSA keys';
  try {
    forge.pki.publicKeyFromPem(pem);
  } catch (error) {
    note = `an ECDSA key: ${error instanceof Error ? error.message : String(error)}`;
  }
  const theirs = importMillis('node-forge');
  return { what: 'load the library', ours: 0, library: 'node-forge', theirs, unit: 'ms', note };
}

const x509Load = (): Comparison => ({
  what: 'load the library, with reflect-metadata',
  ours: 0,
  library: '@peculiar/x509',
  theirs: importMillis('reflect-metadata', '@peculiar/x509'),
  unit: 'ms',
});

function requestReading(): Comparison {
  library('reflect-metadata');
  const { Pkcs10CertificateRequest } = library('@peculiar/x509');
  const text = base64(requests.ellipticCurve);
  const der = Buffer.from(requests.ellipticCurve.replace(/-----.*-----/g, ''), 'base64');
  let note = 'refuses trailing data';
  try {
    new Pkcs10CertificateRequest(Buffer.concat([der, Buffer.from([0])]));
    note = 'accepts trailing data';
  } catch {}
  return {
    what: 'read a certificate request',
    ours: cpuMicros(() => parseCertificateRequest(text), 500),
    library: '@peculiar/x509',
    theirs: cpuMicros(() => new Pkcs10CertificateRequest(der).subject, 500),
    unit: 'µs',
    note,
  };
}
