import type { ExtensionApi } from '@orch/client/extension-server';

/** What a container or a node uses, as quantities. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

/** Where the numbers come from. */
export interface UsageSource {
  nodes(): Promise<ReadonlyMap<string, Usage>>;
  /** By namespace and name of the pod, then by container. */
  pods(): Promise<readonly PodUsage[]>;
}

export interface PodUsage {
  readonly namespace: string;
  readonly name: string;
  readonly containers: ReadonlyMap<string, Usage>;
}

const WINDOW = '30s';

/** The group of `kubectl top`. `now` gives the time of a measurement as RFC 3339. */
export function metricsApi(group: string, source: UsageSource, now: () => string): ExtensionApi {
  const measured = () => ({ timestamp: now(), window: WINDOW });
  const nodes = async () =>
    [...(await source.nodes())].map(([name, usage]) => ({ metadata: { name }, ...measured(), usage }));
  const pods = async (namespace: string) =>
    (await source.pods())
      .filter((pod) => namespace === '' || pod.namespace === namespace)
      .map(({ containers, ...metadata }) => ({
        metadata,
        ...measured(),
        containers: [...containers].map(([name, usage]) => ({ name, usage })),
      }));
  return {
    group,
    version: 'v1beta1',
    resources: [
      {
        ...{ resource: 'nodes', singular: 'node', kind: 'NodeMetrics', namespaced: false },
        get: async (name) => (await nodes()).find(({ metadata }) => metadata.name === name),
        list: nodes,
      },
      {
        ...{ resource: 'pods', singular: 'pod', kind: 'PodMetrics', namespaced: true },
        get: async (name, { namespace }) =>
          (await pods(namespace)).find(({ metadata }) => metadata.name === name),
        list: ({ namespace }) => pods(namespace),
      },
    ],
  };
}
