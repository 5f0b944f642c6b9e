import type { Names } from '@orch/machinery';
import { dns1123label, dns1123subdomain, type TextFormat } from '@orch/machinery/formats';
import type { ConfigValue } from '@orch/machinery/yaml';
import { levels, parseVersion, VERSION_RULE } from './levels.ts';
import { type Policy, privilegedPolicy } from './namespace-policy.ts';

/** Writes that are not evaluated. */
export interface Exemptions {
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** The configuration of the plugin. */
export interface PodSecuritySettings {
  /** The policy of namespaces without labels. */
  readonly defaults: Policy;
  readonly exemptions: Exemptions;
}

/** Without a configuration, and without labels on a namespace, everything is admitted. */
const unconfigured: PodSecuritySettings = {
  defaults: privilegedPolicy,
  exemptions: { usernames: new Set(), runtimeClasses: new Set(), namespaces: new Set() },
};

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];

/** Reads a `PodSecurityConfiguration`. Throws `ConfigFileError`. */
export function podSecuritySettings(
  configuration: ConfigValue | undefined,
  names: Names,
): PodSecuritySettings {
  if (configuration === undefined) return unconfigured;
  const apiVersions = VERSIONS.map((version) => names.apiVersion('podSecurity', version));
  const field = configuration.document({ kind: 'PodSecurityConfiguration', apiVersions }, [
    'defaults',
    'exemptions',
  ]);
  const exempt = field('exemptions').object(['usernames', 'runtimeClasses', 'namespaces']);
  return {
    defaults: defaultsOf(field('defaults')),
    exemptions: {
      usernames: setOf(exempt('usernames'), (name) => (name === '' ? 'must not be empty' : undefined)),
      runtimeClasses: setOf(exempt('runtimeClasses'), dns1123subdomain),
      namespaces: setOf(exempt('namespaces'), dns1123label),
    },
  };
}

function defaultsOf(value: ConfigValue): Policy {
  const field = value.object([
    'enforce',
    'enforce-version',
    'audit',
    'audit-version',
    'warn',
    'warn-version',
  ]);
  const of = (mode: keyof Policy): Policy[keyof Policy] => {
    const [level, version] = [field(mode), field(`${mode}-version`)];
    return {
      level: isUnset(level) ? 'privileged' : level.oneOf(levels),
      version: isUnset(version) ? 'latest' : (parseVersion(version.text()) ?? version.fail(VERSION_RULE)),
    };
  };
  return { enforce: of('enforce'), audit: of('audit'), warn: of('warn') };
}

const isUnset = (value: ConfigValue): boolean => value.isAbsent || value.value === '';

/** A list of distinct strings in a format. */
function setOf(value: ConfigValue, format: TextFormat): ReadonlySet<string> {
  const found = new Set<string>();
  for (const one of value.list()) {
    const text = one.text();
    const problem = format(text) ?? (found.has(text) ? `${JSON.stringify(text)} is repeated` : undefined);
    if (problem !== undefined) one.fail(problem);
    found.add(text);
  }
  return found;
}
