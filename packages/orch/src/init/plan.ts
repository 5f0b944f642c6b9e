import type { Env, Names } from '@orch/machinery';
import { type PlannedAuthority, planAuthority } from './authorities.ts';
import type { PlanContext } from './context.ts';
import { planClientConfigs, planEncryption } from './derived-files.ts';
import { Draft, type FileChange, type FileReport } from './draft.ts';
import { planLeaf } from './leaves.ts';
import {
  type AuthorityId,
  authorityIds,
  fileNames,
  type Hosts,
  leafSpecs,
  type RotationId,
} from './parts.ts';
import {
  type RotationRequest,
  type Rotations,
  type RotationTurn,
  type Transition,
  transitionFor,
  whatIsNeeded,
} from './rotation-steps.ts';
import { type InitSettings, type InitState, stateText } from './state.ts';
import { planTokenKeys } from './token-key-pair.ts';

export interface PlanOptions {
  readonly settings: InitSettings;
  readonly hosts: Hosts;
  readonly renewBeforeMs: number;
  readonly rotateWaitMs: number;
  readonly requests: readonly { readonly id: RotationId; readonly request: RotationRequest }[];
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'random'>;
}

/** A rotation that is not finished, and its next command. */
export interface PendingRotation {
  readonly id: RotationId;
  readonly step: 'prepared' | 'switched';
  readonly since: string;
  readonly next: string;
}

export interface Plan {
  readonly changes: readonly FileChange[];
  readonly files: readonly FileReport[];
  readonly rotations: readonly PendingRotation[];
  readonly warnings: readonly string[];
}

/**
 * The changes of a run: a pure function of files, options, time and random numbers. Throws a `StartError` when a file
 * must be restored or removed first, or a step of a rotation is too early; nothing is changed then.
 */
export function planInit(files: ReadonlyMap<string, string>, state: InitState, options: PlanOptions): Plan {
  const { env, names, settings, hosts, renewBeforeMs } = options;
  const draft = new Draft(files);
  const context: PlanContext = { draft, names, env, renewBeforeMs };
  const transitions = transitionsOf(state.rotations, options);
  const turnOf = (id: RotationId): RotationTurn => ({
    rotation: state.rotations[id],
    transition: transitions.get(id) ?? 'none',
  });
  const authorities = new Map<AuthorityId, PlannedAuthority>();
  for (const id of authorityIds)
    if (id !== 'etcd' || hosts.etcd.length > 0) authorities.set(id, planAuthority(context, id, turnOf(id)));
  for (const spec of leafSpecs(names, hosts)) {
    const authority = authorities.get(spec.authority);
    if (authority !== undefined) planLeaf(context, spec, authority);
  }
  const replacedToken = planTokenKeys(context, turnOf('service-account'));
  planEncryption(context, settings.encryption);
  const serving = authorities.get('serving');
  if (serving !== undefined) planClientConfigs(context, settings.server, serving);
  const replaces = (id: RotationId): string =>
    id === 'service-account' ? replacedToken : (authorities.get(id)?.replaces ?? '');
  const rotations = rotationsAfter(state.rotations, transitions, { now: env.clock.now(), replaces });
  draft.put(fileNames.state, stateText({ settings, rotations }));
  return {
    changes: draft.changes(),
    files: draft.reports(),
    rotations: pending(rotations),
    warnings: draft.warnings,
  };
}

function transitionsOf(
  rotations: Rotations,
  { requests, env, rotateWaitMs }: PlanOptions,
): ReadonlyMap<RotationId, Transition> {
  const now = env.clock.now();
  return new Map(
    requests.map(({ id, request }) => [
      id,
      transitionFor({ id, request, rotation: rotations[id], now, waitMs: rotateWaitMs }),
    ]),
  );
}

function rotationsAfter(
  before: Rotations,
  transitions: ReadonlyMap<RotationId, Transition>,
  { now, replaces }: { readonly now: number; readonly replaces: (id: RotationId) => string },
): Rotations {
  const after = { ...before };
  const since = new Date(now).toISOString();
  for (const [id, transition] of transitions) {
    if (transition === 'prepare') after[id] = { step: 'prepared', since, replaces: replaces(id) };
    if (transition === 'switch') after[id] = { step: 'switched', since, replaces: replaces(id) };
    if (transition === 'finish') delete after[id];
  }
  return after;
}

const pending = (rotations: Rotations): readonly PendingRotation[] =>
  (Object.keys(rotations) as RotationId[]).flatMap((id) => {
    const rotation = rotations[id];
    if (rotation === undefined) return [];
    const next = rotation.step === 'prepared' ? 'switch' : 'finish';
    return {
      id,
      step: rotation.step,
      since: rotation.since,
      next: `once ${whatIsNeeded[id][next]}: --rotate-${next}=${id}`,
    };
  });
