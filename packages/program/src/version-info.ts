import type { BuildFacts } from './build-facts.ts';

/** The body of `/version`. Clients parse its fields; `goVersion` names the Node.js runtime. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** The emulated release, and the earliest that can read what it stores; absent in releases without these fields. */
  readonly emulationMajor?: string;
  readonly emulationMinor?: string;
  readonly minCompatibilityMajor?: string;
  readonly minCompatibilityMinor?: string;
  /** Semantic version with a leading `v`: the emulated release, our own version as build metadata. */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  /** RFC 3339 UTC. */
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The version of a server that emulates a release (`1.24`) of the API. */
export function versionInfo(options: {
  readonly release: string;
  /** The earliest release that can read what this one stores, for releases that report it. */
  readonly minCompatibility?: string;
  /** Word of the product, in build metadata. */
  readonly product: string;
  readonly build: BuildFacts;
  /** Node's version, `v24.1.0`. */
  readonly runtime: string;
  /** `linux/amd64`. */
  readonly platform: string;
}): VersionInfo {
  const [major = '1', minor = '0'] = options.release.split('.');
  const [minCompatibilityMajor = '1', minCompatibilityMinor = '0'] =
    options.minCompatibility?.split('.') ?? [];
  return {
    major,
    minor,
    ...(options.minCompatibility === undefined
      ? {}
      : { emulationMajor: major, emulationMinor: minor, minCompatibilityMajor, minCompatibilityMinor }),
    gitVersion: `v${major}.${minor}.0+${options.product}.${options.build.version}`,
    gitCommit: options.build.commit,
    gitTreeState: options.build.commit === '' ? '' : 'clean',
    buildDate: options.build.date,
    goVersion: `node${options.runtime.replace(/^v/, '')}`,
    compiler: 'node',
    platform: options.platform,
  };
}
