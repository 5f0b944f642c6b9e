import type { ControllerDescriptor } from '../descriptor.ts';
import { garbageCollectorController } from './controller.ts';

export const garbageCollector: ControllerDescriptor = {
  name: 'garbagecollector',
  serviceAccount: 'generic-garbage-collector',
  onByDefault: true,
  build(context, { concurrency, kept, garbageCollector: { isEnabled, discoveryIntervalMs } }) {
    if (!isEnabled) return 'the garbage collector is disabled';
    return [
      garbageCollectorController(context, {
        concurrency: concurrency.garbageCollector,
        discoveryIntervalMs,
        kept,
      }),
    ];
  },
};
