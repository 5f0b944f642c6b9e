import { choiceFlag, listFlag, repeatedFlag, switchFlag, textFlag } from '@orch/program';
import { cipherSuites } from './cipher-suites.ts';

const serving = (name: string, help: string) => ({ name, help, section: 'Serving' });

/** Flags about TLS, the port and browsers. */
export const tlsFlags = {
  tlsMinVersion: choiceFlag(
    serving('tls-min-version', 'Lowest version of TLS to accept. Earlier ones than 1.2 are not secure.'),
    ['VersionTLS12', 'VersionTLS13'],
    'VersionTLS12',
  ),
  tlsCipherSuites: listFlag({
    ...serving(
      'tls-cipher-suites',
      'Cipher suites of TLS 1.2 to accept; all of these when empty. Those of TLS 1.3 are always accepted.',
    ),
    options: () => Object.keys(cipherSuites),
  }),
  tlsSniCertKey: repeatedFlag(
    serving(
      'tls-sni-cert-key',
      'PEM files with a serving certificate and its key for clients that ask for one of its names, as CERT,KEY or CERT,KEY:NAME,NAME with other names, of which the first label may be *. May be given several times; the first that fits is used.',
    ),
  ),
  tlsSessionTicketKeyFile: textFlag(
    serving(
      'tls-session-ticket-key-file',
      'File with at least 32 random bytes that replicas share, so that each resumes the TLS sessions of the others: after one has ended, its clients cost the others half of the CPU for handshakes. Whoever has the file can pretend to be any client with a certificate. When empty, only the threads of a process share sessions.',
    ),
  ),
  console: switchFlag(
    serving(
      'console',
      'Serve the web console at /console/ of this port. Users log in at the OpenID Connect provider whose tokens the server accepts, or with a token.',
    ),
  ),
  consoleScopes: listFlag(
    serving(
      'console-login-scopes',
      'Scopes of logins of the console besides openid, such as email and groups, or offline_access for tokens that are renewed.',
    ),
  ),
  consoleClientSecretFile: textFlag(
    serving(
      'console-client-secret-file',
      'File with the secret of the client of --oidc-client-id, for providers that require one from web applications. It is read at the start and not sent to the page.',
    ),
  ),
  corsAllowedOrigins: listFlag(
    serving(
      'cors-allowed-origins',
      'Regular expressions of origins whose pages browsers may let read responses. None when empty. A part of an origin is enough to match: use ^ and $.',
    ),
  ),
  strictTransportSecurity: listFlag(
    serving(
      'strict-transport-security-directives',
      'Directives for browsers to use TLS only, as max-age=SECONDS, includeSubDomains, preload. No header when empty.',
    ),
  ),
  externalHostname: textFlag(
    serving(
      'external-hostname',
      'Host name, with or without a port, under which clients reach the server: in discovery, and in the certificate that the server generates.',
    ),
  ),
  proxyProtocolFrom: listFlag(
    serving(
      'proxy-protocol-from',
      'Addresses or ranges (10.9.8.0/24) of balancers whose connections begin with the PROXY protocol, version 1 or 2, which names the client for audit and logs. Connections from them without it are refused; from other addresses it is not accepted.',
    ),
  ),
  permitPortSharing: switchFlag(
    serving(
      'permit-port-sharing',
      'Let several servers listen on the same port of this machine (SO_REUSEPORT), so that one can be replaced without a gap.',
    ),
  ),
} as const;
