import type { ExtensionApi } from '@orch/client/extension-server';

/** The usage of a container or a node, as quantities. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

export interface NodeUsage {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly usage: Usage;
}

export interface PodUsage {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** By name. */
  readonly containers: Readonly<Record<string, Usage>>;
}

/** The source of the numbers. */
export interface UsageSource {
  nodes(): Promise<readonly NodeUsage[]>;
  pods(): Promise<readonly PodUsage[]>;
}

const WINDOW = '30s';

/** The group of `kubectl top`. `now` gives the time of a measurement as RFC 3339. */
export function metricsApi(group: string, source: UsageSource, now: () => string): ExtensionApi {
  const measured = () => ({ timestamp: now(), window: WINDOW });
  const nodes = async () =>
    (await source.nodes()).map(({ usage, ...metadata }) => ({ metadata, ...measured(), usage }));
  const pods = async (namespace: string) =>
    (await source.pods())
      .filter((pod) => namespace === '' || pod.namespace === namespace)
      .map(({ containers, ...metadata }) => ({
        metadata,
        ...measured(),
        containers: Object.entries(containers).map(([name, usage]) => ({ name, usage })),
      }));
  return {
    group,
    version: 'v1beta1',
    resources: [
      {
        ...{ resource: 'nodes', singular: 'node', kind: 'NodeMetrics', namespaced: false },
        columns: [
          { name: 'CPU', type: 'string', value: (node) => (node['usage'] as Usage).cpu },
          { name: 'Memory', type: 'string', value: (node) => (node['usage'] as Usage).memory },
        ],
        get: async (name) => (await nodes()).find(({ metadata }) => metadata.name === name),
        list: nodes,
      },
      {
        ...{ resource: 'pods', singular: 'pod', kind: 'PodMetrics', namespaced: true },
        columns: [
          { name: 'Containers', type: 'integer', value: (pod) => (pod['containers'] as unknown[]).length },
        ],
        get: async (name, { namespace }) =>
          (await pods(namespace)).find(({ metadata }) => metadata.name === name),
        list: ({ namespace }) => pods(namespace),
      },
    ],
  };
}
