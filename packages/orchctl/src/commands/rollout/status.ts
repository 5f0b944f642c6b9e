import { followObject } from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import { durationFlag, type FlagValues, switchFlag, wholeFlag } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import type { Target } from '../../resources/targets.ts';
import { followOptions } from '../../session/follow-options.ts';
import type { Session } from '../../session/session.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { progressOf } from './progress.ts';
import { rolloutFlags, rolloutTargets } from './rollout-targets.ts';

const section = 'Flags';

const flags = {
  ...rolloutFlags,
  revision: wholeFlag(
    { name: 'revision', help: 'Refuse to follow another revision than this.', section },
    0,
    {
      least: 0,
      most: 2 ** 31 - 1,
    },
  ),
  timeoutMs: durationFlag(
    { name: 'timeout', help: 'How long to wait for the end; 0 is without a limit.', section },
    0,
  ),
  watch: switchFlag({ name: 'watch', short: 'w', help: 'Wait until the rollout ends.', section }, true),
} as const;

type StatusInvocation = Invocation<FlagValues<typeof flags>>;

export const status = command({
  usage: 'rollout status (TYPE NAME | TYPE/NAME | -f FILE) [flags]',
  about:
    'Follows the rollouts of deployments, daemon sets and stateful sets to their end. The exit status is 1 for one that fails, and at the timeout.',
  examples: [
    { comment: 'Until the end', line: 'orchctl rollout status deployment/web --timeout=60s' },
    { comment: 'Only now', line: 'orchctl rollout status deployment/web --watch=false' },
  ],
  flags,
  async run(invocation) {
    const session = await invocation.session();
    const targets = await rolloutTargets(invocation, session);
    return forEachTarget(targets, invocation.io, (target) => follow(target, session, invocation));
  },
});

async function follow(target: Target, session: Session, invocation: StatusInvocation): Promise<void> {
  const { flags: given, io, signal } = invocation;
  const progress = progressOf[target.resource.kind];
  if (progress === undefined)
    throw new CommandError(`no status viewer has been implemented for ${target.resource.kind}`);
  const client = session.client.resource(target.resource, target.namespace);
  await client.get(target.name, {}, signal);
  const limit = new AbortController();
  const stopTimer =
    given.timeoutMs === 0 ? undefined : io.env.clock.schedule(given.timeoutMs, () => limit.abort());
  const next = AbortSignal.any([signal, limit.signal]);
  try {
    const options = { ...followOptions(io), retriesFirst: true, firstSignal: signal };
    for await (const object of followObject(client, target.name, options, next)) {
      if (object === undefined) throw new CommandError('object has been deleted');
      checkRevision(object, given.revision, session.names);
      const { text, isDone } = progress(object);
      io.out.write(`${text}\n`);
      if (isDone || !given.watch) return;
    }
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted)
      throw new CommandError('timed out waiting for the condition');
    throw error;
  } finally {
    stopTimer?.();
  }
}

function checkRevision({ metadata }: ApiObject, wanted: number, names: Names): void {
  if (wanted === 0) return;
  const running = Number(metadata.annotations?.[names.annotations.deploymentRevision] ?? 0);
  if (running !== wanted)
    throw new CommandError(
      `desired revision (${wanted}) is different from the running revision (${running})`,
    );
}
