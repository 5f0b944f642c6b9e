import { constants, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { CertificateRequest, Signature } from './certificate-request.ts';
import { DerReader, tags } from './der-reader.ts';
import { nothing, oid, sequence } from './der-writer.ts';
import { oids } from './oids.ts';

type Hash = 'sha256' | 'sha384' | 'sha512';

/** A signature scheme for a kind of key. */
interface Algorithm {
  readonly key: 'rsa' | 'ec' | 'ed25519';
  /** Ed25519 includes its hash. */
  readonly hash: Hash | null;
  /** The encoding after the identifier. */
  readonly parameters: Buffer;
}

const empty = Buffer.alloc(0);
const rsa = (hash: Hash): Algorithm => ({ key: 'rsa', hash, parameters: nothing() });
const ecdsa = (hash: Hash): Algorithm => ({ key: 'ec', hash, parameters: empty });

/** Everything that is signed with or verified, by the encoded identifier; RSA-PSS is a separate case. */
const algorithms = new Map<string, Algorithm>(
  (
    [
      [oids.rsaWithSha256, rsa('sha256')],
      [oids.rsaWithSha384, rsa('sha384')],
      [oids.rsaWithSha512, rsa('sha512')],
      [oids.ecdsaWithSha256, ecdsa('sha256')],
      [oids.ecdsaWithSha384, ecdsa('sha384')],
      [oids.ecdsaWithSha512, ecdsa('sha512')],
      [oids.ed25519, { key: 'ed25519', hash: null, parameters: empty }],
    ] as const
  ).map(([name, algorithm]) => [oid(name).toString('hex'), algorithm]),
);

const hashes: readonly (readonly [Buffer, Hash])[] = [
  [oid(oids.sha256), 'sha256'],
  [oid(oids.sha384), 'sha384'],
  [oid(oids.sha512), 'sha512'],
];

/** Curves, as OpenSSL names them, with the hash of the same strength. */
const curves = new Map<string | undefined, readonly [name: string, hash: Hash]>([
  ['prime256v1', [oids.ecdsaWithSha256, 'sha256']],
  ['secp384r1', [oids.ecdsaWithSha384, 'sha384']],
  ['secp521r1', [oids.ecdsaWithSha512, 'sha512']],
]);

const MIN_RSA_BITS = 2048;

/** The reason why a key is not certified and does not sign certificates; undefined when it may. */
export function keyProblem(key: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return modulusLength < MIN_RSA_BITS
        ? `an RSA key of ${modulusLength} bits is too short: the minimum is ${MIN_RSA_BITS}`
        : undefined;
    case 'ec':
      return curves.has(namedCurve) ? undefined : 'an ECDSA key must be on P-256, P-384 or P-521';
    case 'ed25519':
      return undefined;
    default:
      return `a key of type ${key.asymmetricKeyType ?? 'unknown'} is not supported: it must be RSA, ECDSA or Ed25519`;
  }
}

/** The signature scheme of a key: the encoded algorithm and the signing function. The key must have no problem. */
export function certificateSigning(key: KeyObject): {
  readonly algorithm: Buffer;
  sign(bytes: Uint8Array): Buffer;
} {
  const [name, hash] =
    key.asymmetricKeyType === 'ed25519'
      ? ([oids.ed25519, null] as const)
      : key.asymmetricKeyType === 'rsa'
        ? ([oids.rsaWithSha256, 'sha256'] as const)
        : (curves.get(key.asymmetricKeyDetails?.namedCurve) ?? [oids.ecdsaWithSha256, 'sha256']);
  const parameters = key.asymmetricKeyType === 'rsa' ? nothing() : empty;
  return { algorithm: sequence(oid(name), parameters), sign: (bytes) => sign(hash, bytes, key) };
}

/**
 * The hash of RSA-PSS parameters (RFC 4055), which must also be the hash of the mask; undefined for other parameters.
 */
function pssHash(parameters: Buffer): Hash | undefined {
  const fields = new DerReader(parameters).enter(tags.sequence, 'parameters of RSA-PSS');
  const hash = hashIn(fields.enter(tags.context0, 'hash of RSA-PSS'));
  const mask = fields.enter(tags.context1, 'mask of RSA-PSS').enter(tags.sequence, 'mask of RSA-PSS');
  const isMgf1 = mask.expect(tags.objectIdentifier, 'mask of RSA-PSS').raw.equals(oid(oids.mgf1));
  return isMgf1 && hashIn(mask) === hash ? hash : undefined;
}

function hashIn(reader: DerReader): Hash | undefined {
  const { raw } = reader.enter(tags.sequence, 'a hash').expect(tags.objectIdentifier, 'identifier of a hash');
  return hashes.find(([name]) => name.equals(raw))?.[1];
}

/** Reports whether a signature is valid; undefined when its algorithm is not supported. */
function isGood({ signed, algorithm, parameters, value }: Signature, key: KeyObject): boolean | undefined {
  if (algorithm.equals(oid(oids.rsaPss))) {
    const hash = key.asymmetricKeyType === 'rsa' ? pssHash(parameters) : undefined;
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const saltLength = constants.RSA_PSS_SALTLEN_AUTO;
    return hash === undefined ? undefined : verify(hash, signed, { key, padding, saltLength }, value);
  }
  const known = algorithms.get(algorithm.toString('hex'));
  if (known === undefined || known.key !== key.asymmetricKeyType) return undefined;
  return known.parameters.equals(parameters) ? verify(known.hash, signed, key, value) : undefined;
}

/**
 * The reason why no certificate may be issued for this request: its key is not supported, or its author did not prove
 * possession of it. Undefined when the signature is valid.
 */
export function requestSignatureProblem(request: CertificateRequest): string | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: request.publicKey, format: 'der', type: 'spki' });
  } catch {
    return 'the public key cannot be read';
  }
  const problem = keyProblem(key);
  if (problem !== undefined) return problem;
  try {
    const good = isGood(request.signature, key);
    if (good === undefined) return 'the request is signed in a way that is not supported';
    return good ? undefined : 'the signature of the request is not that of its key';
  } catch {
    // Parameters are invalid, or OpenSSL does not support the key.
    return 'the request is signed in a way that is not supported';
  }
}
