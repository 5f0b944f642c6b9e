import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { CommandError } from '../../command-error.ts';

/** The progress of a rollout. */
export interface Progress {
  readonly text: string;
  readonly isDone: boolean;
}

const waiting = (text: string): Progress => ({ text: `${text}...`, isDone: false });
const done = (text: string): Progress => ({ text, isDone: true });

/** The progress of rollouts by kind. Throws a CommandError for a rollout that has failed or cannot be followed. */
export const progressOf: Readonly<Record<string, (object: ApiObject) => Progress>> = {
  Deployment: (object) => deploymentProgress(object as kinds.apps.Deployment),
  DaemonSet: (object) => daemonSetProgress(object as kinds.apps.DaemonSet),
  StatefulSet: (object) => statefulSetProgress(object as kinds.apps.StatefulSet),
};

function deploymentProgress({ metadata, spec, status = {} }: kinds.apps.Deployment): Progress {
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0))
    return waiting('Waiting for deployment spec update to be observed');
  const name = JSON.stringify(metadata.name);
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    throw new CommandError(`deployment ${name} exceeded its progress deadline`);
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  const finish = `Waiting for deployment ${name} rollout to finish:`;
  if (updatedReplicas < wanted)
    return waiting(`${finish} ${updatedReplicas} out of ${wanted} new replicas have been updated`);
  if (replicas > updatedReplicas)
    return waiting(`${finish} ${replicas - updatedReplicas} old replicas are pending termination`);
  if (availableReplicas < updatedReplicas)
    return waiting(`${finish} ${availableReplicas} of ${updatedReplicas} updated replicas are available`);
  return done(`deployment ${name} successfully rolled out`);
}

function requireRollingUpdate(type: string | undefined): void {
  if (type !== 'RollingUpdate')
    throw new CommandError('rollout status is only available for RollingUpdate strategy type');
}

function daemonSetProgress({ metadata, spec, status }: kinds.apps.DaemonSet): Progress {
  requireRollingUpdate(spec?.updateStrategy?.type);
  if ((metadata.generation ?? 0) > (status?.observedGeneration ?? 0))
    return waiting('Waiting for daemon set spec update to be observed');
  const name = JSON.stringify(metadata.name);
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status ?? {};
  const finish = `Waiting for daemon set ${name} rollout to finish:`;
  if (updatedNumberScheduled < desiredNumberScheduled)
    return waiting(
      `${finish} ${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated`,
    );
  if (numberAvailable < desiredNumberScheduled)
    return waiting(`${finish} ${numberAvailable} of ${desiredNumberScheduled} updated pods are available`);
  return done(`daemon set ${name} successfully rolled out`);
}

function statefulSetProgress({ metadata, spec, status }: kinds.apps.StatefulSet): Progress {
  requireRollingUpdate(spec?.updateStrategy?.type);
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  if (observedGeneration === 0 || (metadata.generation ?? 0) > observedGeneration)
    return waiting('Waiting for statefulset spec update to be observed');
  const wanted = spec?.replicas ?? 1;
  if (readyReplicas < wanted) return waiting(`Waiting for ${wanted - readyReplicas} pods to be ready`);
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling !== undefined) {
    const count = wanted - (rolling.partition ?? 0);
    if (updatedReplicas < count)
      return waiting(
        `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${count} new pods have been updated`,
      );
    return done(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`);
  }
  const { updateRevision = '', currentRevision = '', currentReplicas = 0 } = status ?? {};
  if (updateRevision !== currentRevision)
    return waiting(
      `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}`,
    );
  return done(
    `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...`,
  );
}
