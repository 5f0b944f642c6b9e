import type { ConfigValue } from '@orch/machinery/yaml';
import { relativeTo, SHARED_FILE_FIELDS } from '../configuration/plugin-configuration.ts';

/** The configuration of the plugin `ImagePolicyWebhook` (access-control document, 4.6). */
export interface ImagePolicy {
  /** Path of the client configuration file of the backend, and its place in the configuration. */
  readonly kubeConfigFile: ConfigValue;
  readonly path: string;
  /** Cache durations of decisions; 0 when they are not cached. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Delay before the backend is called again after a failure. */
  readonly retryBackoffMs: number;
  /** Whether pods are admitted when the backend fails. */
  readonly defaultAllow: boolean;
}

const MAX_TTL_SECONDS = 30 * 60;
const DEFAULT_ALLOW_SECONDS = 5 * 60;
const DEFAULT_DENY_SECONDS = 30;
const MAX_BACKOFF_MS = 5 * 60_000;
const DEFAULT_BACKOFF_MS = 500;

/** Throws `ConfigFileError`. */
export function readImagePolicy(value: ConfigValue): ImagePolicy {
  const policy = value.object(SHARED_FILE_FIELDS)('imagePolicy');
  const field = policy.object(['kubeConfigFile', 'allowTTL', 'denyTTL', 'retryBackoff', 'defaultAllow']);
  const kubeConfigFile = field('kubeConfigFile');
  if (kubeConfigFile.text() === '') kubeConfigFile.fail('is required');
  return {
    kubeConfigFile,
    path: relativeTo(kubeConfigFile, kubeConfigFile.text()),
    allowTtlMs: durationOf(field('allowTTL'), MAX_TTL_SECONDS, DEFAULT_ALLOW_SECONDS) * 1000,
    denyTtlMs: durationOf(field('denyTTL'), MAX_TTL_SECONDS, DEFAULT_DENY_SECONDS) * 1000,
    retryBackoffMs: durationOf(field('retryBackoff'), MAX_BACKOFF_MS, DEFAULT_BACKOFF_MS),
    defaultAllow: field('defaultAllow').flag() ?? false,
  };
}

/** -1 means none; 0 and an absent value mean the default. */
function durationOf(value: ConfigValue, most: number, byDefault: number): number {
  const duration = value.whole({ least: -1, most }) ?? 0;
  return duration === -1 ? 0 : duration || byDefault;
}
