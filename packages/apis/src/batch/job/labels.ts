import type { Job } from '@orch/kinds/batch';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { inOrder, sortedMap } from '../../ordered.ts';
import { JobSpec } from './v1.ts';
import type { JobLabels, Labels } from './validation/job-labels.ts';

const UID = 'controller-uid';
const NAME = 'job-name';

const plain = ({ metadata }: Job): Labels => ({
  [UID]: metadata.uid ?? '',
  [NAME]: metadata.name ?? '',
});

/** Labels without a prefix: those of all releases. */
export const plainLabels: JobLabels = { of: plain, selecting: () => UID };

/** Labels with a prefix, in addition to those without. */
export const prefixedLabels: JobLabels = {
  of: (job, { labels }) => ({
    ...plain(job),
    [labels.jobControllerUid]: job.metadata.uid ?? '',
    [labels.jobName]: job.metadata.name ?? '',
  }),
  selecting: ({ labels }) => labels.jobControllerUid,
};

/**
 * Gives the pods of a new job unique labels, and the job a selector for them. Existing values are kept, and compared by
 * the validation.
 */
export function labelPods(job: Draft<Job>, labels: JobLabels, names: Names): void {
  const spec = job.spec ?? {};
  const template = spec.template ?? {};
  const metadata = template.metadata ?? {};
  const before = metadata.labels ?? {};
  const own = labels.of(job, names);
  const after = sortedMap({ ...own, ...before });
  const key = labels.selecting(names);
  const selector = spec.selector ?? {};
  const matchLabels = sortedMap({ [key]: own[key] ?? '', ...selector.matchLabels });
  job.spec = inOrder(
    {
      ...spec,
      selector: { matchLabels, ...without(selector, 'matchLabels') },
      template: {
        metadata: inOrder({ ...metadata, labels: after }, ObjectMeta),
        ...without(template, 'metadata'),
      },
    },
    JobSpec,
  );
  // A job that copied the labels of its template gets these too.
  const { labels: given } = job.metadata;
  if (given !== undefined && jsonEquals(given, before)) job.metadata.labels = { ...after };
}

/** A job without labels gets the labels of its pods. */
export function labelJob({ metadata, ...job }: Draft<Job>): void {
  const labels = job.spec?.template?.metadata?.labels ?? {};
  if (Object.keys(metadata.labels ?? {}).length === 0 && Object.keys(labels).length > 0)
    metadata.labels = { ...labels };
}

const without = (value: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
