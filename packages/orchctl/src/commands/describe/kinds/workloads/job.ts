import type { kinds } from '@orch/client';
import { humanAge } from '@orch/machinery/time';
import { describer } from '../../describer.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { controllerText, orUnset, selectorText } from '../../text/values.ts';

type Job = kinds.batch.Job;

/** Lists of completed indexes end behind the first index beyond this length. */
const INDEXES_LENGTH = 50;

export const job = describer<Job>({
  group: 'batch',
  kind: 'Job',
  versions: ['v1'],
  describe(out, object, { names }) {
    const { metadata, spec } = object;
    out.fields(0, {
      Name: metadata.name,
      Namespace: metadata.namespace,
      Selector: selectorText(spec?.selector),
    });
    describeLabels(out, { metadata, names });
    const controller = controllerText(metadata);
    if (controller !== undefined) out.field(0, 'Controlled By', controller);
    describeSpec(out, object);
    describeTimes(out, object);
    describePods(out, object);
    describePodTemplate(out, spec?.template ?? {}, names);
  },
});

function describeSpec(out: Description, { spec }: Job): void {
  const fields = {
    Parallelism: spec?.parallelism,
    Completions: orUnset(spec?.completions),
    'Completion Mode': spec?.completionMode,
    Suspend: spec?.suspend,
    'Backoff Limit': spec?.backoffLimit,
    'TTL Seconds After Finished': spec?.ttlSecondsAfterFinished,
  };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) out.field(0, name, value);
}

function describeTimes(out: Description, { spec, status = {} }: Job): void {
  const { startTime, completionTime } = status;
  if (startTime) out.field(0, 'Start Time', timeText(startTime));
  if (completionTime) out.field(0, 'Completed At', timeText(completionTime));
  if (startTime && completionTime)
    out.field(0, 'Duration', humanAge(Date.parse(completionTime) - Date.parse(startTime)));
  if (spec?.activeDeadlineSeconds !== undefined)
    out.field(0, 'Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`);
}

function describePods(out: Description, { spec, status = {} }: Job): void {
  const { active = 0, ready, succeeded = 0, failed = 0, completedIndexes = '' } = status;
  const readyText = ready === undefined ? '' : ` (${ready} Ready)`;
  out.field(0, 'Pods Statuses', `${active} Active${readyText} / ${succeeded} Succeeded / ${failed} Failed`);
  if (spec?.completionMode !== 'Indexed') return;
  const end = completedIndexes.indexOf(',', INDEXES_LENGTH);
  const indexes = end < 0 ? completedIndexes : `${completedIndexes.slice(0, end + 1)}...`;
  out.field(0, 'Completed Indexes', indexes === '' ? '<none>' : indexes);
}
