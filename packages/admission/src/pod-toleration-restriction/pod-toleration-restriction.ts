import { qosClassOf } from '@orch/apis';
import type { ObjectSource } from '@orch/auth';
import type { PodSpec, Toleration } from '@orch/kinds/core';
import type { ApiObject, Names } from '@orch/machinery';
import type { ConfigValue } from '@orch/machinery/yaml';
import type { ConfigurationParts } from '../configuration/plugin-configuration.ts';
import { withNamespace } from '../shared/namespaces.ts';
import { podOf, podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import { mergeTolerations, TolerationSet } from '../shared/tolerations.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, Verdict } from '../types.ts';
import { readTolerations } from './read-tolerations.ts';
import { setOf, type TolerationRules, tolerationRules } from './toleration-rules.ts';

export interface PodTolerationRestrictionParts extends ConfigurationParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

/**
 * `PodTolerationRestriction`: new pods get the default tolerations of their namespace or of the cluster, and pods have only
 * tolerations that are permitted there.
 */
export function podTolerationRestriction({
  source,
  names,
  configuration,
}: PodTolerationRestrictionParts): AdmissionPlugin {
  const cluster = readRules(configuration('PodTolerationRestriction'), names);
  const parsed = new WeakMap<ApiObject, TolerationRules | string>();
  const rulesOf = (namespace: ApiObject | undefined): TolerationRules | string => {
    if (namespace === undefined) return cluster;
    const rules = parsed.get(namespace) ?? tolerationRules(namespace, cluster, names);
    parsed.set(namespace, rules);
    return rules;
  };
  const withRules = (
    write: AdmissionAttributes,
    decide: (rules: TolerationRules) => Refusal | undefined,
  ): Verdict =>
    withNamespace(source, write, (namespace) => {
      const rules = rulesOf(namespace);
      return typeof rules === 'string' ? `namespace ${write.namespace}: ${rules}` : decide(rules);
    });
  return {
    name: 'PodTolerationRestriction',
    handles: writesOf('', 'pods', 'CREATE', 'UPDATE'),
    mutate: (write) =>
      write.operation === 'CREATE'
        ? withRules(write, (rules) => addDefaults(write, rules, names))
        : addImplied(write, names),
    validate: (write) => withRules(write, (rules) => refusalOf(write, rules, names)),
  };
}

/**
 * The tolerations that pods get in addition to the defaults, if they are permitted: a node under memory pressure does
 * not evict pods with requests first.
 */
const impliedTolerations = (spec: PodSpec, { taints }: Names): readonly Toleration[] =>
  qosClassOf(spec) === 'BestEffort'
    ? []
    : [{ key: taints.memoryPressure, operator: 'Exists', effect: 'NoSchedule' }];

function addDefaults(write: AdmissionAttributes, { defaults }: TolerationRules, names: Names): undefined {
  const spec = podSpecOf(write);
  if (spec === undefined) return;
  const implied = impliedTolerations(spec, names);
  if (defaults.length + implied.length > 0)
    spec.tolerations = mergeTolerations([...defaults, ...(spec.tolerations ?? [])], implied);
}

/** Tolerations of a stored pod can only be extended. */
function addImplied(write: AdmissionAttributes, names: Names): undefined {
  const spec = podSpecOf(write);
  if (spec === undefined) return;
  const own = spec.tolerations ?? [];
  const present = new TolerationSet(own);
  const added = impliedTolerations(spec, names).filter((toleration) => !present.covers(toleration));
  if (added.length > 0) spec.tolerations = [...own, ...added];
}

/** An existing toleration of a pod may remain even if it is no longer permitted. */
function refusalOf(
  write: AdmissionAttributes,
  { permitted, scope }: TolerationRules,
  names: Names,
): Refusal | undefined {
  const spec = podSpecOf(write);
  if (permitted === undefined || spec === undefined) return undefined;
  const before = podOf(write.oldObject)?.spec?.tolerations ?? [];
  const accepted = new TolerationSet([...before, ...impliedTolerations(spec, names)]);
  return (spec.tolerations ?? []).every((each) => permitted.covers(each) || accepted.covers(each))
    ? undefined
    : `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
}

/** Throws `ConfigFileError`. */
function readRules(value: ConfigValue | undefined, names: Names): TolerationRules {
  const apiVersions = [names.apiVersion('podtolerationrestriction', 'v1alpha1')];
  const field = value?.document({ kind: 'Configuration', apiVersions }, ['default', 'whitelist']);
  const listOf = (name: 'default' | 'whitelist'): readonly Toleration[] =>
    field === undefined ? [] : (readTolerations(field(name)) ?? []);
  return { defaults: listOf('default'), permitted: setOf(listOf('whitelist')), scope: 'cluster' };
}
