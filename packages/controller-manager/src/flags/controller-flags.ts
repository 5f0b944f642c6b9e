import { namesFor } from '@orch/machinery';
import { durationFlag, type FlagValues, listFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const minute = 60_000;
const hour = 60 * minute;
const maxWorkers = 1000;

const controllers = (name: string, help: string) => ({ name, help, section: 'Controllers' });
const accounts = (name: string, help: string) => ({ name, help, section: 'Service accounts' });

/** Some flags of this section have another name in the ecosystem that the API is compatible with: both are read. */
const compatible = namesFor('kubernetes');
const signing = (name: string, help: string) => ({
  name,
  ...(compatible.flag(name) !== name && { alias: compatible.flag(name) }),
  help,
  section: 'Signing of certificates',
});

const workers = (what: string, help: string, initial: number) =>
  wholeFlag(controllers(`concurrent-${what}-syncs`, help), initial, { least: 1, most: maxWorkers });

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
  'what the other signers do not, under the name that has no promises',
);

/** What is to be said of controllers, in whatever process they run. */
export const controllerFlags = {
  controllers: listFlag(
    controllers(
      'controllers',
      'Which controllers to run: * for those that are on by default, name for one more, -name for one less.',
    ),
    ['*'],
  ),
  useAccounts: switchFlag(
    accounts(
      'use-service-account-credentials',
      'Whether each controller works under a service account of its own, with the permissions of that one only. Otherwise all have those of the manager.',
    ),
  ),
  gcWorkers: workers('gc', 'How many objects the garbage collector works on at the same time.', 20),
  enableGarbageCollector: switchFlag(
    controllers(
      'enable-garbage-collector',
      'Whether objects are deleted when their owners are; to be said to the API server as well.',
    ),
    true,
  ),
  namespaceWorkers: workers('namespace', 'How many namespaces are emptied at the same time.', 10),
  namespaceSyncPeriod: durationFlag(
    controllers('namespace-sync-period', 'How often namespaces are looked at although nothing changed.'),
    5 * minute,
  ),
  quotaWorkers: workers('resource-quota', 'How many quotas are counted at the same time.', 5),
  quotaSyncPeriod: durationFlag(
    controllers('resource-quota-sync-period', 'How often quotas are counted although nothing changed.'),
    5 * minute,
  ),
  tokenWorkers: workers(
    'serviceaccount-token',
    'How many service accounts and token secrets are worked on at the same time.',
    5,
  ),
  ttlWorkers: workers('ttl-after-finished', 'How many finished jobs are worked on at the same time.', 5),
  certificateWorkers: workers(
    'certificate',
    'How many certificate requests each of their controllers works on at the same time.',
    5,
  ),
  terminatedPodThreshold: wholeFlag(
    controllers(
      'terminated-pod-gc-threshold',
      'How many terminated pods may be kept; beyond that the oldest are deleted. 0: all are kept.',
    ),
    12_500,
    { least: 0, most: 2_147_483_647 },
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
      'PEM file with the RSA or ECDSA key that signs the tokens of token secrets. Without one there are none.',
    ),
  ),

  signingDuration: durationFlag(
    signing(
      'cluster-signing-duration',
      'How long certificates are good for, and at most where a request says.',
    ),
    365 * 24 * hour,
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
