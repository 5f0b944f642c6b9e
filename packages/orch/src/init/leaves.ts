import type { KeyObject, X509Certificate } from 'node:crypto';
import { X509Certificate as Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { issueCertificate } from '@orch/pki/x509';
import { StartError } from '@orch/program';
import type { PlannedAuthority } from './authorities.ts';
import type { PlanContext } from './context.ts';
import { authorityFiles, type LeafSpec } from './parts.ts';
import { beginningOf, beginsLater, expiryOf, readCertificate, readPrivateKey } from './pem-files.ts';
import { BACKDATE_MS, LEAF_MS } from './validity.ts';

interface Leaf {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Issues a certificate when it is missing or expires soon. Its key is kept unless its authority changes. */
export function planLeaf(context: PlanContext, spec: LeafSpec, authority: PlannedAuthority): void {
  const { draft } = context;
  const files = { cert: `${spec.file}.crt`, key: `${spec.file}.key` };
  const leaf: Leaf = { cert: draft.read(files.cert), key: draft.read(files.key) };
  const reason = renewalReason(context, spec, { leaf, authority });
  if (reason === undefined) {
    draft.keep(files.cert, {
      expires: new Date(expiryOf(readCertificate(files.cert, leaf.cert ?? ''))).toISOString(),
    });
    draft.keep(files.key);
    return;
  }
  issue(context, spec, { authority, reason, key: authority.isSwitching ? undefined : leaf.key });
}

function issue(
  { draft, env }: PlanContext,
  spec: LeafSpec,
  { authority, reason, key }: { authority: PlannedAuthority; reason: string; key: string | undefined },
): void {
  const issuer = issuerOf(authority, `${spec.file}.crt: ${reason}`, env.clock.now());
  const now = env.clock.now();
  const notAfter = Math.min(now + LEAF_MS, expiryOf(readCertificate('', issuer.cert)));
  const { commonName, use, organizations, hosts } = spec;
  const made = issueCertificate(
    {
      commonName,
      use,
      ...(organizations !== undefined && { organizations }),
      ...(hosts !== undefined && { hosts }),
      ...(key !== undefined && { existingKey: key }),
      notBefore: now - BACKDATE_MS,
      notAfter,
    },
    env.random,
    issuer,
  );
  const expires = new Date(expiryOf(readCertificate('', made.cert))).toISOString();
  draft.put(`${spec.file}.crt`, made.cert, { action: 'renewed', reason, expires });
  draft.put(`${spec.file}.key`, made.key, { action: 'renewed', reason });
}

function issuerOf(
  { id, certificate, key }: PlannedAuthority,
  why: string,
  now: number,
): { readonly cert: string; readonly key: string } {
  const file = authorityFiles[id];
  if (key === undefined)
    throw new StartError(`${why}, and ${file}.key is not in the folder: add it, and run this again`);
  if (expiryOf(readCertificate(`${file}.crt`, certificate)) <= now)
    throw new StartError(
      `${why}, and the authority in ${file}.crt has expired: remove ${file}.crt and ${file}.key to have a new one made`,
    );
  return { cert: certificate, key };
}

interface Existing {
  readonly leaf: Leaf;
  readonly authority: PlannedAuthority;
}

/**
 * The reason why a certificate must be issued; undefined when it is kept. Throws a `StartError` for files that must not
 * be replaced.
 */
function renewalReason(
  { env, renewBeforeMs }: PlanContext,
  spec: LeafSpec,
  { leaf, authority }: Existing,
): string | undefined {
  const key = leaf.key === undefined ? undefined : readPrivateKey(`${spec.file}.key`, leaf.key);
  if (leaf.cert === undefined) return 'the certificate is missing';
  const certificate = readOrUndefined(leaf.cert);
  if (certificate === undefined) return 'the certificate cannot be read';
  requireOwn(spec, certificate, authority);
  if (authority.isSwitching) return 'its authority was replaced';
  if (key === undefined) return 'the key is missing';
  return unfitReason(spec, certificate, {
    key,
    isIssued: isIssuedBy(certificate, authority.certificate),
    now: env.clock.now(),
    until: env.clock.now() + renewBeforeMs,
  });
}

function unfitReason(
  { hosts }: LeafSpec,
  certificate: X509Certificate,
  { key, isIssued, now, until }: { key: KeyObject; isIssued: boolean; now: number; until: number },
): string | undefined {
  if (!certificate.checkPrivateKey(key)) return 'the certificate is not that of its key';
  if (!isIssued) return 'its authority was replaced';
  if (beginningOf(certificate) > now) return beginsLater(certificate);
  if (expiryOf(certificate) <= until) return `expires at ${new Date(expiryOf(certificate)).toISOString()}`;
  if (hosts !== undefined && !haveSame(hostsOf(certificate), hosts)) return 'other names or addresses';
  return undefined;
}

/** A certificate that an operator provides is not replaced. */
function requireOwn(
  { file }: LeafSpec,
  certificate: X509Certificate,
  { id, trusted, formerly }: PlannedAuthority,
): void {
  if ([...trusted, ...formerly].some((one) => isIssuedBy(certificate, one))) return;
  throw new StartError(
    `${file}.crt was not issued by ${authorityFiles[id]}.crt: restore the authority from a backup, or remove ${file}.crt to have a new one made`,
  );
}

function isIssuedBy(certificate: X509Certificate, issuer: string): boolean {
  const authority = new Certificate(issuer);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function readOrUndefined(pem: string): X509Certificate | undefined {
  try {
    return new Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Names and addresses of a certificate that this program issued: those contain no commas and quotes. */
const hostsOf = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName.split(', ').flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? []);

const haveSame = (actual: readonly string[], wanted: readonly string[]): boolean => {
  const [a, b] = [new Set(actual.map(canonical)), new Set(wanted.map(canonical))];
  return a.size === b.size && [...a].every((host) => b.has(host));
};

/** The same form for each address. */
const canonical = (host: string): string =>
  isIP(host) === 6 ? new URL(`http://[${host}]`).hostname : host.toLowerCase();
