import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CertificateRequest, readCertificateRequest } from './certificate-request.ts';
import { DerError } from './der-reader.ts';
import { pemBlocks } from './pem.ts';
import { requestSignatureProblem } from './signature.ts';
import { requests, signedRequests } from './testing/index.ts';

const { explicitCurve: _explicit, ...readable } = requests;
const all = { ...readable, ...signedRequests };

const bytesOf = (name: keyof typeof all): Buffer => {
  const block = pemBlocks(all[name]).find(() => true);
  assert.ok(block);
  return block.bytes;
};
const read = (name: keyof typeof all): CertificateRequest => readCertificateRequest(bytesOf(name));

const unsupported = 'the request is signed in a way that is not supported';
const curve = 'an ECDSA key must be on P-256, P-384 or P-521';

const refused: Partial<Record<keyof typeof all, string>> = {
  rsaSha1: unsupported,
  ecSha1: unsupported,
  rsaPssOtherMask: unsupported,
  rsa1024: 'an RSA key of 1024 bits is too short: the minimum is 2048',
  rsaPssKey: 'a key of type rsa-pss is not supported: it must be RSA, ECDSA or Ed25519',
  secp256k1: curve,
  p224: curve,
  ed448: 'a key of type ed448 is not supported: it must be RSA, ECDSA or Ed25519',
};

describe('signatures of certificate requests', () => {
  for (const name of Object.keys(all) as (keyof typeof all)[]) {
    const problem = refused[name];
    it(`the signature of request ${name} is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, () =>
      assert.equal(requestSignatureProblem(read(name)), problem));
  }

  it('the signature of one request is not valid for another', () => {
    const [one, other] = [read('ellipticCurve'), read('twoOrganizations')];
    const problem = 'the signature of the request is not that of its key';
    assert.equal(requestSignatureProblem({ ...one, signature: other.signature }), problem);
    const moved = { ...one.signature, signed: other.signature.signed };
    assert.equal(requestSignatureProblem({ ...one, signature: moved }), problem);
  });

  it('a signature of another kind of key is refused without verification', () => {
    const one = read('ellipticCurve');
    for (const name of ['rsa', 'ed25519', 'rsaPss'] as const) {
      const problem = requestSignatureProblem({ ...one, signature: read(name).signature });
      assert.equal(problem, unsupported, name);
    }
  });

  // For all algorithms: after a change of any byte the signature is invalid or the request cannot be parsed.
  for (const name of ['ellipticCurve', 'rsaPss', 'ed25519'] as const) {
    it(`the signature of ${name} is invalid after a change of a signed byte`, () => {
      const bytes = bytesOf(name);
      const { signed } = read(name).signature;
      const start = bytes.indexOf(signed);
      fc.assert(
        fc.property(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const damaged = Buffer.from(bytes);
          damaged[start + at] = (damaged[start + at] ?? 0) ^ change;
          let request: CertificateRequest;
          try {
            request = readCertificateRequest(damaged);
          } catch (error) {
            assert.ok(error instanceof DerError, String(error));
            return;
          }
          assert.notEqual(requestSignatureProblem(request), undefined);
        }),
      );
    });
  }

  it('the signature check never throws, for any bytes', () => {
    const request = read('rsaPss');
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 60 }),
        (value, parameters) => {
          const signature = {
            ...request.signature,
            value: Buffer.from(value),
            parameters: Buffer.from(parameters),
          };
          assert.notEqual(requestSignatureProblem({ ...request, signature }), undefined);
        },
      ),
    );
  });
});
