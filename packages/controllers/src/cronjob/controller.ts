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
import { decideCronJob } from './decide.ts';

const CONCURRENCY = 5;
/** The wall clock can be changed, so that no CronJob waits longer than this. */
const MAX_WAIT_MS = 600_000;

/** Creates jobs by a schedule. */
export function cronJobController({ client, informers, env }: ControllerContext): Controller {
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
      const { create, remove, status, recheckMs } = decideCronJob({
        cronJob,
        jobs: own,
        nowMs: env.clock.now(),
      });
      await Promise.all(remove.map((job) => owned.remove(job, signal)));
      if (create !== undefined)
        await ignoreTerminatingNamespace(() =>
          ignoreReasons(['AlreadyExists'], () => owned.create(cronJob, create, signal)),
        );
      await writeStatus(cronjobs, { read: cronJob, status }, signal);
      return recheckMs === undefined ? undefined : { requeueAfterMs: Math.min(recheckMs, MAX_WAIT_MS) };
    },
  });
}
