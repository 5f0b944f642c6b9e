import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  ownerSource,
  type Reconciled,
  typed,
} from '@orch/client';
import { writeStatus } from '../api/write-status.ts';
import { ignoreReasons, ignoreTerminatingNamespace } from '../api/writes.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { createdJob, deletedJob } from './cron-job-events.ts';
import { decideCronJob } from './decide.ts';

const CONCURRENCY = 5;
/** The wall clock can be changed, so that no CronJob waits longer than this. */
const MAX_WAIT_MS = 600_000;

/** Creates jobs by a schedule. With `hasTimes`, an annotation of each shows its time. */
export function cronJobController(
  { client, informers, env, events }: ControllerContext,
  { hasTimes }: { readonly hasTimes: boolean },
): Controller {
  const { cronjobs, jobs } = typed(client).batch.v1;
  const informer = informers.informer(cronjobs.resource);
  const jobInformer = informers.informer(jobs.resource);
  const owned = new OwnedObjects<kinds.batch.Job, kinds.batch.CronJob>({
    informer: jobInformer,
    api: jobs,
    owners: cronjobs,
  });
  return controller({
    name: 'cronjob',
    concurrency: CONCURRENCY,
    sources: [informerSource(informer), ownerSource(jobInformer, cronjobs.resource)],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const cronJob = informer.store.get(key);
      if (cronJob === undefined) return;
      const { uid } = cronJob.metadata;
      if (owned.isBehind(uid)) return { requeueAfterMs: BEHIND_MS };
      const own = owned.of(uid).filter((job) => !owned.isEnding(job));
      const { create, remove, status, notes, recheckMs } = decideCronJob({
        cronJob,
        jobs: own,
        nowMs: env.clock.now(),
        timeAnnotation: hasTimes ? client.names.annotations.cronJobScheduledTime : undefined,
      });
      for (const note of notes) events.record(cronJob, note);
      await Promise.all(
        remove.map(async (job) => {
          await owned.remove(job, signal);
          events.record(cronJob, deletedJob(job.metadata.name));
        }),
      );
      if (create !== undefined) {
        const created = await ignoreTerminatingNamespace(() =>
          ignoreReasons(['AlreadyExists'], () => owned.create(cronJob, create, signal)),
        );
        if (created !== undefined) events.record(cronJob, createdJob(created.metadata.name));
      }
      await writeStatus(cronjobs, { read: cronJob, status }, signal);
      return recheckMs === undefined ? undefined : { requeueAfterMs: Math.min(recheckMs, MAX_WAIT_MS) };
    },
  });
}
