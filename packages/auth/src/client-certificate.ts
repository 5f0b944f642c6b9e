import { X509Certificate } from 'node:crypto';
import { subjectNames } from './subject.ts';
import type { Authentication, Authenticator } from './types.ts';

interface Verified {
  readonly answer: Authentication;
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Client certificates (spec 5.2): the subject's common name is the user, each organization a group. That the chain leads
 * to the client CA was verified by TLS; validity in time is checked on every request, since connections outlive it.
 * `implicitGroup` is added to every user.
 */
export function clientCertificateAuthenticator(options: {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly implicitGroup: string;
  /** Seconds that a presented certificate still has, for the metric; called once per connection. */
  readonly observeRemaining?: (seconds: number) => void;
}): Authenticator {
  const none: Authentication = { kind: 'none' };
  const outOfTime: Authentication = { kind: 'rejected', reason: 'the client certificate is not valid now' };
  const remembered = new WeakMap<object, Verified>();
  return {
    authenticate({ clientCertificate, connection }) {
      if (clientCertificate === undefined) return none;
      const now = options.now();
      let verified = remembered.get(connection);
      if (verified === undefined) {
        verified = readCertificate(clientCertificate, options.implicitGroup);
        remembered.set(connection, verified);
        options.observeRemaining?.((verified.notAfter - now) / 1000);
      }
      return now < verified.notBefore || now > verified.notAfter ? outOfTime : verified.answer;
    },
  };
}

function readCertificate(der: Buffer, implicitGroup: string): Verified {
  const certificate = new X509Certificate(der);
  const { commonName, organizations } = subjectNames(certificate);
  return {
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    answer:
      commonName === ''
        ? { kind: 'rejected', reason: 'the client certificate has no common name' }
        : {
            kind: 'user',
            user: {
              name: commonName,
              uid: '',
              groups: [...new Set([...organizations, implicitGroup])],
              extra: {},
            },
          },
  };
}
