import { namesFor } from '@orch/machinery';
import { durationFlag, type FlagValues, listFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_WORKERS = 1000;

const controllers = (name: string, help: string) => ({ name, help, section: 'Controllers' });
const accounts = (name: string, help: string) => ({ name, help, section: 'Service accounts' });

/** Flags of this section accept the names of the compatible naming as well. */
const compatible = namesFor('kubernetes');
const signing = (name: string, help: string) => ({
  name,
  ...(compatible.flag(name) !== name && { alias: compatible.flag(name) }),
  help,
  section: 'Signing of certificates',
});

const workers = (what: string, help: string, initial: number) =>
  wholeFlag(controllers(`concurrent-${what}-syncs`, help), initial, { least: 1, most: MAX_WORKERS });

/** Certificate and key of one signer. */
const signer = (what: string, requests: string) =>
  [
    textFlag(
      signing(
        `cluster-signing-${what}-cert-file`,
        `PEM file with the certificate of the authority that signs ${requests}. Not together with --cluster-signing-cert-file.`,
      ),
    ),
    textFlag(
      signing(
        `cluster-signing-${what}-key-file`,
        `PEM file with the key of --cluster-signing-${what}-cert-file.`,
      ),
    ),
  ] as const;

const [apiserverClientCert, apiserverClientKey] = signer(
  'orch-apiserver-client',
  'certificates of clients of the API server',
);
const [nodeAgentClientCert, nodeAgentClientKey] = signer(
  'nodeagent-client',
  'client certificates of node agents',
);
const [nodeAgentServingCert, nodeAgentServingKey] = signer(
  'nodeagent-serving',
  'serving certificates of node agents',
);
const [legacyUnknownCert, legacyUnknownKey] = signer(
  'legacy-unknown',
  'requests of the legacy-unknown signer, which makes no guarantees',
);

/** The flags of controllers, in every process that runs them. */
export const controllerFlags = {
  controllers: listFlag(
    controllers(
      'controllers',
      'Controllers to run: * for those enabled by default, name to enable one, -name to disable one.',
    ),
    ['*'],
  ),
  useAccounts: switchFlag(
    accounts(
      'use-service-account-credentials',
      'Run each controller with its own service account and only the permissions of that account. Otherwise all use those of the manager.',
    ),
  ),
  gcWorkers: workers('gc', 'Number of objects that the garbage collector processes concurrently.', 20),
  enableGarbageCollector: switchFlag(
    controllers(
      'enable-garbage-collector',
      'Delete objects when their owners are deleted; must match the setting of the API server.',
    ),
    true,
  ),
  namespaceWorkers: workers('namespace', 'Number of namespaces that are deleted concurrently.', 10),
  namespaceSyncPeriod: durationFlag(
    controllers('namespace-sync-period', 'Interval at which namespaces are reconciled without changes.'),
    5 * MINUTE_MS,
  ),
  quotaWorkers: workers('resource-quota', 'Number of quotas that are reconciled concurrently.', 5),
  quotaSyncPeriod: durationFlag(
    controllers('resource-quota-sync-period', 'Interval at which quotas are recalculated without changes.'),
    5 * MINUTE_MS,
  ),
  tokenWorkers: workers(
    'serviceaccount-token',
    'Number of service accounts and token secrets that are reconciled concurrently.',
    5,
  ),
  ttlWorkers: workers('ttl-after-finished', 'Number of finished jobs that are processed concurrently.', 5),
  certificateWorkers: workers(
    'certificate',
    'Number of certificate signing requests that each of their controllers processes concurrently.',
    5,
  ),
  terminatedPodThreshold: wholeFlag(
    controllers(
      'terminated-pod-gc-threshold',
      'Number of terminated pods that are kept; beyond it the oldest are deleted. 0 keeps all.',
    ),
    12_500,
    { least: 0, most: 2_147_483_647 },
  ),
  migrationWritesPerSecond: wholeFlag(
    controllers(
      'storage-version-migration-writes-per-second',
      'Number of objects per second that storage version migrations store again, all migrations together.',
    ),
    100,
    { least: 1, most: 100_000 },
  ),

  rootCaFile: textFlag(
    accounts(
      'root-ca-file',
      'PEM file with the authorities that sign the serving certificate of the API server, for every namespace and every token secret.',
    ),
  ),
  serviceAccountPrivateKeyFile: textFlag(
    accounts(
      'service-account-private-key-file',
      'PEM file with the RSA or ECDSA key that signs the tokens of token secrets. When empty, no tokens are issued.',
    ),
  ),

  signingDuration: durationFlag(
    signing(
      'cluster-signing-duration',
      'Lifetime of issued certificates, and the maximum for requests that ask for one.',
    ),
    365 * 24 * HOUR_MS,
  ),
  signingCertFile: textFlag(
    signing(
      'cluster-signing-cert-file',
      'PEM file with the certificate of the authority that signs for all built-in signers.',
    ),
  ),
  signingKeyFile: textFlag(
    signing('cluster-signing-key-file', 'PEM file with the key of --cluster-signing-cert-file.'),
  ),
  apiserverClientCert,
  apiserverClientKey,
  nodeAgentClientCert,
  nodeAgentClientKey,
  nodeAgentServingCert,
  nodeAgentServingKey,
  legacyUnknownCert,
  legacyUnknownKey,
} as const;

export type ControllerFlags = FlagValues<typeof controllerFlags>;
