import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { issueCertificate, pemBlocks, readAuthority, readCertificateRequest } from '@orch/pki/x509';
import { requests, signedRequests } from '@orch/pki/x509/testing';
import { issueFor, lifetimeOf } from './issue.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 0, 1);
const random = seededRandom(7);

describe('lifetimeOf', () => {
  const year = 365 * day;
  const end = now + 10 * year;
  for (const [title, asked, durationMs, notAfter, expected] of [
    ['is the configured duration without a requested one', undefined, year, end, year - 5 * minute],
    [
      'is a requested duration that is shorter than the configured one',
      2 * day,
      year,
      end,
      2 * day - 5 * minute,
    ],
    ['is at most the configured duration', 2 * year, year, end, year - 5 * minute],
    ['is not shortened by backdating when the requested duration is short', hour, year, end, hour],
    ['can be the minimum duration', 10 * minute, year, end, 10 * minute],
    ['is the minimum duration when less was requested', minute, year, end, 10 * minute],
    ['is the configured duration when that is below the minimum', hour, 5 * minute, end, 5 * minute],
    ['ends with the authority', undefined, year, now + day, day],
    ['ends with the authority before the requested end', 12 * hour, year, now + hour, hour],
  ] as const) {
    it(`the lifetime of a certificate ${title}`, () => {
      const seconds = asked === undefined ? undefined : asked / 1000;
      const lifetime = lifetimeOf(seconds, { now, durationMs, notAfter });
      assert.deepEqual(lifetime, { notBefore: now - 5 * minute, notAfter: now + expected });
    });
  }
});

describe('issueFor', () => {
  const pair = issueCertificate(
    { commonName: 'ca', use: 'authority', notBefore: now - day, notAfter: now + 3650 * day },
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
      durationMs: 365 * day,
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
    // 1.2.3.4, and the extension for usages that the request asks for: neither is there.
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
