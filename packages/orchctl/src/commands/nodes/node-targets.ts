import type { kinds, ResourceClient } from '@orch/client';
import { UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';

export type Node = kinds.core.Node;

/** The nodes of the words `NAME…` or `node/NAME…`, or those that a selector selects. Rejects when there are none to name. */
export async function nodeTargets(
  verb: string,
  { words, flags, io, signal }: Invocation<{ readonly selector: string }>,
  session: Session,
): Promise<readonly Target[]> {
  if (words.length === 0 && flags.selector === '')
    throw new UsageError(`USAGE: ${verb} NODE [flags]; name nodes or select them with --selector`);
  const named = words.some((word) => word.includes('/')) ? words : ['nodes', ...words];
  const given = { filename: [], recursive: false, selector: flags.selector };
  const targets = await readTargets({ flags: given, words: named, io, session, signal });
  if (targets.some(({ resource }) => resource.kind !== 'Node'))
    throw new UsageError(`${verb} is for nodes only`);
  return targets;
}

export const nodeClient = ({ client }: Session, { resource }: Target): ResourceClient<Node> =>
  client.resource<Node>(resource);
