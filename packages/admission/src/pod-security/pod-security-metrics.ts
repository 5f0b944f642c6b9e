import { compareReleases, type Release } from '@orch/apis';
import type { Metrics } from '@orch/machinery';
import type { ResourceTarget } from '../types.ts';
import { type LevelVersion, versionText } from './levels.ts';
import type { Mode } from './namespace-policy.ts';

/** The evaluation of a pod by the level of one mode. */
export interface Evaluation {
  readonly decision: 'allow' | 'deny';
  readonly mode: Mode;
  readonly policy: LevelVersion;
}

/** Counts of evaluations, exemptions and errors. */
export interface PodSecurityMetrics {
  evaluated(evaluation: Evaluation, target: ResourceTarget): void;
  exempted(target: ResourceTarget): void;
  /** A fatal error refuses the write. */
  failed(target: ResourceTarget, outcome: 'fatal' | 'evaluated'): void;
}

const REQUEST = ['request_operation', 'resource', 'subresource'];

export function podSecurityMetrics(metrics: Metrics, release: Release): PodSecurityMetrics {
  const evaluations = metrics.counter({
    name: 'pod_security_evaluations_total',
    help: 'Number of policy evaluations, without ignored and exempt requests.',
    labels: ['decision', 'policy_level', 'policy_version', 'mode', ...REQUEST],
    stability: 'ALPHA',
  });
  const exemptions = metrics.counter({
    name: 'pod_security_exemptions_total',
    help: 'Number of exempt requests.',
    labels: REQUEST,
    stability: 'ALPHA',
  });
  const errors = metrics.counter({
    name: 'pod_security_errors_total',
    help: 'Number of errors that prevent a normal evaluation; after errors that are not fatal, the latest restricted level may be evaluated.',
    labels: ['fatal', ...REQUEST],
    stability: 'ALPHA',
  });
  return {
    evaluated({ decision, mode, policy }, target) {
      const version = versionLabel(policy, release);
      evaluations.series(decision, policy.level, version, mode, ...requestLabels(target)).inc();
    },
    exempted: (target) => exemptions.series(...requestLabels(target)).inc(),
    failed: (target, outcome) => errors.series(String(outcome === 'fatal'), ...requestLabels(target)).inc(),
  };
}

/** Versions unknown to the release are reported as one value, because labels of namespaces choose them. */
function versionLabel({ level, version }: LevelVersion, release: Release): string {
  if (version === 'latest' || level === 'privileged') return 'latest';
  return compareReleases(version, release) > 0 ? 'future' : versionText(version);
}

const requestLabels = ({ operation, resource, subresource }: ResourceTarget): readonly string[] => [
  operation.toLowerCase(),
  resource === 'pods' ? 'pod' : resource === 'namespaces' ? 'namespace' : 'controller',
  subresource,
];
