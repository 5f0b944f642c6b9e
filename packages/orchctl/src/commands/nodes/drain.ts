import { TransportError, typed } from '@orch/client';
import { messageOf } from '@orch/machinery';
import type { FlagValues } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { allPages } from '../../resources/all-pages.ts';
import type { Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { inFlight } from '../apply/in-flight.ts';
import { WriteReport } from '../write/report-write.ts';
import { drainFlags } from './drain-flags.ts';
import { drainPlan, type Pod } from './drained-pods.ts';
import { removePod } from './evict.ts';
import { nodeTargets } from './node-targets.ts';
import { setSchedulable } from './set-schedulable.ts';

/** Number of pods of a node that are evicted concurrently. */
const EVICTIONS_IN_FLIGHT = 32;

type DrainInvocation = Invocation<FlagValues<typeof drainFlags>>;

export const drain = command({
  usage: 'drain NODE... [flags]',
  about:
    'Marks nodes as unschedulable and evicts their pods, which respects disruption budgets. Refused as long as a node has pods that would not be created again elsewhere, or would lose data, unless flags accept that; mirror pods stay. The other nodes are drained when one cannot be; the exit status is then 1.',
  examples: [
    { comment: 'One node', line: 'orchctl drain node-1 --ignore-daemonsets' },
    {
      comment: 'With all kinds of pods',
      line: 'orchctl drain node-1 --ignore-daemonsets --force --delete-emptydir-data',
    },
  ],
  flags: drainFlags,
  async run(invocation) {
    const { flags, io, signal } = invocation;
    const session = await invocation.session();
    const targets = await nodeTargets('drain', invocation, session);
    const report = new WriteReport(io, { output: '', dryRun: flags.dryRun });
    const cordoned: Target[] = [];
    for (const target of targets) {
      const { object, isChanged } = await setSchedulable(target, false, { session, flags, io, signal });
      report.add(target, object, isChanged ? 'cordoned' : 'already cordoned');
      cordoned.push(target);
    }
    const failed = new Map<string, readonly string[]>();
    for (const target of cordoned) {
      const problems = await drainNode(target.name, session, invocation);
      if (problems.length > 0) failed.set(target.name, problems);
      else report.add(target, { metadata: { name: target.name } }, 'drained');
    }
    return reportPending(failed, invocation);
  },
});

function reportPending(failed: ReadonlyMap<string, readonly string[]>, { io }: DrainInvocation): number {
  if (failed.size === 0) return 0;
  io.err.write('There are pending nodes to be drained:\n');
  for (const name of failed.keys()) io.err.write(` ${name}\n`);
  for (const problem of [...failed.values()].flat()) io.err.write(`${problem}\n`);
  return 1;
}

/** Evicts the pods of a node. Resolves with the reasons why that is not possible, which are also reported. */
async function drainNode(
  name: string,
  session: Session,
  invocation: DrainInvocation,
): Promise<readonly string[]> {
  const { io, signal } = invocation;
  const problems = await problemsOf(name, session, invocation).catch((error: unknown) => {
    if (signal.aborted || error instanceof TransportError) throw error;
    return [messageOf(error)];
  });
  if (problems.length === 0) return [];
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  io.err.write(
    `error: unable to drain node ${JSON.stringify(name)} due to error: ${text}, continuing command...\n`,
  );
  return problems;
}

async function problemsOf(
  name: string,
  session: Session,
  { flags, io, signal }: DrainInvocation,
): Promise<readonly string[]> {
  const plan = await drainPlan(await podsOn(name, session, { flags, signal }), {
    ...{ rules: flags, client: session.client, nowMs: io.env.clock.now(), signal },
  });
  if (plan.errors.length > 0) return plan.errors;
  if (plan.warnings.length > 0) io.err.write(`Warning: ${plan.warnings.join('; ')}\n`);
  const limit = new AbortController();
  const stopTimer =
    flags.timeoutMs === 0
      ? undefined
      : io.env.clock.schedule(flags.timeoutMs, () =>
          limit.abort(new CommandError(timeoutText(flags.timeoutMs))),
        );
  try {
    const eviction = { session, flags, io, signal: AbortSignal.any([signal, limit.signal]) };
    await inFlight(plan.deleted, EVICTIONS_IN_FLIGHT, {
      act: (pod) => removePod(pod, eviction),
      report: () => {},
    });
    return [];
  } finally {
    stopTimer?.();
  }
}

const timeoutText = (ms: number): string => `global timeout reached: ${ms / 1000}s`;

async function podsOn(
  node: string,
  { client }: Session,
  { flags, signal }: Pick<DrainInvocation, 'flags' | 'signal'>,
): Promise<readonly Pod[]> {
  const options = {
    fieldSelector: `spec.nodeName=${node}`,
    ...(flags.podSelector !== '' && { labelSelector: flags.podSelector }),
  };
  const { pods } = typed(client).core.v1;
  const pages = await allPages(flags.chunkSize, (limit) => pods.pages({ ...options, ...limit }, signal));
  return pages.flatMap(({ items }) => items);
}
