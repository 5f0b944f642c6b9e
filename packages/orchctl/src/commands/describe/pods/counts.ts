import { controllerOf } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type DescribeContext, listAll } from '../describer.ts';

const phases = [
  ['Running', 'Running'],
  ['Waiting', 'Pending'],
  ['Succeeded', 'Succeeded'],
  ['Failed', 'Failed'],
] as const;

/** Number of pods of a controller in each phase: `1 Running / 0 Waiting / 0 Succeeded / 0 Failed`. */
export async function podCounts(
  { metadata }: ApiObject,
  labelSelector: string,
  context: DescribeContext,
): Promise<string> {
  const pods = await listAll(context.typed.core.v1.pods, context, { labelSelector });
  const own = pods.filter((pod) => controllerOf(pod)?.uid === metadata.uid);
  return phases
    .map(([title, phase]) => `${own.filter(({ status }) => status?.phase === phase).length} ${title}`)
    .join(' / ');
}
