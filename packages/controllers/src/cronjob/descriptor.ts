import type { ControllerDescriptor } from '../descriptor.ts';
import { isSince } from '../since-release.ts';
import { cronJobController } from './controller.ts';

/** The first 1.x release that serves CronJobs in batch/v1. */
const SINCE_MINOR = 21;
/** The first 1.x release whose jobs have an annotation with the time of the schedule. */
const TIMES_SINCE_MINOR = 28;

export const cronJob: ControllerDescriptor = {
  name: 'cronjob',
  serviceAccount: 'cronjob-controller',
  onByDefault: false,
  build: (context, { release }) =>
    isSince(release, SINCE_MINOR)
      ? [cronJobController(context, { hasTimes: isSince(release, TIMES_SINCE_MINOR) })]
      : 'the release does not serve CronJobs in batch/v1',
};
