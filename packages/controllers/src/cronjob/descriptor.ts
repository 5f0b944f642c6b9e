import type { ControllerDescriptor } from '../descriptor.ts';
import { cronJobController } from './controller.ts';

/** The first 1.x release that serves CronJobs in batch/v1. */
const SINCE_MINOR = 21;

export const cronJob: ControllerDescriptor = {
  name: 'cronjob',
  serviceAccount: 'cronjob-controller',
  onByDefault: false,
  build: (context, { release }) =>
    release.major > 1 || release.minor >= SINCE_MINOR
      ? [cronJobController(context)]
      : 'the release does not serve CronJobs in batch/v1',
};
