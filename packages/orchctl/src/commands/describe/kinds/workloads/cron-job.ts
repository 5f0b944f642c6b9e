import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { orNone, orUnset, selectorText, titleBool } from '../../text/values.ts';

export const cronJob = describer<kinds.batch.CronJob>({
  group: 'batch',
  kind: 'CronJob',
  versions: ['v1', 'v1beta1'],
  describe(out, { metadata, spec, status = {} }, { names }) {
    describeMetadata(out, { metadata, names });
    const deadline = spec?.startingDeadlineSeconds;
    out.fields(0, {
      Schedule: spec?.schedule ?? '',
      'Concurrency Policy': spec?.concurrencyPolicy ?? '',
      Suspend: titleBool(spec?.suspend),
      'Successful Job History Limit': orUnset(spec?.successfulJobsHistoryLimit),
      'Failed Job History Limit': orUnset(spec?.failedJobsHistoryLimit),
      'Starting Deadline Seconds': deadline === undefined ? '<unset>' : `${deadline}s`,
    });
    const job = spec?.jobTemplate.spec;
    out.fields(0, {
      Selector: job?.selector === undefined ? '<unset>' : selectorText(job.selector),
      Parallelism: orUnset(job?.parallelism),
      Completions: orUnset(job?.completions),
    });
    if (job?.activeDeadlineSeconds !== undefined)
      out.field(0, 'Active Deadline Seconds', `${job.activeDeadlineSeconds}s`);
    describePodTemplate(out, job?.template ?? {}, names);
    const last = status.lastScheduleTime;
    out.field(0, 'Last Schedule Time', last ? timeText(last) : '<unset>');
    out.field(0, 'Active Jobs', orNone((status.active ?? []).map(({ name }) => name).join(', ')));
  },
});
