import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import {
  type CertificateRequest,
  DerError,
  issueCertificate,
  pemBlocks,
  readAuthority,
  readCertificateRequest,
} from '@orch/pki/x509';
import { makeRequest, requests, signedRequests } from '@orch/pki/x509/testing';
import fc from 'fast-check';
import { issueFor } from './issue.ts';
import { signerProblem } from './signer-rules.ts';

const now = Date.UTC(2026, 0, 1);
const names = namesFor('orch');
const random = seededRandom(11);
const pair = issueCertificate(
  { commonName: 'ca', use: 'authority', notBefore: now - 1000, notAfter: now + 1e12 },
  random,
);
const authority = readAuthority(pair.cert, pair.key);
const usages = ['client auth'];

/** The certificate for a request, when there is nothing wrong with it. */
function issued(request: CertificateRequest): X509Certificate | undefined {
  if (signerProblem('apiserverClient', { request, usages }, names) !== undefined) return undefined;
  const wanted = { request, usages, expirationSeconds: undefined };
  return new X509Certificate(issueFor(wanted, authority, { now, durationMs: 1e9, random }));
}

/** Reads names as the API server does when the certificate is presented. */
function namesIn(certificate: X509Certificate): {
  readonly user: string;
  readonly groups: readonly string[];
} {
  const subject: Readonly<Record<string, string | string[] | undefined>> = {
    ...certificate.toLegacyObject().subject,
  };
  const { CN: user = '', O: groups = [] } = subject;
  assert.ok(typeof user === 'string');
  return { user, groups: typeof groups === 'string' ? [groups] : groups };
}

/** Encoding of a length that DER allows. */
const tlv = (tag: number, content: Buffer): Buffer => {
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

const types = { commonName: '0603550403', organization: '060355040a', country: '0603550406' } as const;

/** An attribute with any bytes as its text, under any tag of text. */
const attribute = fc
  .record({
    type: fc.constantFrom(...Object.values(types)),
    tag: fc.constantFrom(0x0c, 0x13, 0x14, 0x16, 0x1e, 0x12, 0x02, 0x30),
    text: fc.oneof(
      unicodeString({ maxLength: 12 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('system:masters', 'system:node:a', 'x\0y', 'a/CN=b', 'a\nCN=b')
        .map((text) => Buffer.from(text)),
    ),
  })
  .map(({ type, tag, text }) => tlv(0x30, Buffer.concat([Buffer.from(type, 'hex'), tlv(tag, text)])));

describe('a subject made by an attacker', () => {
  it('a malformed subject is rejected, or the certificate has the names that the signer validated', () => {
    fc.assert(
      fc.property(fc.array(fc.array(attribute, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (sets) => {
        const subject = tlv(0x30, Buffer.concat(sets.map((set) => tlv(0x31, Buffer.concat(set)))));
        let request: CertificateRequest;
        try {
          request = readCertificateRequest(makeRequest({ subject }));
        } catch (error) {
          assert.ok(error instanceof DerError, String(error));
          return;
        }
        const certificate = issued(request);
        if (certificate === undefined) return;
        const found = namesIn(certificate);
        assert.equal(found.user, request.commonName);
        assert.deepEqual(found.groups.toSorted(), request.organizations.toSorted());
      }),
    );
  });
});

describe('a request that was damaged', () => {
  const all = Object.values({ ...requests, ...signedRequests }).map((pem) => {
    const block = pemBlocks(pem).find(() => true);
    assert.ok(block);
    return block.bytes;
  });
  const damage = fc.array(
    fc.record({ at: fc.nat(2000), kind: fc.constantFrom('set', 'cut', 'repeat'), value: fc.nat(255) }),
    { minLength: 1, maxLength: 4 },
  );
  it('a corrupted request is rejected, or results in a certificate that can be parsed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), damage, (whole, changes) => {
        let bytes = Buffer.from(whole);
        for (const { at, kind, value } of changes) {
          const place = at % Math.max(bytes.length, 1);
          if (kind === 'set') bytes[place] = value;
          else if (kind === 'cut')
            bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]);
          else bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(Math.max(0, place - 8))]);
        }
        try {
          const certificate = issued(readCertificateRequest(bytes));
          if (certificate !== undefined) assert.equal(certificate.ca, false);
        } catch (error) {
          assert.ok(error instanceof DerError, String(error));
        }
      }),
    );
  });
});
