import type { ControllerDescriptor } from '../descriptor.ts';
import { resourceQuotaController } from './controller.ts';

export const resourceQuota: ControllerDescriptor = {
  name: 'resourcequota',
  serviceAccount: 'resourcequota-controller',
  onByDefault: true,
  build: (context, { concurrency, resourceQuota }) => [
    resourceQuotaController(context, {
      concurrency: concurrency.resourceQuota,
      resyncMs: resourceQuota.resyncMs,
    }),
  ],
};
