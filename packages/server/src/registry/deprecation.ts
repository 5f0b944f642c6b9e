import { atLeast, type Release } from '@orch/apis';
import type { Metrics } from '@orch/machinery';
import type { Answer, Reply, ResourceRequest } from '../pipeline/types.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * What the use of deprecated versions brings with it (spec 6): a Warning header and a gauge. Undefined where the
 * version of a resource is not deprecated in the emulated release.
 */
export type Deprecation = (answer: Answer, info: ResourceRequest) => Answer;

export function deprecations(
  release: Release,
  metrics: Metrics,
): (resource: ServedResource) => Deprecation | undefined {
  const gauge = metrics.gauge({
    name: 'apiserver_requested_deprecated_apis',
    help: 'Deprecated APIs that were requested, by the release that removes them.',
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    stability: 'STABLE',
  });
  return ({ type, version, group, apiVersion }) => {
    const served = type.versions.find((candidate) => candidate.version === version);
    const { deprecated, removed } = served ?? {};
    if (deprecated === undefined || !atLeast(release, deprecated)) return undefined;
    const end = removed === undefined ? '' : `, unavailable in v${removed}+`;
    const warning = `299 - "${apiVersion} ${type.kind} is deprecated in v${deprecated}+${end}"`;
    return (answer, info) => {
      gauge.series(group, version, type.resource, info.subresource, removed ?? '').set(1);
      return answer instanceof Promise ? answer.then((reply) => warn(reply, warning)) : warn(answer, warning);
    };
  };
}

function warn(reply: Reply, warning: string): Reply {
  const others = reply.headers['Warning'] ?? [];
  return {
    ...reply,
    headers: { ...reply.headers, Warning: [warning, ...(typeof others === 'string' ? [others] : others)] },
  };
}
