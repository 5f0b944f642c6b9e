import { DEFAULT_EMULATED_RELEASE, NEWEST_RELEASE, OLDEST_RELEASE } from '@orch/apis';
import { namings } from '@orch/machinery';
import {
  choiceFlag,
  choicesFlag,
  durationFlag,
  type FlagValues,
  listFlag,
  switchFlag,
  textFlag,
  wholeFlag,
} from './flags/define.ts';

const minute = 60_000;
const maxPort = 65_535;
const maxInt = 2_147_483_647;

const general = (name: string, help: string) => ({ name, help, section: 'General' });
const serving = (name: string, help: string) => ({ name, help, section: 'Serving' });
const requests = (name: string, help: string) => ({ name, help, section: 'Requests' });
const storage = (name: string, help: string) => ({ name, help, section: 'Storage' });
const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });
const authorization = (name: string, help: string) => ({ name, help, section: 'Authorization' });

/** Every flag of the API server: name, type, default, help. Nothing else knows them. */
export const apiServerFlags = {
  naming: choiceFlag(
    general(
      'naming',
      "Which identifiers the API uses: the product's own, or those of the ecosystem it is compatible with.",
    ),
    namings,
    'orch',
  ),
  emulatedVersion: textFlag(
    general('emulated-version', `Release of the API to serve, ${OLDEST_RELEASE} to ${NEWEST_RELEASE}.`),
    DEFAULT_EMULATED_RELEASE,
  ),
  config: textFlag(general('config', 'YAML file with values for flags; flags on the command line win.')),
  verbosity: wholeFlag(
    general('v', 'How much is logged: 0 is what operators need, 3 is every request, 5 is everything.'),
    0,
    { least: 0, most: 10 },
  ),
  help: switchFlag(general('help', 'Print this help and exit.')),
  version: switchFlag(general('version', 'Print the version and exit.')),

  bindAddress: textFlag(serving('bind-address', 'IP address to serve the API on.'), '0.0.0.0'),
  securePort: wholeFlag(
    serving('secure-port', 'Port to serve the API on, over TLS; 0 picks a free one.'),
    6443,
    {
      least: 0,
      most: maxPort,
    },
  ),
  opsBindAddress: textFlag(
    serving(
      'ops-bind-address',
      'Address and port for health and metrics over plain HTTP without credentials, such as 127.0.0.1:8080; port 0 picks a free one. None when empty.',
    ),
  ),
  certDir: textFlag(
    serving('cert-dir', 'Folder for the certificates that the server makes itself.'),
    '/var/run/orch',
  ),
  tlsCertFile: textFlag(
    serving(
      'tls-cert-file',
      'PEM file with the serving certificate and its chain. Without one the server makes its own in --cert-dir.',
    ),
  ),
  tlsPrivateKeyFile: textFlag(serving('tls-private-key-file', 'PEM file with the key of --tls-cert-file.')),
  adminConfig: textFlag(
    serving(
      'admin-config',
      'Where to write the client configuration file of the administrator; admin.conf in --cert-dir when empty.',
    ),
  ),
  maxStreams: wholeFlag(
    serving('http2-max-streams-per-connection', 'Most requests at one time on one HTTP/2 connection.'),
    250,
    { least: 1, most: 100_000 },
  ),
  livezGracePeriod: durationFlag(
    serving(
      'livez-grace-period',
      'How long after its start the server counts as alive although steps of its start are not finished.',
    ),
    0,
  ),
  shutdownDelay: durationFlag(
    serving('shutdown-delay-duration', 'How long to go on serving, but not ready, after a signal to stop.'),
    0,
  ),

  requestTimeout: durationFlag(
    requests('request-timeout', 'How long a request may take, unless it is a watch or the like.'),
    minute,
  ),
  minRequestTimeout: wholeFlag(
    requests(
      'min-request-timeout',
      'Seconds that a watch without a timeout of its own lasts at least; at most twice as long.',
    ),
    1800,
    { least: 1, most: 1_000_000 },
  ),
  maxRequestsInflight: wholeFlag(
    requests('max-requests-inflight', 'Most reading requests at one time; 0 for no limit.'),
    400,
    { least: 0, most: maxInt },
  ),
  maxMutatingRequestsInflight: wholeFlag(
    requests('max-mutating-requests-inflight', 'Most changing requests at one time; 0 for no limit.'),
    200,
    { least: 0, most: maxInt },
  ),

  storageBackend: choiceFlag(
    storage(
      'storage-backend',
      'Where objects are kept. etcd when --etcd-servers is given, embedded otherwise.',
    ),
    ['', 'embedded', 'etcd'],
    '',
  ),
  dataDir: textFlag(storage('data-dir', 'Folder of the embedded store.'), '.orch/data'),
  etcdServers: listFlag(storage('etcd-servers', 'URLs of the etcd members.')),
  etcdPrefix: textFlag(storage('etcd-prefix', 'What all keys begin with.'), '/registry'),
  etcdCaFile: textFlag(
    storage('etcd-cafile', 'PEM file with the authorities that sign the certificates of etcd.'),
  ),
  etcdCertFile: textFlag(storage('etcd-certfile', 'PEM file with the client certificate for etcd.')),
  etcdKeyFile: textFlag(storage('etcd-keyfile', 'PEM file with the key of --etcd-certfile.')),
  compactionInterval: durationFlag(
    storage(
      'etcd-compaction-interval',
      'How often old revisions are forgotten, and so how long they are kept at least; 0 for never.',
    ),
    5 * minute,
  ),

  clientCaFile: textFlag(
    authentication(
      'client-ca-file',
      'PEM file with the authorities that sign client certificates. The common name is the user, organizations are groups.',
    ),
  ),
  tokenAuthFile: textFlag(
    authentication(
      'token-auth-file',
      'CSV file with bearer tokens: token, user, uid, and optionally a quoted list of groups.',
    ),
  ),
  authorizationModes: choicesFlag(
    authorization('authorization-mode', 'Who decides what a user may do, in order: AlwaysAllow, AlwaysDeny.'),
    ['AlwaysAllow', 'AlwaysDeny'],
    ['AlwaysAllow'],
  ),
} as const;

export type ApiServerFlags = FlagValues<typeof apiServerFlags>;
