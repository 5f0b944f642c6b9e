import type { LogFields, Logger } from '@orch/machinery';
import type { StoreFlags } from '../settings/store-settings.ts';

type Flags = Pick<StoreFlags, 'etcdServers' | 'etcdCaFile' | 'etcdCertFile'>;

/** A cause in the words of a TLS library or of the system, and its meaning in terms of flags. */
type Meaning = readonly [cause: RegExp, meaning: (flags: Flags) => string];

const meanings: readonly Meaning[] = [
  [
    /alert (bad certificate|certificate required|unknown ca|certificate unknown|handshake failure|access denied|decrypt error|certificate expired)|certificate required/i,
    ({ etcdCertFile }) =>
      etcdCertFile === ''
        ? 'etcd requires a client certificate: set --etcd-certfile and --etcd-keyfile'
        : `etcd does not accept the client certificate ${etcdCertFile}: set --etcd-certfile and --etcd-keyfile to one of the authority that etcd trusts (its --trusted-ca-file)`,
  ],
  [
    /certificate has expired|not yet valid/i,
    () =>
      'the certificate of etcd is not valid now: renew it (--cert-file of etcd), or correct the clock of this machine',
  ],
  [
    /altnames|does not match certificate|hostname/i,
    () =>
      'the certificate of etcd is for other names: use one of its names in --etcd-servers, or issue it for these',
  ],
  [
    /unable to verify|self.signed|signature failure|unable to get (local )?issuer/i,
    ({ etcdCaFile }) =>
      etcdCaFile === ''
        ? 'the certificate of etcd was issued by an unknown authority: set --etcd-cafile to the certificate of that authority'
        : `the certificate of etcd was not issued by the authority in ${etcdCaFile}: set --etcd-cafile to the one that issued it`,
  ],
  [
    /before secure TLS|wrong version number|packet length too long|record layer/i,
    () =>
      'the server there does not speak TLS: use http:// in --etcd-servers, or TLS in etcd (its --cert-file)',
  ],
  [
    /frame of \d+ bytes|no application protocol|unimplemented|unknown service/i,
    () =>
      'the server there is not an etcd: correct --etcd-servers (the port for clients of etcd is usually 2379)',
  ],
  [
    /the peer ended the connection|ECONNRESET/i,
    ({ etcdServers }) =>
      etcdServers.some((server) => server.startsWith('https:'))
        ? 'the server there ended the connection: if it does not speak TLS, use http:// in --etcd-servers'
        : 'the server there ended the connection: if it serves TLS, use https:// in --etcd-servers, with --etcd-cafile, --etcd-certfile and --etcd-keyfile',
  ],
  [/ENOTFOUND|EAI_AGAIN/, () => 'the name of the server cannot be resolved: correct --etcd-servers'],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/,
    () => 'nothing accepts connections there: start etcd, or correct --etcd-servers',
  ],
];

/**
 * The reason why etcd could not be reached, in terms of flags instead of those of a TLS library, and the remedy. The
 * message itself when its cause is none of these.
 */
export function etcdConnectionProblem(text: string, flags: Flags): string {
  if (!text.includes('cannot connect')) return text;
  return meanings.find(([cause]) => cause.test(text))?.[1](flags) ?? text;
}

/** A log whose warnings about connections to etcd have such a reason. */
export const explainedLog = (log: Logger, flags: Flags): Logger => ({
  info: (message, fields) => log.info(message, fields),
  warn: (message, fields) => log.warn(message, explained(fields, flags)),
  error: (message, fields) => log.error(message, fields),
  debug: (level, message, fields) => log.debug(level, message, fields),
  enabled: (level) => log.enabled(level),
  with: (fields) => explainedLog(log.with(fields), flags),
});

function explained(fields: LogFields | undefined, flags: Flags): LogFields | undefined {
  const reason = fields?.['reason'];
  return typeof reason === 'string' ? { ...fields, reason: etcdConnectionProblem(reason, flags) } : fields;
}
