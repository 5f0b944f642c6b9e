import { issueCertificate, type KeyPair } from '@orch/pki/x509';
import { StartError } from '@orch/program';
import type { PlanContext } from './context.ts';
import { type AuthorityId, authorityFiles } from './parts.ts';
import {
  beginningOf,
  beginsLater,
  certificatesIn,
  expiryOf,
  idOf,
  readCertificate,
  readPrivateKey,
} from './pem-files.ts';
import type { RotationTurn } from './rotation-steps.ts';
import { AUTHORITY_MS, BACKDATE_MS, DAY_MS, LEAF_MS } from './validity.ts';

/** An authority after this run. */
export interface PlannedAuthority {
  readonly id: AuthorityId;
  /** The issuing certificate of the authority. */
  readonly certificate: string;
  /** Undefined when the key is kept elsewhere; nothing can be issued then. */
  readonly key: string | undefined;
  /** All trusted certificates, the issuing one first. */
  readonly trusted: readonly string[];
  /** Certificates that are no longer trusted; certificates that they issued are reissued. */
  readonly formerly: readonly string[];
  /** Certificates of this authority get new keys. */
  readonly isSwitching: boolean;
  /** Identifies the issuing certificate before this run. */
  readonly replaces: string;
}

interface Files {
  readonly cert: string;
  readonly key: string;
  readonly nextCert: string;
  readonly nextKey: string;
}

const filesOf = (id: AuthorityId): Files => {
  const file = authorityFiles[id];
  return {
    cert: `${file}.crt`,
    key: `${file}.key`,
    nextCert: `${file}.next.crt`,
    nextKey: `${file}.next.key`,
  };
};

/** Creates a missing authority, and makes the transition of a rotation. */
export function planAuthority(
  context: PlanContext,
  id: AuthorityId,
  { rotation, transition }: RotationTurn,
): PlannedAuthority {
  const files = filesOf(id);
  const current = currentPair(context, id, files);
  const step = { id, files, current };
  switch (transition) {
    case 'prepare':
      return prepare(context, step);
    case 'switch':
      return switchOver(context, step);
    case 'finish':
      return finish(context, step, rotation?.replaces ?? '');
    case 'none':
      if (rotation?.step === 'prepared') requireNext(context, files);
      return remade(context, step) ?? keep(context, step);
  }
}

interface Current {
  readonly trusted: readonly string[];
  readonly key: string | undefined;
}

interface Step {
  readonly id: AuthorityId;
  readonly files: Files;
  readonly current: Current;
}

function currentPair(context: PlanContext, id: AuthorityId, files: Files): Current {
  const { draft } = context;
  const cert = draft.read(files.cert);
  const key = draft.read(files.key);
  if (cert === undefined && key === undefined) {
    const made = newAuthority(context, id);
    draft.put(files.cert, made.cert, { expires: expires(files.cert, made.cert) });
    draft.put(files.key, made.key);
    return { trusted: [made.cert], key: made.key };
  }
  if (cert === undefined)
    throw new StartError(
      `${files.cert} is missing, and its key is not: restore it from a backup, or remove ${files.key} to have a new authority made`,
    );
  const trusted = certificatesIn(files.cert, cert);
  const issuing = readCertificate(files.cert, trusted[0] ?? '');
  if (key !== undefined && !issuing.checkPrivateKey(readPrivateKey(files.key, key)))
    throw new StartError(
      `${files.key} is not the key of the first certificate in ${files.cert}: restore both from a backup`,
    );
  return { trusted, key };
}

/** Each authority has a unique subject, so that certificates of the old and the new one differ. */
function newAuthority({ env, names }: PlanContext, id: AuthorityId): KeyPair {
  const now = env.clock.now();
  return issueCertificate(
    {
      commonName: `${names.product}-${authorityFiles[id]}-${env.random.bytes(4).toString('hex')}`,
      use: 'authority',
      notBefore: now - BACKDATE_MS,
      notAfter: now + AUTHORITY_MS,
    },
    env.random,
  );
}

function keep(context: PlanContext, { id, files, current }: Step): PlannedAuthority {
  const [certificate = ''] = current.trusted;
  for (const file of [files.cert, files.key, files.nextCert, files.nextKey])
    context.draft.keep(file, file === files.cert ? { expires: expires(file, certificate) } : {});
  warnOfExpiry(context, id, certificate);
  return planned(id, current, { before: current });
}

/**
 * The reissued authority when the present one is not valid yet because the clock was ahead: no client can have used it.
 * Undefined when it is kept. Throws a `StartError` when it cannot be reissued here.
 */
function remade(context: PlanContext, { id, files, current }: Step): PlannedAuthority | undefined {
  const { draft, env } = context;
  const [cert = ''] = current.trusted;
  const certificate = readCertificate(files.cert, cert);
  if (beginningOf(certificate) <= env.clock.now()) return undefined;
  const reason = beginsLater(certificate);
  if (current.key === undefined || current.trusted.length > 1)
    throw new StartError(
      `the authority in ${files.cert} is ${reason}: correct the clock of this machine, or remove ${files.cert} and ${files.key} to have a new authority made`,
    );
  const made = newAuthority(context, id);
  draft.put(files.cert, made.cert, { action: 'renewed', reason, expires: expires(files.cert, made.cert) });
  draft.put(files.key, made.key, { action: 'renewed', reason });
  const after = { trusted: [made.cert], key: made.key };
  return { ...planned(id, after, { before: after, isSwitching: true }), formerly: current.trusted };
}

function warnOfExpiry({ draft, env }: PlanContext, id: AuthorityId, certificate: string): void {
  const left = expiryOf(readCertificate(filesOf(id).cert, certificate)) - env.clock.now();
  if (left <= LEAF_MS)
    draft.warnings.push(
      `the authority in ${filesOf(id).cert} expires in ${Math.max(0, Math.floor(left / DAY_MS))} days: replace it, beginning with --rotate=${id}`,
    );
}

function prepare(context: PlanContext, { id, files, current }: Step): PlannedAuthority {
  const { draft } = context;
  const next = newAuthority(context, id);
  const trusted = [...current.trusted, next.cert];
  draft.put(files.cert, trusted.join(''), {
    reason: 'contains the new authority as well',
    expires: expires(files.cert, trusted[0] ?? ''),
  });
  draft.keep(files.key);
  draft.put(files.nextCert, next.cert, { expires: expires(files.nextCert, next.cert) });
  draft.put(files.nextKey, next.key);
  return planned(id, { trusted, key: current.key }, { before: current });
}

function requireNext({ draft }: PlanContext, files: Files): KeyPair {
  const [cert, key] = [draft.read(files.nextCert), draft.read(files.nextKey)];
  if (cert === undefined || key === undefined)
    throw new StartError(
      `${cert === undefined ? files.nextCert : files.nextKey} of the rotation is missing: restore it from a backup`,
    );
  if (!readCertificate(files.nextCert, cert).checkPrivateKey(readPrivateKey(files.nextKey, key)))
    throw new StartError(`${files.nextKey} is not the key of ${files.nextCert}: restore both from a backup`);
  return { cert, key };
}

function switchOver(context: PlanContext, { id, files, current }: Step): PlannedAuthority {
  const { draft } = context;
  const next = requireNext(context, files);
  const [issuing = ''] = certificatesIn(files.nextCert, next.cert);
  if (!current.trusted.includes(issuing))
    throw new StartError(
      `${files.cert} does not contain the certificate of ${files.nextCert}: restore it from a backup`,
    );
  const trusted = [issuing, ...current.trusted.filter((one) => one !== issuing)];
  const reason = 'the new authority issues certificates';
  draft.put(files.cert, trusted.join(''), { reason, expires: expires(files.cert, issuing) });
  draft.put(files.key, next.key, { reason });
  draft.remove(files.nextCert, `moved to ${files.cert}`);
  draft.remove(files.nextKey, `moved to ${files.key}`);
  return planned(id, { trusted, key: next.key }, { before: current, isSwitching: true });
}

/** Removes the replaced certificate only: an operator may have added others. */
function finish({ draft }: PlanContext, { id, files, current }: Step, replaced: string): PlannedAuthority {
  const trusted = current.trusted.filter((one, at) => at === 0 || idOf(one) !== replaced);
  const [certificate = ''] = trusted;
  draft.put(files.cert, trusted.join(''), {
    reason: 'the old authority is no longer trusted',
    expires: expires(files.cert, certificate),
  });
  draft.keep(files.key);
  return planned(id, { trusted, key: current.key }, { before: current });
}

const planned = (
  id: AuthorityId,
  { trusted, key }: Current,
  { before, isSwitching = false }: { readonly before: Current; readonly isSwitching?: boolean },
): PlannedAuthority => ({
  id,
  certificate: trusted[0] ?? '',
  key,
  trusted,
  formerly: [],
  isSwitching,
  replaces: idOf(before.trusted[0] ?? ''),
});

const expires = (file: string, certificate: string): string =>
  new Date(expiryOf(readCertificate(file, certificate))).toISOString();
