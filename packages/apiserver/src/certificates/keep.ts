import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Clock, Logger, Random } from '@orch/machinery';
import { type CertificateContent, issueCertificate, type KeyPair } from '@orch/pki/x509';
import { readIfPresent, writePrivateFile } from './files.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;

/** A certificate that expires within this time is replaced, at a start or while the server runs. */
const RENEW_DAYS = 30;

/** Tolerated difference of the clocks of clients. */
const BACKDATE_MS = 5 * 60 * 1000;

/** Folder, clock and random source for stored certificates. */
export interface Keeper {
  readonly dir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** The certificate authority in `<name>.crt` and `<name>.key`, created when absent or about to expire. */
export function keepAuthority(keeper: Keeper, name: string, commonName: string): KeyPair {
  return keep(keeper, name, {
    request: { ...validity(keeper, AUTHORITY_DAYS), commonName, use: 'authority' },
    problemOf: (certificate) =>
      daysLeft(certificate, keeper) > LEAF_DAYS + RENEW_DAYS ? undefined : expiryOf(certificate),
  });
}

/** The stored authority, which is not replaced. Throws when it cannot be read. */
export function storedAuthority({ dir }: Pick<Keeper, 'dir'>, name: string): KeyPair {
  const { cert, key } = storedPair(dir, name);
  if (cert === undefined || key === undefined) throw new Error(`there is no authority ${name} in ${dir}`);
  return { cert, key };
}

/** Reports whether a certificate has to be replaced by now: it expires soon, or begins later, since a clock was ahead. */
export function needsReplacement({ cert }: KeyPair, keeper: Pick<Keeper, 'clock'>): boolean {
  const certificate = new X509Certificate(cert);
  return daysLeft(certificate, keeper) <= RENEW_DAYS || beginsLater(certificate, keeper);
}

/** A certificate of an authority, stored likewise, and replaced when its authority differs or hosts are missing. */
export function keepLeaf(
  keeper: Keeper,
  name: string,
  authority: KeyPair,
  request: Omit<CertificateContent, 'notBefore' | 'notAfter'>,
): KeyPair {
  const issuer = new X509Certificate(authority.cert);
  const problemOf = (certificate: X509Certificate): string | undefined => {
    if (daysLeft(certificate, keeper) <= RENEW_DAYS) return expiryOf(certificate);
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      return 'it was not issued by the current authority';
    const missing = (request.hosts ?? []).filter((host) => !covers(certificate, host));
    return missing.length === 0 ? undefined : `it is not for ${missing.join(', ')}`;
  };
  return keep(keeper, name, {
    request: { ...request, ...validity(keeper, LEAF_DAYS) },
    authority,
    problemOf,
  });
}

/** A certificate that is not stored. */
export const freshLeaf = (
  keeper: Pick<Keeper, 'clock' | 'random'>,
  authority: KeyPair,
  request: Omit<CertificateContent, 'notBefore' | 'notAfter'>,
): KeyPair => issueCertificate({ ...request, ...validity(keeper, LEAF_DAYS) }, keeper.random, authority);

/** A certificate to be kept, and why the stored one cannot be used any longer. */
interface Wanted {
  readonly request: CertificateContent;
  /** Absent for a certificate that signs itself. */
  readonly authority?: KeyPair;
  problemOf(certificate: X509Certificate): string | undefined;
}

function keep(keeper: Keeper, name: string, { request, authority, problemOf }: Wanted): KeyPair {
  const files = filesOf(keeper.dir, name);
  const kept = storedPair(keeper.dir, name);
  if (kept.cert !== undefined && kept.key !== undefined) {
    const pair = { cert: kept.cert, key: kept.key };
    const reason = problemOfPair(pair, keeper, problemOf);
    if (reason === undefined) return pair;
    keeper.log.info('a generated certificate was reissued', { file: files.cert, reason });
  }
  const made = issueCertificate(request, keeper.random, authority);
  writePrivateFile(files.key, made.key, keeper.random);
  writePrivateFile(files.cert, made.cert, keeper.random);
  return made;
}

const filesOf = (dir: string, name: string) => ({
  cert: join(dir, `${name}.crt`),
  key: join(dir, `${name}.key`),
});

function storedPair(dir: string, name: string): Partial<KeyPair> {
  const files = filesOf(dir, name);
  const [cert, key] = [readIfPresent(files.cert), readIfPresent(files.key)];
  return { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
}

/** Invalid files are replaced like expired ones. */
function problemOfPair(
  pair: KeyPair,
  keeper: Pick<Keeper, 'clock'>,
  problemOf: Wanted['problemOf'],
): string | undefined {
  try {
    const certificate = new X509Certificate(pair.cert);
    if (!certificate.checkPrivateKey(createPrivateKey(pair.key))) return 'it does not match its key';
    if (beginsLater(certificate, keeper)) return `it is not valid before ${dateOf(certificate.validFrom)}`;
    return problemOf(certificate);
  } catch {
    return 'it cannot be read';
  }
}

const beginsLater = ({ validFrom }: X509Certificate, { clock }: Pick<Keeper, 'clock'>): boolean =>
  Date.parse(validFrom) > clock.now();

const dateOf = (text: string): string => new Date(text).toISOString();

const expiryOf = ({ validTo }: X509Certificate): string => `it expires at ${dateOf(validTo)}`;

const validity = ({ clock }: Pick<Keeper, 'clock'>, days: number) => ({
  notBefore: clock.now() - BACKDATE_MS,
  notAfter: clock.now() + days * DAY_MS,
});

const daysLeft = ({ validTo }: X509Certificate, { clock }: Pick<Keeper, 'clock'>): number =>
  (Date.parse(validTo) - clock.now()) / DAY_MS;

const covers = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
