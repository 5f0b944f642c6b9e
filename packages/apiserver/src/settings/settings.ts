import { join } from 'node:path';
import {
  builtinTypes,
  emulatedRelease,
  FeatureGateError,
  type FeatureGates,
  type IsEnabled,
  LATEST,
  NEWEST_RELEASE,
  OLDEST_RELEASE,
  parseRelease,
  previousRelease,
  type Release,
  RuntimeConfigError,
  resolveFeatureGates,
  runtimeConfig,
  type ServerFeatures,
  serverFeatures,
} from '@orch/apis';
import { type Names, namesFor } from '@orch/machinery';
import type { MetricRelease } from '@orch/machinery/env';
import { nonSpecialIp } from '@orch/machinery/formats';
import { checkAddress, type HostPort, readHostPort, UsageError, withValues } from '@orch/program';
import type { StoredEncoding } from '@orch/registry';
import { addressRanges, BadRange, portRange, type ServiceRanges } from '@orch/service-networking';
import { type ApiServerFlags, JSON_MEDIA_TYPE } from '../flags/api-server-flags.ts';
import { type AdmissionSettings, admissionSettings } from './admission-settings.ts';
import { checkCredentialFlags, checkSigningEndpoint, checkUidHeaders } from './check-credential-flags.ts';
import { type HistorySettings, historySettings } from './history-settings.ts';
import { type ServingSettings, servingSettings } from './serving-settings.ts';
import { type StoresSettings, storesSettingsOf } from './store-settings.ts';
import { threadsOf } from './thread-settings.ts';
import { type TokenSettings, tokenSettings } from './token-settings.ts';

/** Checked flags with everything derived from them that needs no file and no network. */
export interface Settings {
  /** `threads` is the number of threads that serve requests, also when none was given. */
  readonly flags: ApiServerFlags;
  readonly names: Names;
  readonly release: Release;
  /** The APIs of the release that `--runtime-config` enables. */
  readonly isEnabled: IsEnabled;
  readonly gates: FeatureGates;
  /** Features of the server by its feature gates. */
  readonly features: ServerFeatures;
  readonly metricRelease: MetricRelease;
  readonly bind: HostPort;
  readonly ops: HostPort | undefined;
  /** The address and port ranges of services. */
  readonly services: ServiceRanges;
  readonly serving: ServingSettings;
  readonly tokens: TokenSettings;
  readonly admission: AdmissionSettings;
  readonly storage: StoresSettings['storage'];
  /** Resources in separate stores. */
  readonly overrides: StoresSettings['overrides'];
  readonly storedAs: StoredEncoding;
  /** Prefix of store keys; ends with a slash. */
  readonly storePrefix: string;
  /** Undefined without a history of objects. */
  readonly history: HistorySettings | undefined;
  readonly adminConfig: string;
}

/**
 * Checks flags against each other. The number of threads is the automatic one when flags have none. Throws `UsageError`.
 */
export function settingsOf(flags: ApiServerFlags, automaticThreads = 1): Settings {
  if (flags.requestTimeout <= 0) {
    throw new UsageError('invalid value "0" for --request-timeout: must be greater than zero');
  }
  if (flags.nodeAgentTimeout <= 0) {
    throw new UsageError('invalid value "0" for --nodeagent-timeout: must be greater than zero');
  }
  checkCredentialFlags(flags);
  checkAuditFlags(flags);
  const names = namesFor(flags.naming);
  const release = releaseOf(flags);
  const gates = flagValue('feature-gates', () => resolveFeatureGates(flags.featureGates, release, names));
  const features = serverFeatures(gates);
  checkUidHeaders(flags, features);
  checkSigningEndpoint(flags, features);
  return {
    names,
    release,
    isEnabled: flagValue('runtime-config', () => runtimeConfig(flags.runtimeConfig, builtinTypes, names)),
    gates,
    features,
    metricRelease: { release, showHidden: showsHidden(flags.showHiddenMetrics, release) },
    bind: { host: checkAddress('bind-address', flags.bindAddress), port: flags.securePort },
    ops: flags.opsBindAddress === '' ? undefined : readHostPort('ops-bind-address', flags.opsBindAddress),
    services: servicesOf(flags),
    serving: servingSettings(flags),
    tokens: tokenSettings(flags, names),
    admission: admissionSettings(flags, release),
    ...storesSettingsOf(flags),
    flags: withValues(flags, { threads: threadsOf(flags, automaticThreads) }),
    storedAs: storedAsOf(flags, names),
    history: historySettings(flags),
    adminConfig: flags.adminConfig === '' ? join(flags.certDir, 'admin.conf') : flags.adminConfig,
  };
}

/** Converts errors of flag values to a `UsageError` with the name of the flag. */
function flagValue<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FeatureGateError || error instanceof RuntimeConfigError || error instanceof BadRange)
      throw new UsageError(`invalid value for --${flag}: ${error.message}`);
    throw error;
  }
}

/** Hidden metrics can be shown for the previous release only. */
function showsHidden(text: string, release: Release): boolean {
  if (text === '') return false;
  const previous = previousRelease(release);
  if (parseRelease(text) === previous) return true;
  throw new UsageError(
    `invalid value ${JSON.stringify(text)} for --show-hidden-metrics-for-version: must be ${previous}, the release before ${release}`,
  );
}

function releaseOf({ emulatedVersion: text, naming }: ApiServerFlags): Release {
  const release = emulatedRelease(text, naming);
  if (release !== undefined) return release;
  throw new UsageError(
    `invalid value ${JSON.stringify(text)} for --emulated-version: must be ${LATEST} or a release from ${OLDEST_RELEASE} to ${NEWEST_RELEASE}`,
  );
}

function servicesOf(flags: ApiServerFlags): ServiceRanges {
  const { advertiseAddress: address } = flags;
  if (address !== '' && nonSpecialIp(address) !== undefined) {
    throw new UsageError(
      `invalid value ${JSON.stringify(address)} for --advertise-address: must be an address that other machines can reach`,
    );
  }
  return {
    addresses: flagValue('service-cluster-ip-range', () => addressRanges(flags.serviceClusterIpRange)),
    ports: flagValue('service-node-port-range', () => portRange(flags.serviceNodePortRange)),
  };
}

function storedAsOf({ storageMediaType: given }: ApiServerFlags, names: Names): StoredEncoding {
  const { protobuf } = names.mediaTypes;
  if (given === JSON_MEDIA_TYPE) return 'json';
  if (given === protobuf) return 'protobuf';
  throw new UsageError(
    `invalid value ${JSON.stringify(given)} for --storage-media-type: must be ${JSON_MEDIA_TYPE} or ${protobuf}`,
  );
}

/** Checks the audit flags against each other. Throws `UsageError`. */
function checkAuditFlags(flags: ApiServerFlags): void {
  for (const [way, isThrottled, perSecond, burst] of [
    ['log', flags.auditLogThrottle, flags.auditLogThrottleQps, flags.auditLogThrottleBurst],
    ['webhook', flags.auditWebhookThrottle, flags.auditWebhookThrottleQps, flags.auditWebhookThrottleBurst],
  ] as const) {
    if (isThrottled && (perSecond <= 0 || burst <= 0)) {
      const flag = `audit-${way}-batch-throttle`;
      throw new UsageError(`--${flag}-enable needs --${flag}-qps and --${flag}-burst above zero`);
    }
  }
  for (const [way, isTruncating, mostEvent, mostBatch] of [
    ['log', flags.auditLogTruncate, flags.auditLogMaxEvent, flags.auditLogMaxBatch],
    ['webhook', flags.auditWebhookTruncate, flags.auditWebhookMaxEvent, flags.auditWebhookMaxBatch],
  ] as const) {
    if (isTruncating && mostBatch < mostEvent) {
      const flag = `audit-${way}-truncate-max`;
      throw new UsageError(`--${flag}-batch-size must not be less than --${flag}-event-size`);
    }
  }
}
