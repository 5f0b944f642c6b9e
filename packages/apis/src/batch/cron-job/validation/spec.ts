import type { CronJob, CronJobSpec, JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import type { StrategyContext } from '../../../resource-type.ts';
import { cronProblem, namesTimeZone } from './schedule.ts';
import { timeZoneProblem } from './time-zone.ts';

export function validateCronJob(
  next: CronJob,
  old: CronJob | undefined,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  const before = old === undefined ? undefined : (old.spec ?? {});
  // From 1.29 on, only a schedule that has a time zone keeps one.
  const takesZone = !since('1.29') || namesTimeZone(before?.schedule ?? '');
  return [
    ...checkSchedule(spec),
    ...checkZoneOfSchedule(spec, takesZone),
    ...checkTimeZone(spec, before),
    ...checkJobTemplate(spec.jobTemplate?.spec ?? {}),
  ];
}

function checkSchedule(spec: CronJobSpec): readonly FieldError[] {
  const schedule = spec.schedule ?? '';
  // The field itself is required by its constraint.
  const wrong = schedule === '' ? undefined : cronProblem(schedule);
  return wrong === undefined ? [] : [fieldError.invalid('spec.schedule', schedule, wrong)];
}

function checkZoneOfSchedule(
  { schedule = '', timeZone }: CronJobSpec,
  takesZone: boolean,
): readonly FieldError[] {
  if (!namesTimeZone(schedule) || (takesZone && timeZone === undefined)) return [];
  const why = takesZone
    ? 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [fieldError.invalid('spec.schedule', schedule, why)];
}

/** The time zone database of the server changes: stored time zones remain valid. */
function checkTimeZone({ timeZone }: CronJobSpec, old: CronJobSpec | undefined): readonly FieldError[] {
  if (timeZone === undefined || timeZone === old?.timeZone) return [];
  const wrong = timeZone === '' ? 'must be nil or non-empty string' : timeZoneProblem(timeZone);
  return wrong === undefined ? [] : [fieldError.invalid('spec.timeZone', timeZone, wrong)];
}

/** Every job gets a selector when it is created. */
function checkJobTemplate({ selector, manualSelector }: JobSpec): readonly FieldError[] {
  const path = 'spec.jobTemplate.spec';
  return [
    ...((selector ?? undefined) === undefined
      ? []
      : [fieldError.invalid(`${path}.selector`, selector, '`selector` will be auto-generated')]),
    ...(manualSelector === true
      ? [fieldError.notSupported(`${path}.manualSelector`, manualSelector, ['false', 'nil'])]
      : []),
  ];
}
