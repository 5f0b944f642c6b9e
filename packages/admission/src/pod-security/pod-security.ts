import type { Release } from '@orch/apis';
import type { ObjectSource } from '@orch/auth';
import type { Clock, Metrics, Names } from '@orch/machinery';
import type { ConfigurationParts } from '../configuration/plugin-configuration.ts';
import { writesPodSpec } from '../shared/targets.ts';
import type { AdmissionPlugin, ResourceTarget } from '../types.ts';
import { podSecuritySettings } from './configuration.ts';
import { Evaluator } from './evaluator.ts';
import { PolicyReader } from './namespace-policy.ts';
import { type NamespaceReviewParts, reviewNamespace } from './namespace-review.ts';
import { podSecurityMetrics } from './pod-security-metrics.ts';
import { hasPodTemplate } from './pod-templates.ts';
import { isPod, reviewWorkload, type WorkloadReviewParts } from './workload-review.ts';

export interface PodSecurityParts extends ConfigurationParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly release: Release;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Metrics;
  /** Whether the feature gate of the plugin is enabled. */
  readonly hasPodSecurity: boolean;
}

const name = 'PodSecurity';

/**
 * `PodSecurity`: the labels of a namespace choose the level of the Pod Security Standards that its pods must meet. Pods that
 * violate it are refused; pods, and templates of pods, are audited and warned about.
 */
export function podSecurity(parts: PodSecurityParts): AdmissionPlugin {
  const { names, release } = parts;
  const { defaults, exemptions } = podSecuritySettings(parts.configuration(name), names);
  if (!parts.hasPodSecurity) return { name, handles: () => false };
  const review: NamespaceReviewParts & WorkloadReviewParts = {
    source: parts.source,
    names,
    clock: parts.clock,
    policies: new PolicyReader(defaults, names, release),
    exemptions,
    evaluator: new Evaluator(release),
    metrics: podSecurityMetrics(parts.metrics, release),
  };
  return {
    name,
    handles,
    validate: (write) =>
      isNamespace(write) ? reviewNamespace(review, write) : reviewWorkload(review, write),
  };
}

function handles(target: ResourceTarget): boolean {
  const { operation, subresource } = target;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
  if (isPod(target)) return writesPodSpec(target);
  return subresource === '' && (isNamespace(target) || hasPodTemplate(target));
}

const isNamespace = ({ group, resource }: ResourceTarget): boolean =>
  group === '' && resource === 'namespaces';
