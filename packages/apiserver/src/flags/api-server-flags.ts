import { DEFAULT_EMULATED_RELEASE, gateOptions, LATEST, NEWEST_RELEASE, OLDEST_RELEASE } from '@orch/apis';
import { defaultAddressTypes } from '@orch/connect';
import { type Naming, namesFor, namings } from '@orch/machinery';
import {
  choiceFlag,
  choicesFlag,
  durationFlag,
  type FlagValues,
  listFlag,
  logFormatFlag,
  numberFlag,
  switchFlag,
  textFlag,
  wholeFlag,
} from '@orch/program';
import { DEFAULT_ADDRESS_RANGE, DEFAULT_PORT_RANGE } from '@orch/service-networking';
import { admissionFlags } from './admission-flags.ts';
import { auditFlags } from './audit-flags.ts';
import { clusterTokenFlags } from './cluster-token-flags.ts';
import { foreignCredentialFlags } from './foreign-credential-flags.ts';
import { servingFlags } from './serving-flags.ts';
import { unusedFlags } from './unused-flags.ts';

/** The default encoding of stored objects; the other one is Protobuf. */
export const JSON_MEDIA_TYPE = 'application/json';
const protobufMediaType = (naming: Naming): string => namesFor(naming).mediaTypes.protobuf;

const MINUTE_MS = 60_000;
const MAX_INT = 2_147_483_647;

const general = (name: string, help: string) => ({ name, help, section: 'General' });
const requests = (name: string, help: string) => ({ name, help, section: 'Requests' });
const services = (name: string, help: string) => ({ name, help, section: 'Services' });
const storage = (name: string, help: string) => ({ name, help, section: 'Storage' });
const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });
const authorization = (name: string, help: string) => ({ name, help, section: 'Authorization' });

/** Flags of this section have another name in Kubernetes; both names are accepted. */
const compatible = namesFor('kubernetes');
const nodes = (name: string, help: string) => ({
  name,
  alias: compatible.flag(name),
  help,
  section: 'Nodes',
});

/** All flags of the API server: name, type, default, help. */
export const apiServerFlags = {
  naming: choiceFlag(
    general(
      'naming',
      'Identifiers of the API: those of this product, or those of the ecosystem with which it is compatible.',
    ),
    namings,
    'orch',
  ),
  emulatedVersion: textFlag(
    general(
      'emulated-version',
      `Release of the API to serve: ${OLDEST_RELEASE} to ${NEWEST_RELEASE}, or ${LATEST}. The default is ${LATEST} with --naming=kubernetes, otherwise ${DEFAULT_EMULATED_RELEASE}.`,
    ),
  ),
  runtimeConfig: listFlag(
    general(
      'runtime-config',
      'APIs to enable or disable, as key[=true|false]: group/version, group/version/resource, or api/all, api/ga, api/beta, api/alpha.',
    ),
  ),
  featureGates: listFlag({
    ...general(
      'feature-gates',
      `Feature gates, as Name=true|false. The list is that of release ${DEFAULT_EMULATED_RELEASE}; the emulated release determines which gates exist:`,
    ),
    options: () => gateOptions(DEFAULT_EMULATED_RELEASE, namesFor('orch')),
  }),
  showHiddenMetrics: textFlag(
    general(
      'show-hidden-metrics-for-version',
      'Previous release, such as 1.23, whose hidden metrics are shown: those that have been deprecated for some releases.',
    ),
  ),
  config: textFlag(
    general('config', 'YAML file with values for flags; flags on the command line take precedence.'),
  ),
  verbosity: wholeFlag(
    general('v', 'Log verbosity: 0 for operators, 3 with every request, 5 with everything.'),
    0,
    { least: 0, most: 10 },
  ),
  logFormat: logFormatFlag,
  accessLogSample: numberFlag(
    general(
      'access-log-sample',
      'Share of requests to log, 0 to 1, besides slow and failed ones, which are always logged; at most 1,000 a second.',
    ),
    0,
    { least: 0, most: 1 },
  ),
  tracingConfigFile: textFlag(
    general(
      'tracing-config-file',
      'File that names the collector to which traces are exported over OTLP, and the share of requests (TracingConfiguration). Needs packages that are not part of the program.',
    ),
  ),
  profiling: switchFlag(general('profiling', 'Serve CPU and heap profiles below /debug/profile.'), true),
  help: switchFlag(general('help', 'Print this help and exit.')),
  version: switchFlag(general('version', 'Print the version and exit.')),

  ...servingFlags,

  requestTimeout: durationFlag(
    requests(
      'request-timeout',
      'Maximum duration of a request; long-running requests such as watches are exempt.',
    ),
    MINUTE_MS,
  ),
  minRequestTimeout: wholeFlag(
    requests(
      'min-request-timeout',
      'Minimum duration in seconds of a watch that sets no timeout; the maximum is twice that.',
    ),
    1800,
    { least: 1, most: 1_000_000 },
  ),
  maxRequestsInflight: wholeFlag(
    requests('max-requests-inflight', 'Maximum number of concurrent read-only requests; 0 for no limit.'),
    400,
    { least: 0, most: MAX_INT },
  ),
  maxMutatingRequestsInflight: wholeFlag(
    requests(
      'max-mutating-requests-inflight',
      'Maximum number of concurrent mutating requests; 0 for no limit.',
    ),
    200,
    { least: 0, most: MAX_INT },
  ),

  deleteCollectionWorkers: wholeFlag(
    requests(
      'delete-collection-workers',
      'Number of concurrent deletions for one request that deletes a collection.',
    ),
    1,
    { least: 1, most: 1000 },
  ),
  priorityAndFairness: switchFlag(
    requests(
      'enable-priority-and-fairness',
      'Share the concurrency of both limits fairly among users and flows, according to flow schemas and priority levels; otherwise first come, first served.',
    ),
    true,
  ),
  goawayChance: numberFlag(
    requests(
      'goaway-chance',
      'Probability with which a request is the last one of its connection (GOAWAY in HTTP/2, Connection: close in HTTP/1.1), so that clients spread over servers behind a load balancer; 0 to 0.02. Other requests in progress are completed.',
    ),
    0,
    { least: 0, most: 0.02 },
  ),

  nodeAgentCertificateAuthority: textFlag(
    nodes(
      'nodeagent-certificate-authority',
      'PEM file with the authorities that sign the serving certificates of node agents; without it any certificate is accepted. Reloaded when it changes.',
    ),
  ),
  nodeAgentClientCertificate: textFlag(
    nodes(
      'nodeagent-client-certificate',
      'PEM file with the client certificate for node agents. Reloaded when it changes.',
    ),
  ),
  nodeAgentClientKey: textFlag(
    nodes('nodeagent-client-key', 'PEM file with the key of --nodeagent-client-certificate.'),
  ),
  nodeAgentAddressTypes: choicesFlag(
    nodes(
      'nodeagent-preferred-address-types',
      'Types of node addresses for connections to node agents, in order of preference.',
    ),
    defaultAddressTypes,
    defaultAddressTypes,
  ),
  nodeAgentTimeout: durationFlag(
    nodes('nodeagent-timeout', 'Timeout for opening a connection to a node agent.'),
    5_000,
  ),

  serviceClusterIpRange: textFlag(
    services(
      'service-cluster-ip-range',
      'Addresses of services, such as 10.0.0.0/16; a second range of the other family, after a comma, for dual stack.',
    ),
    DEFAULT_ADDRESS_RANGE,
  ),
  serviceNodePortRange: textFlag(
    services('service-node-port-range', 'Range of node ports for services, as first-last.'),
    DEFAULT_PORT_RANGE,
  ),
  advertiseAddress: textFlag(
    services(
      'advertise-address',
      'Address of this server in the endpoints of the default service. --bind-address when empty, and where that stands for all addresses or for the machine itself, the first address of the machine that others can reach.',
    ),
  ),
  endpointReconciler: choiceFlag(
    services(
      'endpoint-reconciler-type',
      'How the endpoints of the default service are reconciled: lease (every server adds its own entry and renews a lease) or none.',
    ),
    ['lease', 'none'],
    'lease',
  ),

  storageBackend: choiceFlag(
    storage('storage-backend', 'Storage backend. etcd when --etcd-servers is given, embedded otherwise.'),
    ['', 'embedded', 'etcd'],
    '',
  ),
  dataDir: textFlag(
    storage(
      'data-dir',
      'Folder of the embedded store. A folder contains the objects of one naming: the default folder those of the naming that used it first, and its subfolder kubernetes or orch those of the other.',
    ),
    '.orch/data',
  ),
  etcdServers: listFlag(storage('etcd-servers', 'URLs of the etcd members.')),
  etcdServersOverrides: listFlag(
    storage(
      'etcd-servers-overrides',
      'Resources in another etcd, each as group/resource#servers with URLs separated by semicolons: /events#https://10.0.0.4:2379;https://10.0.0.5:2379. Custom resources may be named too. The certificates for etcd and --etcd-prefix are those of --etcd-servers.',
    ),
  ),
  storageMediaType: textFlag(
    storage(
      'storage-media-type',
      `Media type of objects that are written to the store: ${JSON_MEDIA_TYPE}, or ${namings.map(protobufMediaType).join(' or ')} depending on --naming. Objects of any media type are read. Stored JSON is served as it is; objects in Protobuf take about half of the space, and are decoded when they are loaded or change.`,
    ),
    JSON_MEDIA_TYPE,
  ),
  etcdPrefix: textFlag(storage('etcd-prefix', 'Prefix of all keys.'), '/registry'),
  etcdCaFile: textFlag(
    storage(
      'etcd-cafile',
      'PEM file with the authorities that sign the certificates of etcd. Reloaded when it changes.',
    ),
  ),
  etcdCertFile: textFlag(
    storage('etcd-certfile', 'PEM file with the client certificate for etcd. Reloaded when it changes.'),
  ),
  etcdKeyFile: textFlag(storage('etcd-keyfile', 'PEM file with the key of --etcd-certfile.')),
  migrationTargetFile: textFlag(
    storage(
      'migration-target-file',
      'YAML file with the flags of another store (storage-backend, data-dir, etcd-servers, etcd-cafile, etcd-certfile, etcd-keyfile), to which "orch migrate" moves all objects. Read when a migration begins, and when the store was moved.',
    ),
  ),
  encryptionProviderConfig: textFlag(
    storage(
      'encryption-provider-config',
      'File that defines the resources to encrypt in the store, and their providers and keys (EncryptionConfiguration).',
    ),
  ),
  encryptionProviderConfigReload: switchFlag(
    storage(
      'encryption-provider-config-automatic-reload',
      'Use changes of the file of --encryption-provider-config without a restart.',
    ),
  ),
  compactionInterval: durationFlag(
    storage(
      'etcd-compaction-interval',
      'Interval of compaction, and the minimum time that old revisions are kept; 0 disables compaction.',
    ),
    5 * MINUTE_MS,
  ),
  eventTtl: durationFlag(
    storage('event-ttl', 'How long events are kept after their last write; 0 for no expiry.'),
    60 * MINUTE_MS,
  ),
  historyRetention: durationFlag(
    storage(
      'history-retention',
      'How long earlier states of objects are kept, with who changed them; 0 for no history.',
    ),
    0,
  ),
  historyMaxSize: textFlag(
    storage(
      'history-max-size',
      'Size of the history in the store, above which the oldest changes are dropped.',
    ),
    '256Mi',
  ),

  separateCredentials: switchFlag(
    authentication(
      'separate-credentials',
      'Permit replicas over etcd that have each generated authorities for client and serving certificates: clients of one are not accepted by the others. Without it such a replica does not start.',
    ),
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
      'CSV file with bearer tokens: token, user, uid, and optionally a quoted list of groups. Reloaded when it changes.',
    ),
  ),
  authorizationModes: choicesFlag(
    authorization(
      'authorization-mode',
      'Authorizers, in order: Node, ABAC, RBAC, Webhook, AlwaysAllow, AlwaysDeny.',
    ),
    ['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Node', 'ABAC', 'Webhook'],
    ['AlwaysAllow'],
  ),
  ...clusterTokenFlags,
  ...admissionFlags,
  ...foreignCredentialFlags,
  ...auditFlags,
  ...unusedFlags,
} as const;

export type ApiServerFlags = FlagValues<typeof apiServerFlags>;
