import type { CronJob } from '@orch/kinds/batch';
import type { WarningContext } from '../../content-warning.ts';
import { isNewGeneration, podNameWarnings } from '../../core/shared/pod-spec/warnings/workload.ts';
import { jobSpecWarnings } from '../job/index.ts';

/** Warns of a time zone in a schedule. From 1.29 on, new objects with one are refused. For compatibility, the path repeats `spec`. */
function zoneWarnings(
  next: CronJob,
  old: CronJob | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const isWarnedOf = since('1.22') && (old !== undefined || !since('1.29'));
  if (!isWarnedOf || !(next.spec?.schedule ?? '').includes('TZ')) return [];
  const page = `https://${names.labelPrefixes.domain}docs/concepts/workloads/controllers/cron-jobs/`;
  const more = names.naming === 'kubernetes' ? `, see ${page} for more details` : '';
  return [
    since('1.29')
      ? `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead${more}`
      : `CRON_TZ or TZ used in spec.spec.schedule is not officially supported${more}`,
  ];
}

/** Warns of a cron job. */
export const cronJobWarnings = (
  next: CronJob,
  old: CronJob | undefined,
  context: WarningContext,
): readonly string[] => [
  ...podNameWarnings(next, old, context),
  ...(isNewGeneration(next, old)
    ? jobSpecWarnings('spec.jobTemplate.spec', next.spec?.jobTemplate?.spec, context)
    : []),
  ...zoneWarnings(next, old, context),
];
