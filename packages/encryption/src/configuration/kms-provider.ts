import { durationMs } from '@orch/machinery/time';
import type { ConfigValue } from '@orch/machinery/yaml';
import { nameOf } from './provider-name.ts';

/** A plugin that keeps keys outside of the cluster. */
export interface KmsConfiguration {
  readonly type: 'kms';
  readonly version: 'v1' | 'v2';
  readonly name: string;
  /** Path of the Unix socket; in the abstract namespace when it begins with a zero byte. */
  readonly socketPath: string;
  readonly timeoutMs: number;
  /** Data keys that version 1 keeps in memory; 0 for none. */
  readonly cacheSize: number;
}

const DEFAULT_TIMEOUT_MS = 3_000;
const DEFAULT_CACHE_SIZE = 1_000;
const MAX_CACHE_SIZE = 2_147_483_647;

/** The plugins of a configuration: an endpoint of version 2 is named once, since its health is reported by name. */
export class KmsNames {
  readonly #versions = new Map<string, 'v1' | 'v2'>();

  add(name: string, version: 'v1' | 'v2', value: ConfigValue): void {
    const known = this.#versions.get(name);
    if (known !== undefined && (known === 'v2' || version === 'v2'))
      value.fail(`the KMS provider ${JSON.stringify(name)} is repeated`);
    this.#versions.set(name, version);
  }
}

export function readKms(entry: ConfigValue, kmsNames: KmsNames): KmsConfiguration {
  const field = entry.object(['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout']);
  const version = field('apiVersion').isAbsent ? 'v1' : field('apiVersion').oneOf(['v1', 'v2'] as const);
  const name = nameOf(field('name'));
  kmsNames.add(name, version, field('name'));
  return {
    type: 'kms',
    version,
    name,
    socketPath: socketPathOf(field('endpoint')),
    timeoutMs: timeoutOf(field('timeout')),
    cacheSize: cacheSizeOf(field('cachesize'), version),
  };
}

function socketPathOf(value: ConfigValue): string {
  const endpoint = value.text();
  if (endpoint === '') value.fail('an endpoint is required');
  const path = /^unix:(?:\/\/)?([/@].*)$/.exec(endpoint)?.[1];
  if (path === undefined) {
    return value.fail(
      "must be the address of a Unix socket with an absolute path, such as 'unix:///run/kms.sock'",
    );
  }
  const abstract = path.replace(/^\/@/, '@');
  return abstract.startsWith('@') ? `\0${abstract.slice(1)}` : path;
}

function timeoutOf(value: ConfigValue): number {
  if (value.isAbsent) return DEFAULT_TIMEOUT_MS;
  const timeoutMs = durationMs(value.text());
  if (timeoutMs === undefined || timeoutMs <= 0) return value.fail('must be a positive duration, such as 3s');
  return timeoutMs;
}

function cacheSizeOf(value: ConfigValue, version: 'v1' | 'v2'): number {
  if (value.isAbsent) return DEFAULT_CACHE_SIZE;
  if (version === 'v2') value.fail('version v2 has no cachesize');
  const size = value.whole({ least: -MAX_CACHE_SIZE, most: MAX_CACHE_SIZE }) ?? DEFAULT_CACHE_SIZE;
  if (size === 0) value.fail('must not be 0; a negative number disables the cache');
  return Math.max(size, 0);
}
