import type { Names } from '@orch/machinery';
import type { IsEnabled } from './lifecycle.ts';
import { isOnlyByName, servedByDefault } from './preferred-version.ts';
import type { ResourceType } from './resource-type.ts';

/** An invalid value of `--runtime-config`; the message is for the user. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

type Level = 'alpha' | 'beta' | 'ga';

const levelOf = (version: string): Level => {
  if (version.includes('alpha')) return 'alpha';
  return version.includes('beta') ? 'beta' : 'ga';
};

/** Keys for all versions of one level, from general to specific. */
const collectiveKeys = ['api/all', 'api/ga', 'api/beta', 'api/alpha'] as const;

/**
 * Parses `key[=value]` settings (spec 9.2): `group/version`, `group/version/resource` (`v1` and `v1/resource` for the
 * core group), and `api/all`, `api/ga`, `api/beta`, `api/alpha`. A missing value is true; the more specific key takes
 * precedence, and of two equal ones the last. Keys of groups and versions that no release has are errors. The result is
 * a function that reports whether a version of a resource is served.
 */
export function runtimeConfig(
  settings: readonly string[],
  types: readonly ResourceType[],
  names: Names,
): IsEnabled {
  const known = knownKeys(types, names);
  const set = new Map<string, boolean>();
  for (const setting of settings) {
    const [key, value] = readSetting(setting);
    if (!known.has(key))
      throw new RuntimeConfigError(
        `unknown API ${JSON.stringify(key)}: must be group/version, group/version/resource, or one of ${collectiveKeys.join(', ')}`,
      );
    set.set(key, value);
  }
  return (type, served, release) => {
    const apiVersion = names.apiVersion(served.group ?? type.group, served.version);
    const named = set.get(`${apiVersion}/${type.resource}`) ?? set.get(apiVersion);
    if (isOnlyByName(release, served)) return named ?? false;
    return (
      named ??
      set.get(`api/${levelOf(served.version)}`) ??
      set.get('api/all') ??
      servedByDefault(release, served)
    );
  };
}

/** The keys of a version of a resource: its group version, and its resource. */
function knownKeys(types: readonly ResourceType[], names: Names): ReadonlySet<string> {
  const keys = new Set<string>(collectiveKeys);
  for (const type of types) {
    for (const { group = type.group, version } of type.versions) {
      const apiVersion = names.apiVersion(group, version);
      keys.add(apiVersion);
      keys.add(`${apiVersion}/${type.resource}`);
    }
  }
  return keys;
}

function readSetting(setting: string): readonly [key: string, value: boolean] {
  const at = setting.indexOf('=');
  // Older clients wrote the core group as api/v1 and others as apis/group/version.
  const key = (at < 0 ? setting : setting.slice(0, at)).trim().replace(/^apis\/|^api\/(?=v\d)/, '');
  const text = at < 0 ? '' : setting.slice(at + 1).trim();
  if (text === '' || text === 'true' || text === '1') return [key, true];
  if (text === 'false' || text === '0') return [key, false];
  throw new RuntimeConfigError(`invalid value ${JSON.stringify(text)} of ${key}: must be true or false`);
}
