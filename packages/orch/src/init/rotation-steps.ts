import { formatDurationMs } from '@orch/machinery/time';
import { StartError } from '@orch/program';
import type { RotationId } from './parts.ts';

/**
 * The progress of a rotation. `prepared`: the new authority or key is trusted and not used. `switched`: it is used, and
 * the old one is still trusted. No entry: no rotation is in progress.
 */
export type RotationStep = 'prepared' | 'switched';

export interface Rotation {
  readonly step: RotationStep;
  /** Time of the step, RFC 3339. */
  readonly since: string;
  /** Identifies the certificate or public key that is replaced: SHA-256 of its PEM. */
  readonly replaces: string;
}

export type Rotations = Readonly<Partial<Record<RotationId, Rotation>>>;

/** The rotation of one authority or key in a run. */
export interface RotationTurn {
  readonly rotation: Rotation | undefined;
  readonly transition: Transition;
}

/** The request of an operator; each is a flag of the same name. */
export type RotationRequest = 'rotate' | 'rotate-switch' | 'rotate-finish';

/** The step of an authority or a key in this run. */
export type Transition = 'none' | 'prepare' | 'switch' | 'finish';

interface Decision {
  readonly id: RotationId;
  readonly rotation: Rotation | undefined;
  readonly request: RotationRequest;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Minimum time between two steps. */
  readonly waitMs: number;
}

/**
 * The transition for a request; `none` when it was made before, so that a repeated command changes nothing. Throws a
 * `StartError` with the remedy when the request is too early.
 */
export function transitionFor(decision: Decision): Transition {
  const { id, rotation, request } = decision;
  switch (request) {
    case 'rotate':
      if (rotation?.step === 'switched')
        throw new StartError(
          `--rotate=${id}: the rotation that began before is not finished: finish it with --rotate-finish=${id}`,
        );
      return rotation === undefined ? 'prepare' : 'none';
    case 'rotate-switch':
      if (rotation === undefined)
        throw new StartError(
          `--rotate-switch=${id}: there is no rotation: begin one with --rotate=${id}, then distribute the changed files`,
        );
      if (rotation.step === 'switched') return 'none';
      requireWait(decision, rotation, `until ${whatIsNeeded[id].switch}`);
      return 'switch';
    case 'rotate-finish':
      if (rotation === undefined) return 'none';
      if (rotation.step === 'prepared')
        throw new StartError(
          `--rotate-finish=${id}: the new one is not used yet: first switch to it with --rotate-switch=${id}`,
        );
      requireWait(decision, rotation, `until ${whatIsNeeded[id].finish}`);
      return 'finish';
  }
}

function requireWait({ id, request, now, waitMs }: Decision, { since }: Rotation, until: string): void {
  const left = Date.parse(since) + waitMs - now;
  if (left <= 0) return;
  const at = new Date(now + left).toISOString();
  throw new StartError(
    `--${request}=${id}: the step before was made at ${since}: wait ${until}, and run this again after ${at}, in ${formatDurationMs(Math.ceil(left / 1000) * 1000)} (--rotate-wait)`,
  );
}

/** The condition of each step. */
export const whatIsNeeded: Readonly<
  Record<RotationId, { readonly switch: string; readonly finish: string }>
> = {
  serving: {
    switch:
      'all clients have the changed admin.conf, controller-manager.conf and serving-ca.crt, and controller managers were restarted',
    finish: 'all replicas have the changed apiserver.crt and apiserver.key',
  },
  clients: {
    switch: 'all replicas have the changed client-ca.crt',
    finish:
      'all administrators and controller managers have their changed certificates, and no certificate of the old authority is in use',
  },
  'front-proxy': {
    switch: 'all replicas and extension API servers have the changed front-proxy-ca.crt',
    finish: 'all replicas have the changed front-proxy-client.crt and front-proxy-client.key',
  },
  etcd: {
    switch: 'all replicas have the changed etcd-ca.crt, and all members of etcd were restarted with it',
    finish: 'all members of etcd and all replicas have their changed certificates',
  },
  'service-account': {
    switch: 'all replicas have the changed service-account.pub',
    finish:
      'all replicas have the changed service-account.key, and all tokens of the old key have expired or were issued again',
  },
};
