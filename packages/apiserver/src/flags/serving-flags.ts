import { durationFlag, textFlag, wholeFlag } from '@orch/program';
import { tlsFlags } from './tls-flags.ts';

const MAX_PORT = 65_535;
const MAX_THREADS = 64;
/** More threads help only a server that mostly reads (design 0020). */
export const MOST_AUTOMATIC_THREADS = 8;

const serving = (name: string, help: string) => ({ name, help, section: 'Serving' });

/** Flags about the port, its certificates, and the threads that serve it. */
export const servingFlags = {
  bindAddress: textFlag(serving('bind-address', 'IP address to serve the API on.'), '0.0.0.0'),
  securePort: wholeFlag(
    serving('secure-port', 'Port to serve the API on, over TLS; 0 picks a free one.'),
    6443,
    {
      least: 0,
      most: MAX_PORT,
    },
  ),
  opsBindAddress: textFlag(
    serving(
      'ops-bind-address',
      'Address and port for health and metrics over plain HTTP without credentials, such as 127.0.0.1:8080; port 0 picks a free one. None when empty.',
    ),
  ),
  certDir: textFlag(
    serving('cert-dir', 'Folder for the certificates that the server generates.'),
    '/var/run/orch',
  ),
  tlsCertFile: textFlag(
    serving(
      'tls-cert-file',
      'PEM file with the serving certificate and its chain. When empty, the server generates one in --cert-dir.',
    ),
  ),
  tlsPrivateKeyFile: textFlag(serving('tls-private-key-file', 'PEM file with the key of --tls-cert-file.')),
  ...tlsFlags,
  adminConfig: textFlag(
    serving(
      'admin-config',
      'Path to which the server writes the client configuration file of the administrator; admin.conf in --cert-dir when empty.',
    ),
  ),
  controllerConfig: textFlag(
    serving(
      'controller-manager-config',
      'Path to which the server writes a client configuration file for controller managers, with their own client certificate; none when empty.',
    ),
  ),
  threads: wholeFlag(
    serving(
      'threads',
      'Threads of the process that serve requests; when 0, one for each core that the process may use, at most 8 (with orch up 2), and for each 256 MiB of a memory limit.',
    ),
    0,
    {
      least: 0,
      most: MAX_THREADS,
    },
  ),
  maxStreams: wholeFlag(
    serving(
      'http2-max-streams-per-connection',
      'Maximum number of concurrent requests on one HTTP/2 connection.',
    ),
    250,
    { least: 1, most: 100_000 },
  ),
  livezGracePeriod: durationFlag(
    serving(
      'livez-grace-period',
      'Time after the start during which unfinished start steps do not make the server unhealthy.',
    ),
    0,
  ),
  shutdownDelay: durationFlag(
    serving(
      'shutdown-delay-duration',
      'Time between a stop signal, when the server becomes unready, and the end of serving.',
    ),
    0,
  ),
} as const;
