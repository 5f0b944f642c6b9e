import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  type Names,
  objectKey,
  type Stored,
  typed,
} from '@orch/client';
import { writeStatus } from '../api/write-status.ts';
import { ignoreReasons } from '../api/writes.ts';
import { chooseVolume, newVolume } from './choose-volume.ts';

type Claim = kinds.core.PersistentVolumeClaim;
type Volume = kinds.core.PersistentVolume;

/** Binds claims to volumes, and makes a volume where none fits. */
export function volumeBinderController({ client, informers }: ControllerContext): Controller {
  const { persistentvolumeclaims: claims, persistentvolumes: volumes } = typed(client).core.v1;
  const claimInformer = informers.informer(claims.resource);
  const volumeInformer = informers.informer(volumes.resource);
  const isUnbound = (claim: Claim): boolean => claim.status?.phase !== 'Bound' && !isBeingDeleted(claim);
  const unboundKeys = (): readonly string[] =>
    [...claimInformer.store.values()].filter(isUnbound).map(objectKey);
  const volumeOf = async (claim: Stored<Claim>, signal: AbortSignal): Promise<Stored<Volume> | undefined> => {
    const found = chooseVolume(claim, [...volumeInformer.store.values()]);
    if (found !== undefined) return found;
    if ((claim.spec?.volumeName ?? '') !== '') return undefined;
    return await ignoreReasons(['AlreadyExists'], () => volumes.create(newVolume(claim), {}, signal));
  };
  return controller({
    name: 'simulated-volumes',
    sources: [
      informerSource(claimInformer, {
        filter: ({ type, object }) => type !== 'deleted' && isUnbound(object),
      }),
      informerSource(volumeInformer, { keys: unboundKeys }),
    ],
    async reconcile(key, signal) {
      const claim = claimInformer.store.get(key);
      if (claim === undefined || !isUnbound(claim)) return;
      const chosen = await volumeOf(claim, signal);
      if (chosen === undefined) return;
      const bound = await volumes.update(withClaim(chosen, claim), {}, signal);
      await writeStatus(volumes, { read: bound, status: { ...bound.status, phase: 'Bound' } }, signal);
      const read = await claims
        .in(claim.metadata.namespace ?? '')
        .update(withVolume(claim, bound, client.names), {}, signal);
      const { accessModes = [], capacity = {} } = bound.spec ?? {};
      await writeStatus(
        claims,
        { read, status: { ...read.status, phase: 'Bound', accessModes, capacity } },
        signal,
      );
    },
  });
}

const withClaim = (volume: Stored<Volume>, { apiVersion, kind, metadata }: Stored<Claim>): Stored<Volume> => {
  const { name, namespace = '', uid } = metadata;
  return { ...volume, spec: { ...volume.spec, claimRef: { apiVersion, kind, name, namespace, uid } } };
};

const withVolume = (claim: Stored<Claim>, volume: Stored<Volume>, { annotations }: Names): Stored<Claim> => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    annotations: { ...claim.metadata.annotations, [annotations.pvBindCompleted]: 'yes' },
  },
  spec: { ...claim.spec, volumeName: volume.metadata.name },
});

/** Removes a volume whose claim is gone, or releases it, as its reclaim policy says. */
export function volumeReleaseController({ client, informers }: ControllerContext): Controller {
  const { persistentvolumeclaims: claims, persistentvolumes: volumes } = typed(client).core.v1;
  const claimInformer = informers.informer(claims.resource);
  const volumeInformer = informers.informer(volumes.resource);
  const claimOf = ({ spec }: Volume): Stored<Claim> | undefined => {
    const { namespace = '', name = '', uid } = spec?.claimRef ?? {};
    const claim = claimInformer.store.get(keyOf(namespace, name));
    return claim?.metadata.uid === uid ? claim : undefined;
  };
  return controller({
    name: 'simulated-volume-release',
    sources: [
      informerSource(volumeInformer, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(claimInformer, {
        filter: ({ type }) => type === 'deleted',
        keys: ({ spec }) => (spec?.volumeName === undefined ? [] : [spec.volumeName]),
      }),
    ],
    async reconcile(name, signal) {
      const volume = volumeInformer.store.get(name);
      if (volume === undefined || isBeingDeleted(volume)) return;
      const phase = phaseOf(volume, claimOf(volume) !== undefined);
      await writeStatus(volumes, { read: volume, status: { ...volume.status, phase } }, signal);
      // The protection of a volume ends with its phase Bound, so its removal comes after that.
      if (phase !== 'Released' || volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
      const preconditions = { uid: volume.metadata.uid };
      await ignoreReasons(['NotFound', 'Conflict'], () => volumes.delete(name, { preconditions }, signal));
    },
  });
}

/** A volume is free until a claim has it, and keeps its phase then, until the claim is gone. */
function phaseOf({ spec, status }: Volume, hasClaim: boolean): string {
  const phase = status?.phase ?? 'Pending';
  if (spec?.claimRef === undefined) return 'Available';
  return phase === 'Bound' && !hasClaim ? 'Released' : phase;
}
