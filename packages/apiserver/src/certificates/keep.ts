import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Clock, Random } from '@orch/machinery';
import { type CertificateContent, issueCertificate, type KeyPair } from '@orch/pki/x509';
import { readIfPresent, writePrivateFile } from './files.ts';

const dayMs = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const leafDays = 365;

/** A certificate that is nearer to its end than this is replaced at the next start. */
const renewDays = 30;

/** Clocks of clients may run behind ours by as much. */
const backdateMs = 5 * 60 * 1000;

/** Folder, time and chance for keeping certificates. */
export interface Keeper {
  readonly dir: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** The certificate authority kept under a name: `<name>.crt` and `<name>.key`, made when absent or near its end. */
export function keepAuthority(keeper: Keeper, name: string, commonName: string): KeyPair {
  return keep(keeper, name, (pair) => daysLeft(pair, keeper) > leafDays + renewDays, {
    ...validity(keeper, authorityDays),
    commonName,
    use: 'authority',
  });
}

/** A certificate of an authority, kept as above, and made anew when the authority is another or hosts are missing. */
export function keepLeaf(
  keeper: Keeper,
  name: string,
  authority: KeyPair,
  request: Omit<CertificateContent, 'notBefore' | 'notAfter'>,
): KeyPair {
  const issuer = new X509Certificate(authority.cert);
  const isGood = (pair: KeyPair): boolean => {
    const certificate = new X509Certificate(pair.cert);
    return (
      daysLeft(pair, keeper) > renewDays &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey) &&
      (request.hosts ?? []).every((host) => covers(certificate, host))
    );
  };
  return keep(keeper, name, isGood, { ...request, ...validity(keeper, leafDays) }, authority);
}

/** A certificate that lives in no file. */
export const freshLeaf = (
  keeper: Omit<Keeper, 'dir'>,
  authority: KeyPair,
  request: Omit<CertificateContent, 'notBefore' | 'notAfter'>,
): KeyPair => issueCertificate({ ...request, ...validity(keeper, leafDays) }, keeper.random, authority);

function keep(
  keeper: Keeper,
  name: string,
  isGood: (pair: KeyPair) => boolean,
  request: CertificateContent,
  authority?: KeyPair,
): KeyPair {
  const files = { cert: join(keeper.dir, `${name}.crt`), key: join(keeper.dir, `${name}.key`) };
  const kept = { cert: readIfPresent(files.cert), key: readIfPresent(files.key) };
  if (kept.cert !== undefined && kept.key !== undefined) {
    const pair = { cert: kept.cert, key: kept.key };
    if (isUsable(pair, isGood)) return pair;
  }
  const made = issueCertificate(request, keeper.random, authority);
  writePrivateFile(files.key, made.key, keeper.random);
  writePrivateFile(files.cert, made.cert, keeper.random);
  return made;
}

/** Files that cannot be read as what they should be are replaced like those that are out of date. */
function isUsable(pair: KeyPair, isGood: (pair: KeyPair) => boolean): boolean {
  try {
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)) && isGood(pair);
  } catch {
    return false;
  }
}

const validity = ({ clock }: Pick<Keeper, 'clock'>, days: number) => ({
  notBefore: clock.now() - backdateMs,
  notAfter: clock.now() + days * dayMs,
});

const daysLeft = (pair: KeyPair, { clock }: Pick<Keeper, 'clock'>): number =>
  (Date.parse(new X509Certificate(pair.cert).validTo) - clock.now()) / dayMs;

const covers = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
