import assert from 'node:assert/strict';
import {
  DerError,
  encodePem,
  parseCertificateRequest,
  readCertificateRequest,
  readCertificates,
  requestSignatureProblem,
} from '@orch/pki/x509';
import { makeRequest, requests, testCertificate } from '@orch/pki/x509/testing';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const certificate = testCertificate({ commonName: 'a', use: 'authority' }).cert;
const request = makeRequest({});

/** Certificates and requests are refused with a reason, or read; the signature of a request is checked without a failure. */
export const target: FuzzTarget = {
  seeds: [certificate, request, encodePem('CERTIFICATE REQUEST', request), ...Object.values(requests)],
  words: [
    '-----BEGIN CERTIFICATE-----\n',
    '-----END CERTIFICATE-----\n',
    '-----BEGIN CERTIFICATE REQUEST-----\n',
  ],
  check(data) {
    const certificates = readCertificates(data.toString('latin1'));
    if (typeof certificates !== 'string') assert.ok(certificates.length > 0);
    const bare = unlessRefused(() => readCertificateRequest(data), DerError)?.value;
    const inPem = unlessRefused(() => parseCertificateRequest(data.toString('base64')), DerError)?.value;
    for (const one of [bare, inPem]) if (one !== undefined) requestSignatureProblem(one);
  },
};
