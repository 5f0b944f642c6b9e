import { hash, X509Certificate } from 'node:crypto';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { certificateExtra } from './credential-ids.ts';
import { subjectNames } from './subject.ts';
import type { Authentication, Authenticator } from './types.ts';
import type { TrustPool, Validity } from './x509/trust-pool.ts';

interface Verified extends Validity {
  readonly answer: Authentication;
  /** Generation of the certificate pool that verified it. */
  readonly generation: number;
}

/** Maximum number of remembered certificates: one for each node of a large cluster, a few hundred bytes each. */
const REMEMBERED = 10_000;

/** Options of `clientCertificateAuthenticator`. */
export interface ClientCertificateOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly implicitGroup: string;
  /** The authorities for clients. Without them every certificate that TLS verifies is accepted. */
  readonly pool?: TrustPool;
  /** Key of the extra value of users with the digest of their certificate; undefined in releases without it. */
  readonly credentialIdKey?: string | undefined;
  /** Whether users have the uid in the subject of their certificate. */
  readonly readsUids?: boolean | undefined;
  /** Seconds that a presented certificate still has, for the metric; called once per connection. */
  readonly observeRemaining?: (seconds: number) => void;
}

/**
 * Client certificates (spec 5.2): the subject's common name is the user, each organization a group. That the certificate
 * may be used by clients and leads to an authority was verified by TLS; validity in time is checked on every request,
 * since connections outlive it, and so is that the authority still is one for clients. A certificate that TLS did not
 * verify is a wrong credential, not the lack of one. `implicitGroup` is added to every user. A certificate with an empty
 * uid, or with several, is refused by servers that read uids. A certificate is read once for all connections that present
 * it: reading it costs more than the rest of a first request, and a client that reconnects presents the same one.
 */
export function clientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  const none: Authentication = { kind: 'none' };
  const outOfTime: Authentication = {
    kind: 'rejected',
    reason: 'the client certificate has expired or is not yet valid',
  };
  const cached = new WeakMap<object, Verified>();
  const readNew = rememberingReader(options);
  return {
    authenticate(credentials) {
      const { clientCertificate, connection, certificateProblem } = credentials;
      if (clientCertificate === undefined) {
        return certificateProblem === undefined
          ? none
          : rejected(`the client certificate: ${certificateProblem}`);
      }
      const now = options.now();
      let verified = cached.get(connection);
      if (verified === undefined || verified.generation !== (options.pool?.generation ?? 0)) {
        const isFirst = verified === undefined;
        verified = isFirst ? readNew(clientCertificate) : readCertificate(clientCertificate, false, options);
        cached.set(connection, verified);
        if (isFirst) options.observeRemaining?.((verified.notAfter - now) / 1000);
      }
      return now < verified.notBefore || now > verified.notAfter ? outOfTime : verified.answer;
    },
  };
}

const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

/** Reads the certificates of new connections. A certificate is read again only after the authorities have changed. */
function rememberingReader(options: ClientCertificateOptions): (der: Buffer) => Verified {
  const known = new BoundedCache<string, Verified>({ maxEntries: REMEMBERED, leastRecentlyUsed: true });
  return (der) => {
    const digest = hash('sha256', der, 'base64');
    const remembered = known.get(digest);
    if (remembered !== undefined && remembered.generation === (options.pool?.generation ?? 0))
      return remembered;
    const read = readCertificate(der, true, options);
    known.set(digest, read);
    return read;
  };
}

function readCertificate(der: Buffer, isNew: boolean, options: ClientCertificateOptions): Verified {
  const { pool } = options;
  const certificate = new X509Certificate(der);
  const own: Validity = {
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
  };
  const validity = pool === undefined ? own : pool.validityOf(certificate, { isNew });
  const generation = pool?.generation ?? 0;
  return validity === undefined
    ? {
        ...own,
        generation,
        answer: rejected('the client certificate was not issued by an authority for clients'),
      }
    : { ...validity, generation, answer: userOf(certificate, options) };
}

function userOf(
  certificate: X509Certificate,
  { implicitGroup, credentialIdKey, readsUids = false }: ClientCertificateOptions,
): Authentication {
  const { commonName, organizations, uids } = subjectNames(certificate);
  if (commonName === '') return rejected('the client certificate has no common name');
  const [uid, ...more] = readsUids ? uids : [];
  if (uid === '') return rejected('the uid in the client certificate is empty');
  if (more.length > 0) return rejected('the client certificate has several uids');
  const groups = [...new Set([...organizations, implicitGroup])];
  const extra = certificateExtra(certificate.raw, credentialIdKey);
  return { kind: 'user', user: { name: commonName, uid: uid ?? '', groups, extra } };
}
