import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { issueCertificate, pemBlocks, readAuthority, readCertificateRequest } from '@orch/pki/x509';
import { requests, signedRequests } from '@orch/pki/x509/testing';
import { issueFor, lifetimeOf } from './issue.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const now = Date.UTC(2026, 0, 1);
const random = seededRandom(7);

describe('lifetimes of issued certificates', () => {
  const year = 365 * DAY_MS;
  const end = now + 10 * year;
  for (const [title, asked, durationMs, notAfter, expected] of [
    ['is the configured duration without a requested one', undefined, year, end, year - 5 * MINUTE_MS],
    [
      'is a requested duration that is shorter than the configured one',
      2 * DAY_MS,
      year,
      end,
      2 * DAY_MS - 5 * MINUTE_MS,
    ],
    ['is at most the configured duration', 2 * year, year, end, year - 5 * MINUTE_MS],
    ['is not shortened by backdating when the requested duration is short', HOUR_MS, year, end, HOUR_MS],
    ['can be the minimum duration', 10 * MINUTE_MS, year, end, 10 * MINUTE_MS],
    ['is the minimum duration when less was requested', MINUTE_MS, year, end, 10 * MINUTE_MS],
    ['is the configured duration when that is below the minimum', HOUR_MS, 5 * MINUTE_MS, end, 5 * MINUTE_MS],
    ['ends with the authority', undefined, year, now + DAY_MS, DAY_MS],
    ['ends with the authority before the requested end', 12 * HOUR_MS, year, now + HOUR_MS, HOUR_MS],
  ] as const) {
    it(`the lifetime of a certificate ${title}`, () => {
      const seconds = asked === undefined ? undefined : asked / 1000;
      const lifetime = lifetimeOf(seconds, { now, durationMs, notAfter });
      assert.deepEqual(lifetime, { notBefore: now - 5 * MINUTE_MS, notAfter: now + expected });
    });
  }
});

describe('contents of issued certificates', () => {
  const pair = issueCertificate(
    { commonName: 'ca', use: 'authority', notBefore: now - DAY_MS, notAfter: now + 3650 * DAY_MS },
    random,
  );
  const authority = readAuthority(pair.cert, pair.key);
  const all = { ...requests, ...signedRequests };
  const issued = (name: keyof typeof all, usages: readonly string[]): X509Certificate => {
    const block = pemBlocks(all[name]).find(() => true);
    assert.ok(block);
    const request = readCertificateRequest(block.bytes);
    const pem = issueFor({ request, usages, expirationSeconds: undefined }, authority, {
      now,
      durationMs: 365 * DAY_MS,
      random,
    });
    const [line] = pem.split('\n');
    assert.equal(line, '-----BEGIN CERTIFICATE-----');
    return new X509Certificate(pem);
  };

  it('a certificate has the subject, key and alternative names of its request', () => {
    const certificate = issued('nodeServing', ['digital signature', 'server auth']);
    assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:n1');
    assert.equal(
      certificate.subjectAltName,
      'DNS:n1.example.com, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1',
    );
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.ok(certificate.verify(new X509Certificate(pair.cert).publicKey));
  });

  it('a certificate has the e-mail addresses and URIs of its request', () => {
    const certificate = issued('nodeWithMail', ['client auth']);
    assert.equal(
      certificate.subjectAltName,
      'DNS:n1.example.com, email:a@example.com, URI:https://example.com/x',
    );
  });

  it('a certificate is never of an authority, has no extension of the request, and the usages of the object', () => {
    const certificate = issued('authority', ['client auth']);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.subjectAltName, 'DNS:jane.example.com');
    const der = certificate.raw.toString('hex');
    // The certificate contains neither 1.2.3.4 nor the extension for usages that the request asks for.
    assert.ok(!der.includes('06032a0304') && !der.includes('0603551d0f'));
    assert.ok(der.includes('0603551d13' + '0101ff' + '0402' + '3000'));
  });

  for (const [name, subject] of [
    ['severalInOneSet', 'O=dev + CN=jane'],
    ['twoOrganizations', 'O=system:nodes\nO=dev\nCN=system:node:n1'],
    ['foreignAttributes', 'C=DE\nDC=example\nO=dev\nemailAddress=a@example.com\nCN=jane'],
    ['international', 'O=Größe\nO=two\nCN=jane'],
  ] as const) {
    it(`a certificate has the subject of its request: ${name}`, () =>
      assert.equal(issued(name, ['client auth']).subject, subject));
  }
});
