import type { kinds, Stored } from '@orch/client';
import type { ApiObject, ObjectMeta } from '@orch/machinery';

/** Complete metadata for a test, with a uid that follows from the name. */
export const metaOf = (name: string, more: Partial<ObjectMeta> = {}): Stored<ApiObject>['metadata'] => ({
  name,
  namespace: 'n',
  uid: `uid-${name}`,
  resourceVersion: '1',
  ...more,
});

/** The time of tests of decisions. */
export const NOW = Date.UTC(2024, 0, 1, 12);
export const nowText = '2024-01-01T12:00:00Z';

export const template: kinds.core.PodTemplateSpec = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'web:1' }] },
};

export interface PodFacts {
  readonly phase?: string;
  readonly nodeName?: string;
  readonly isReady?: boolean;
  /** When it became ready. */
  readonly since?: string;
  readonly restarts?: number;
  readonly metadata?: Partial<ObjectMeta>;
}

/** A pod as its node agent reports it; running and ready by default. */
export function podWith(name: string, facts: PodFacts = {}): Stored<kinds.core.Pod> {
  const { phase = 'Running', nodeName = 'node', isReady = phase === 'Running', since = nowText } = facts;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(name, { labels: { app: 'web' }, creationTimestamp: nowText, ...facts.metadata }),
    spec: { containers: [{ name: 'main', image: 'web:1' }], nodeName },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: since }],
      containerStatuses: [
        { name: 'main', image: 'web:1', imageID: '', ready: isReady, restartCount: facts.restarts ?? 0 },
      ],
    },
  };
}
