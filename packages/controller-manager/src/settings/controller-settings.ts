import {
  type AuthorityContent,
  allControllers,
  type ControllerDescriptor,
  type ControllerOptions,
  type SignerKey,
} from '@orch/controllers';
import type { Names } from '@orch/machinery';
import { UsageError } from '@orch/program';
import type { ControllerFlags } from '../flags/index.ts';
import { authorityFiles, rootCaFile, tokenKeyFile } from './key-files.ts';
import { selectControllers } from './selection.ts';

/** The options that do not depend on the server. */
export type FixedOptions = Omit<ControllerOptions, 'release'>;

/** The validated flags of controllers. */
export interface ControllerSettings {
  readonly names: Names;
  readonly selected: readonly ControllerDescriptor[];
  readonly useAccounts: boolean;
  readonly options: FixedOptions;
}

/** Keys and certificates that a process with its own API server uses without files, and its delays. */
export type Fallbacks = Pick<FixedOptions, 'serviceAccountKey' | 'rootCa' | 'jobs'> & {
  readonly authority?: AuthorityContent;
  readonly namespace?: Omit<FixedOptions['namespace'], 'resyncMs'>;
};

const SECOND_MS = 1000;

/** Validates flags and the files that they name. Throws `UsageError` and `StartError`. */
export function controllerSettings(
  flags: ControllerFlags,
  context: { readonly names: Names; readonly gates: ReadonlyMap<string, boolean> },
  fallbacks: Fallbacks = {},
): ControllerSettings {
  const { names, gates } = context;
  const serviceAccountKey =
    tokenKeyFile('service-account-private-key-file', flags.serviceAccountPrivateKeyFile) ??
    fallbacks.serviceAccountKey;
  const rootCa = rootCaFile('root-ca-file', flags.rootCaFile) ?? fallbacks.rootCa;
  if (flags.signingDuration < 600 * SECOND_MS)
    throw new UsageError('invalid value for --cluster-signing-duration: must be 10m or more');
  return {
    names,
    selected: selectControllers(flags.controllers, allControllers),
    useAccounts: flags.useAccounts,
    options: {
      featureGate: (name) => gates.get(names.featureGate(name)),
      concurrency: {
        garbageCollector: flags.gcWorkers,
        namespace: flags.namespaceWorkers,
        resourceQuota: flags.quotaWorkers,
        serviceAccountToken: flags.tokenWorkers,
        ttlAfterFinished: flags.ttlWorkers,
        certificate: flags.certificateWorkers,
      },
      garbageCollector: { isEnabled: flags.enableGarbageCollector, discoveryIntervalMs: 600 * SECOND_MS },
      namespace: {
        resyncMs: flags.namespaceSyncPeriod,
        ...fallbacks.namespace,
      },
      resourceQuota: { resyncMs: flags.quotaSyncPeriod },
      podGc: {
        terminatedThreshold: flags.terminatedPodThreshold,
        intervalMs: 20 * SECOND_MS,
        quarantineMs: 40 * SECOND_MS,
      },
      storageVersionMigrator: { writesPerSecond: flags.migrationWritesPerSecond },
      signing: {
        durationMs: flags.signingDuration,
        authorities: authoritiesOf(flags, fallbacks.authority),
      },
      ...(serviceAccountKey !== undefined && { serviceAccountKey }),
      ...(rootCa !== undefined && { rootCa }),
      ...(fallbacks.jobs !== undefined && { jobs: fallbacks.jobs }),
    },
  };
}

/** Parses `--feature-gates`; the last value of a gate applies. Throws `UsageError`. */
export function readFeatureGates(values: readonly string[]): ReadonlyMap<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const value of values) {
    const match = /^([A-Za-z][A-Za-z0-9]*)=(true|false)$/.exec(value);
    if (match === null) {
      throw new UsageError(
        `invalid value ${JSON.stringify(value)} for --feature-gates: must be Name=true or Name=false`,
      );
    }
    gates.set(match[1] ?? '', match[2] === 'true');
  }
  return gates;
}

/** One authority for all signers, or one for each configured signer. */
function authoritiesOf(
  flags: ControllerFlags,
  fallback: AuthorityContent | undefined,
): Readonly<Partial<Record<SignerKey, AuthorityContent>>> {
  const pair = (what: string, certFile: string, keyFile: string): AuthorityContent | undefined =>
    authorityFiles({
      certFlag: `cluster-signing-${what}cert-file`,
      certFile,
      keyFlag: `cluster-signing-${what}key-file`,
      keyFile,
    });
  const common = pair('', flags.signingCertFile, flags.signingKeyFile);
  const single: Partial<Record<SignerKey, AuthorityContent | undefined>> = {
    apiserverClient: pair('orch-apiserver-client-', flags.apiserverClientCert, flags.apiserverClientKey),
    apiserverClientNodeagent: pair('nodeagent-client-', flags.nodeAgentClientCert, flags.nodeAgentClientKey),
    nodeagentServing: pair('nodeagent-serving-', flags.nodeAgentServingCert, flags.nodeAgentServingKey),
    legacyUnknown: pair('legacy-unknown-', flags.legacyUnknownCert, flags.legacyUnknownKey),
  };
  const configured = Object.entries(single).filter(([, authority]) => authority !== undefined);
  if (common !== undefined && configured.length > 0) {
    throw new UsageError(
      '--cluster-signing-cert-file and --cluster-signing-key-file cannot be used with those of single signers',
    );
  }
  if (configured.length > 0) return Object.fromEntries(configured);
  const shared = common ?? fallback;
  if (shared === undefined) return {};
  return {
    apiserverClient: shared,
    apiserverClientNodeagent: shared,
    nodeagentServing: shared,
    legacyUnknown: shared,
  };
}
