import type { kinds } from '@orch/client';

type Pod = kinds.core.Pod;

/** Pods that fail. */
export interface FailingPods {
  /** The name of a pod, in which `*` stands for any text, or labels that it has. */
  readonly pods: string | Readonly<Record<string, string>>;
  /** Time after its start; when it would become ready if absent. */
  readonly afterMs?: number;
  /** Exit status of its containers; 1 if absent. */
  readonly exitCode?: number;
  /** How many starts fail, of all these pods together; every one if absent. */
  readonly times?: number;
}

/** How pods run. */
export interface PodRules {
  /** Time from the start of a pod until it is ready. */
  readonly readyAfterMs: number;
  /** Time from then on until a pod ends that is not restarted when it succeeds. */
  readonly succeedAfterMs: number;
  /** Delay of the first restart of a container; each further one doubles it. */
  readonly restartAfterMs: number;
  /** Time from its deletion until a pod has ended. */
  readonly endAfterMs: number;
  readonly fail: readonly FailingPods[];
}

/** The longest delay of a restart. */
const MAX_RESTART_MS = 300_000;

/** What happens to one start of a pod. */
export type Outcome =
  | { readonly kind: 'run' }
  | { readonly kind: 'succeed'; readonly atMs: number }
  | { readonly kind: 'fail'; readonly atMs: number; readonly exitCode: number };

/** The state of a started pod, and the time until it changes. */
export interface Moment {
  readonly state: 'starting' | 'ready' | 'succeeded' | 'failed' | 'waiting' | 'restart';
  readonly untilMs?: number;
}

export const restartPolicyOf = ({ spec }: Pod): string => spec?.restartPolicy ?? 'Always';

/** Decides about a start: by the first rule that matches the pod and is not used up. `use` counts its starts. */
export function outcomeOf(
  pod: Pod,
  { fail, readyAfterMs, succeedAfterMs }: PodRules,
  use: (rule: FailingPods) => boolean,
): Outcome {
  const rule = fail.find((each) => matches(each, pod) && use(each));
  if (rule !== undefined)
    return { kind: 'fail', atMs: rule.afterMs ?? readyAfterMs, exitCode: rule.exitCode ?? 1 };
  if (restartPolicyOf(pod) === 'Always') return { kind: 'run' };
  return { kind: 'succeed', atMs: readyAfterMs + succeedAfterMs };
}

export function matches({ pods }: FailingPods, { metadata }: Pod): boolean {
  if (typeof pods !== 'string')
    return Object.entries(pods).every(([name, value]) => metadata.labels?.[name] === value);
  return matchesParts(pods.split('*'), metadata.name ?? '');
}

/** Reports whether a text consists of these parts with any text between them. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - last.length) return false;
    from = at + part.length;
  }
  return true;
}

/** The state of a start after this time. Containers that have failed are restarted, unless the pod says otherwise. */
export function momentOf(
  outcome: Outcome,
  { readyAfterMs, restartAfterMs }: PodRules,
  {
    passedMs,
    restarts,
    isRestarted,
  }: { readonly passedMs: number; readonly restarts: number; readonly isRestarted: boolean },
): Moment {
  const endMs = outcome.kind === 'run' ? Number.POSITIVE_INFINITY : outcome.atMs;
  if (passedMs < Math.min(readyAfterMs, endMs))
    return { state: 'starting', untilMs: Math.min(readyAfterMs, endMs) - passedMs };
  if (passedMs < endMs)
    return { state: 'ready', ...(Number.isFinite(endMs) && { untilMs: endMs - passedMs }) };
  if (outcome.kind === 'succeed') return { state: 'succeeded' };
  if (!isRestarted) return { state: 'failed' };
  const restartMs = endMs + Math.min(MAX_RESTART_MS, restartAfterMs * 2 ** restarts);
  return passedMs < restartMs ? { state: 'waiting', untilMs: restartMs - passedMs } : { state: 'restart' };
}
