import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import fc from 'fast-check';
import { type AlternativeNames, encodeAlternativeNames } from './alternative-names.ts';
import { AuthorityError, readAuthority } from './authority.ts';
import { type CertificateBody, keyIdOf, signCertificate } from './certificate.ts';
import { readCertificateRequest } from './certificate-request.ts';
import { issueCertificate } from './issue.ts';
import { encodeExtendedKeyUsage, encodeKeyUsage, keyUsageNames } from './key-usages.ts';
import { encodePem } from './pem.ts';
import { encodeName, simpleName } from './subject.ts';
import { makeRequest } from './testing/index.ts';

const DAY_MS = 24 * 3_600_000;
const random = seededRandom(1);
const begin = Date.UTC(2024, 0, 1);
const lasting = { notBefore: begin, notAfter: Date.UTC(2060, 0, 1) };
const none: AlternativeNames = { dnsNames: [], emailAddresses: [], uris: [], ipAddresses: [], others: 0 };

const leafKey = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
const body = (changes: Partial<CertificateBody> = {}): CertificateBody => ({
  ...lasting,
  subject: simpleName('jane', ['dev']),
  publicKey: leafKey,
  usages: ['client auth'],
  isAuthority: false,
  ...changes,
});

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An authority with a key of a kind, signed by itself. */
function authorityOf(privateKey: KeyObject, publicKey: KeyObject) {
  const own = publicKey.export({ type: 'spki', format: 'der' });
  const subject = simpleName('ca');
  const certificate = signCertificate(
    body({ subject, publicKey: own, usages: ['cert sign'], isAuthority: true, hasKeyId: true }),
    { subject, keyId: keyIdOf(own), key: privateKey },
    random,
  );
  return { cert: encodePem('CERTIFICATE', certificate), key: pemOf(privateKey) };
}

const pairs = {
  'RSA 2048': generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'ECDSA P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ECDSA P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'ECDSA P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  Ed25519: generateKeyPairSync('ed25519'),
};

describe('signed certificates', () => {
  for (const [title, { privateKey, publicKey }] of Object.entries(pairs)) {
    it(`a certificate with ${title} is verified by another implementation`, () => {
      const pair = authorityOf(privateKey, publicKey);
      const authority = readAuthority(pair.cert, pair.key);
      const issuer = new X509Certificate(pair.cert);
      assert.ok(issuer.ca && issuer.verify(issuer.publicKey));
      const leaf = new X509Certificate(signCertificate(body(), authority, random));
      assert.ok(leaf.verify(issuer.publicKey) && leaf.checkIssued(issuer));
      assert.deepEqual([leaf.subject, leaf.issuer, leaf.ca], ['O=dev\nCN=jane', 'CN=ca', false]);
      assert.equal(authority.notAfter, lasting.notAfter);
    });
  }

  const authority = (() => {
    const { privateKey, publicKey } = pairs.Ed25519;
    const { cert, key } = authorityOf(privateKey, publicKey);
    return readAuthority(cert, key);
  })();
  const signed = (changes: Partial<CertificateBody>): X509Certificate =>
    new X509Certificate(signCertificate(body(changes), authority, random));

  it('a certificate has valid times before and after 2050', () => {
    for (const notAfter of [Date.UTC(2049, 11, 31, 23, 59, 59), Date.UTC(2050, 0, 1), Date.UTC(9999, 0, 1)])
      assert.equal(Date.parse(signed({ notAfter }).validTo), notAfter);
  });

  it('serial numbers differ, have sixteen bytes and are not negative', () => {
    const serials = Array.from({ length: 50 }, () => signed({}).serialNumber);
    assert.equal(new Set(serials).size, 50);
    for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{31}$/);
  });

  it('all kinds of alternative names are copied from a request', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,20}$/);
    const names = fc.record({
      dnsNames: fc.array(
        label.map((one) => `${one}.example.com`),
        { maxLength: 5 },
      ),
      emailAddresses: fc.array(
        label.map((one) => `${one}@example.com`),
        { maxLength: 3 },
      ),
      uris: fc.array(
        label.map((one) => `spiffe://example.com/${one}`),
        { maxLength: 3 },
      ),
      ipAddresses: fc.array(
        fc.oneof(
          fc.uint8Array({ minLength: 4, maxLength: 4 }),
          fc.uint8Array({ minLength: 16, maxLength: 16 }),
        ),
        { maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(names, (found) => {
        const wanted = { ...none, ...found, ipAddresses: found.ipAddresses.map((one) => Buffer.from(one)) };
        const alternativeNames = encodeAlternativeNames(wanted);
        const request = readCertificateRequest(makeRequest({ alternativeNames }));
        const {
          subject: _s,
          publicKey: _k,
          signature: _g,
          commonName: _c,
          organizations: _o,
          ...read
        } = request;
        assert.deepEqual(read, wanted);
        const certificate = signed({ alternativeNames: request, publicKey: request.publicKey });
        const count = wanted.dnsNames.length + wanted.emailAddresses.length + wanted.uris.length;
        const text = certificate.subjectAltName;
        assert.equal(text === undefined ? 0 : text.split(', ').length, count + wanted.ipAddresses.length);
        for (const name of wanted.dnsNames) assert.equal(certificate.checkHost(name), name);
        for (const email of wanted.emailAddresses) assert.equal(certificate.checkEmail(email), email);
      }),
      { numRuns: 50 },
    );
  });

  it('alternative names are critical when the subject is empty', () => {
    const alternativeNames = { ...none, dnsNames: ['a.example.com'] };
    const [named, empty] = [simpleName('jane'), encodeName([])].map((subject) =>
      signed({ subject, alternativeNames }).raw.toString('hex'),
    );
    const critical = '0603551d11' + '0101ff';
    assert.ok(empty?.includes(critical) && named?.includes('0603551d11') && !named.includes(critical));
  });
});

describe('usages of keys', () => {
  for (const [usages, keyUsage, extended] of [
    [[], undefined, undefined],
    [['digital signature'], '03020780', undefined],
    [['signing', 'digital signature'], '03020780', undefined],
    [['digital signature', 'key encipherment'], '030205a0', undefined],
    [['cert sign', 'crl sign'], '03020106', undefined],
    [['decipher only'], '0303070080', undefined],
    [['client auth'], undefined, '300a06082b06010505070302'],
    [['email protection', 's/mime'], undefined, '300a06082b06010505070304'],
    [['any'], undefined, '30060604551d2500'],
    [['netscape sgc'], undefined, '300b06096086480186f8420401'],
    [['constructor', 'toString'], undefined, undefined],
  ] as const) {
    it(`key usages are encoded: ${usages.join(', ') || 'none'}`, () => {
      assert.equal(encodeKeyUsage(usages)?.toString('hex'), keyUsage);
      assert.equal(encodeExtendedKeyUsage(usages)?.toString('hex'), extended);
    });
  }

  it('each key usage has an encoding in a certificate', () => {
    for (const name of keyUsageNames)
      assert.ok(encodeKeyUsage([name]) !== undefined || encodeExtendedKeyUsage([name]) !== undefined, name);
  });
});

describe('authority with its key', () => {
  const valid = { notBefore: begin, notAfter: begin + DAY_MS };
  const [one, other] = ['one', 'other'].map((commonName) =>
    issueCertificate({ commonName, use: 'authority', ...valid }, random),
  );
  assert.ok(one !== undefined && other !== undefined);
  const leaf = issueCertificate({ commonName: 'leaf', use: 'client', ...valid }, random, one);
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const weak = authorityOf(short.privateKey, short.publicKey);

  for (const [title, cert, key, problem] of [
    ['an empty certificate', '', one.key, 'it contains no certificate'],
    ['a key instead of the certificate', one.key, one.key, 'it contains no certificate'],
    [
      'a broken certificate',
      encodePem('CERTIFICATE', Buffer.from('3003020101', 'hex')),
      one.key,
      'the certificate cannot be read',
    ],
    ['no key', one.cert, '', 'the private key cannot be read'],
    ['the key of another', one.cert, other.key, 'the private key is not that of the certificate'],
    ['a certificate of a client', leaf.cert, leaf.key, 'the certificate is not that of an authority'],
    ['a short key', weak.cert, weak.key, 'an RSA key of 1024 bits is too short: the minimum is 2048'],
  ] as const) {
    it(`an authority with ${title} is refused`, () => {
      assert.throws(
        () => readAuthority(cert, key),
        (error) => error instanceof AuthorityError && error.message === problem,
      );
    });
  }

  it('the certificates of superior authorities may follow that of the authority', () => {
    const between = issueCertificate({ commonName: 'between', use: 'authority', ...valid }, random, one);
    const authority = readAuthority(`# chain\n${between.cert}${one.cert}`, between.key);
    assert.ok(authority.key.equals(createPrivateKey(between.key)));
    const issued = new X509Certificate(signCertificate(body(valid), authority, random));
    assert.equal(issued.issuer, 'CN=between');
  });
});
