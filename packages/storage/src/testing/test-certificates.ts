import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A throw-away authority for tests, with an ECDSA P-256 key; everything it issues is valid for a day. */
export interface TestAuthority {
  readonly ca: string;
  /** Issues a certificate for both server and client use, valid for loopback. */
  issue(commonName: string): Certificate;
}

export function createTestAuthority(commonName = 'test authority'): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ca = certificate({
    subject: commonName,
    issuer: commonName,
    key: keys.publicKey,
    signer: keys.privateKey,
    ca: true,
  });
  return {
    ca,
    issue(subject) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = certificate({
        subject,
        issuer: commonName,
        key: own.publicKey,
        signer: keys.privateKey,
        ca: false,
      });
      return { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

interface CertificateInput {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly ca: boolean;
}

/** X.509 v3 in DER (RFC 5280 section 4.1), wrapped as PEM. */
function certificate(input: CertificateInput): string {
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const now = Date.now();
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name(input.issuer),
    sequence(utcTime(now - 3_600_000), utcTime(now + 86_400_000)),
    name(input.subject),
    input.key.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(input.ca))),
  );
  const signature = sign('sha256', body, input.signer);
  const der = sequence(body, algorithm, bitString(signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensions(ca: boolean): Buffer[] {
  const critical = tagged(0x01, Buffer.from([0xff]));
  const constraints = ca ? sequence(critical) : sequence();
  const basicConstraints = sequence(oid(0x55, 0x1d, 0x13), critical, tagged(0x04, constraints));
  if (ca) return [basicConstraints];
  const usage = sequence(
    oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01),
    oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02),
  );
  const names = sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  return [
    basicConstraints,
    sequence(oid(0x55, 0x1d, 0x25), tagged(0x04, usage)),
    sequence(oid(0x55, 0x1d, 0x11), tagged(0x04, names)),
  ];
}

function name(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))));
}

function utcTime(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function oid(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
