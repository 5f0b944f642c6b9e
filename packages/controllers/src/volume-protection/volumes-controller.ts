import { type Controller, type ControllerContext, controller, informerSource, typed } from '@orch/client';
import { decideFinalizer, isVolumeBound } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';

const CONCURRENCY = 5;

/** Keeps a deleted volume until no claim is bound to it. */
export function volumeProtectionController({ client, informers }: ControllerContext): Controller {
  const finalizer = client.names.finalizers.pvProtection;
  const { persistentvolumes } = typed(client).core.v1;
  const informer = informers.informer(persistentvolumes.resource);
  return controller({
    name: 'pv-protection',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer, {
        filter: ({ type, object }) => type !== 'deleted' && decideFinalizer(object, finalizer) !== 'keep',
      }),
    ],
    async reconcile(name, signal) {
      const volume = informer.store.get(name);
      const decision = volume === undefined ? 'keep' : decideFinalizer(volume, finalizer);
      if (volume === undefined || decision === 'keep') return;
      if (decision === 'removeWhenUnused' && isVolumeBound(volume)) return;
      const protection = { api: persistentvolumes, finalizer, isUsed: isVolumeBound };
      await changeFinalizer(name, protection, signal);
    },
  });
}
