import { type FlagValues, UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { fileFlags, selectorFlags } from '../../cli/flag-sets.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';

/** The flags of all commands of `rollout`. */
export const rolloutFlags = { ...fileFlags, selector: selectorFlags.selector } as const;

type RolloutInvocation = Pick<
  Invocation<FlagValues<typeof rolloutFlags>>,
  'flags' | 'words' | 'io' | 'signal'
>;

/** The workloads of a command line. A type without names is all of its objects. Reports when there are none. */
export async function rolloutTargets(
  { flags, words, io, signal }: RolloutInvocation,
  session: Session,
): Promise<readonly Target[]> {
  if (words.length === 0 && flags.filename.length === 0)
    throw new UsageError('required resource not specified');
  const isTypeOnly = words.length === 1 && words[0]?.includes('/') === false;
  const all = isTypeOnly && flags.selector === '';
  const targets = await readTargets({ flags: { ...flags, all }, words, io, session, signal });
  if (targets.length === 0) io.err.write(`No resources found in ${session.namespace} namespace.\n`);
  return targets;
}

/** `deployments.apps "web"`, as messages about workloads name them. */
export const workloadText = ({ resource: { resource, group }, name }: Target): string =>
  `${group === '' ? resource : `${resource}.${group}`} ${JSON.stringify(name)}`;

/** The kinds that have rollouts. */
export const ROLLED_OUT: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'StatefulSet']);
