import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CertificateRequest,
  parseCertificateRequest,
  readCertificateRequest,
} from './certificate-request.ts';
import { readCertificates } from './certificates.ts';
import { DerError, DerReader } from './der-reader.ts';
import { pemBlocks } from './pem.ts';
import { authorities, base64, requests } from './testing/requests.ts';

type Names = Omit<CertificateRequest, 'subject' | 'publicKey' | 'signature'>;

const nothing: Names = {
  commonName: '',
  organizations: [],
  dnsNames: [],
  emailAddresses: [],
  uris: [],
  ipAddresses: [],
  others: 0,
};

const bytesOf = (pem: string): Buffer => {
  const [block] = pemBlocks(pem);
  assert.ok(block !== undefined);
  return block.bytes;
};

describe('certificate requests', () => {
  const jane = { ...nothing, commonName: 'jane', organizations: ['dev'] };
  const node = { ...nothing, commonName: 'system:node:n1', organizations: ['system:nodes'] };
  const expected: Readonly<Record<Exclude<keyof typeof requests, 'explicitCurve'>, Names>> = {
    ellipticCurve: jane,
    rsa: jane,
    ed25519: jane,
    nodeClient: node,
    nodeServing: {
      ...node,
      dnsNames: ['n1.example.com'],
      ipAddresses: [Buffer.from([10, 0, 0, 1]), Buffer.from('20010db8000000000000000000000001', 'hex')],
    },
    nodeWithMail: {
      ...node,
      dnsNames: ['n1.example.com'],
      emailAddresses: ['a@example.com'],
      uris: ['https://example.com/x'],
    },
    international: { ...nothing, commonName: 'jane', organizations: ['Größe', 'two'] },
  };
  for (const [title, request] of Object.entries(expected)) {
    it(`a certificate request is parsed: ${title}`, () => {
      const read = parseCertificateRequest(base64(requests[title as keyof typeof expected]));
      const { subject: _subject, publicKey: _key, signature: _signature, ...names } = read;
      assert.deepEqual(names, request);
    });
  }

  it('a request with an explicit curve is refused before any computation on it', () => {
    assert.throws(() => parseCertificateRequest(base64(requests.explicitCurve)), /name of the curve/);
  });

  it('a request is found after other text', () => {
    const text = `Certificate Request:\n  Data\n${requests.rsa}more\n`;
    assert.equal(parseCertificateRequest(base64(text)).commonName, 'jane');
  });

  for (const [title, text] of [
    ['nothing', ''],
    ['no PEM', 'v'],
    ['another kind of PEM', authorities[0]],
    ['an empty block', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n'],
    ['a block without an end', requests.rsa.split('\n').slice(0, -2).join('\n')],
    [
      'a block of other bytes',
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
    ],
  ] as const) {
    it(`a certificate request is refused: ${title}`, () =>
      assert.throws(() => parseCertificateRequest(base64(text)), DerError));
  }

  it('a request with trailing data, or a truncated one, is refused', () => {
    const bytes = bytesOf(requests.ellipticCurve);
    assert.throws(() => readCertificateRequest(Buffer.concat([bytes, Buffer.from([0])])), /trailing data/);
    for (let size = 0; size < bytes.length; size++)
      assert.throws(() => readCertificateRequest(bytes.subarray(0, size)), DerError);
  });

  it('a damaged request is read or refused, without another error', () => {
    const bytes = bytesOf(requests.nodeServing);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        try {
          readCertificateRequest(damaged);
        } catch (error) {
          assert.ok(error instanceof DerError, String(error));
        }
      }),
    );
  });
});

describe('reader of DER', () => {
  for (const [title, hex] of [
    ['a length that goes beyond the data', '300501'],
    ['a length that is not the shortest', '308105'],
    ['a length with leading zeros', '3082007f'],
    ['no length', '3080'],
    ['a length of five bytes', '30850100000000'],
    ['a tag of several bytes', '1f8101'],
    ['nothing', ''],
  ] as const) {
    it(`invalid DER is refused: ${title}`, () =>
      assert.throws(() => new DerReader(Buffer.from(hex, 'hex')).next(), DerError));
  }
});

describe('reader of PEM', () => {
  it('reading of PEM takes time in proportion to its length', () => {
    const lines = '-----BEGIN A-----\n'.repeat(200_000);
    assert.deepEqual([...pemBlocks(lines)], []);
    const dashes = '-'.repeat(2_000_000);
    assert.deepEqual([...pemBlocks(`${dashes}\n-----BEGIN ${dashes}\n`)], []);
  });

  it('a block that starts within another block restarts parsing', () => {
    const [block, ...rest] = pemBlocks(
      `-----BEGIN A-----\nQUJD\n${'-----BEGIN B-----\nREVG\n-----END B-----\n'}`,
    );
    assert.deepEqual([block?.label, String(block?.bytes), rest.length], ['B', 'DEF', 0]);
  });
});

describe('certificates in PEM', () => {
  const [one, two] = authorities;
  const withHeader = one.replace('-----\n', '-----\nA: b\n\n');
  for (const [title, pem, outcome] of [
    ['one certificate', one, 1],
    ['several certificates, with text between them', `# first\n${one}\nthen\n${two}`, 2],
    ['no certificate', 'text', 'must contain at least one CERTIFICATE PEM block'],
    ['a certificate with headers', withHeader, 'no PEM block headers are permitted'],
    ['a request', requests.rsa, 'only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"'],
    [
      'a request called certificate',
      requests.rsa.replaceAll(' REQUEST', ''),
      'a CERTIFICATE PEM block that does not contain a certificate',
    ],
  ] as const) {
    it(`PEM text with ${title} ${typeof outcome === 'string' ? 'is refused' : 'is read as certificates'}`, () => {
      const found = readCertificates(pem);
      assert.equal(typeof found === 'string' ? found : found.length, outcome);
    });
  }

  it('one block may contain several certificates', () => {
    const both = Buffer.concat([bytesOf(one), bytesOf(two)]).toString('base64');
    const found = readCertificates(`-----BEGIN CERTIFICATE-----\n${both}\n-----END CERTIFICATE-----\n`);
    assert.equal(found.length, 2);
  });
});
