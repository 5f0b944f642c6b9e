import type {
  EvictionV1alpha1 as Eviction,
  EvictionRequestV1alpha1 as EvictionRequest,
} from '@orch/kinds/lifecycle';

/** The name and the kind of the target. */
export const targetCells = ({ spec }: Eviction | EvictionRequest): readonly [string, string] => {
  const pod = spec?.target?.pod;
  return pod === undefined ? ['<unset>', '<unset>'] : [pod.name ?? '', 'Pod'];
};

/** The result with its reason, or the progress so far. */
export function stateText({ status }: Eviction | EvictionRequest): string {
  const { conditions = [], observedGeneration } = status ?? {};
  const result = ['TargetEvicted', 'Failed'].flatMap((wanted) =>
    conditions.filter(({ type, status: value }) => type === wanted && value === 'True'),
  )[0];
  if (result !== undefined) return `${result.type} (${result.reason})`;
  return observedGeneration !== undefined ? 'Progressing' : 'Pending';
}
