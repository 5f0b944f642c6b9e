import { followObject, type ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import {
  durationFlag,
  type FlagValues,
  type GivenFlags,
  isGiven,
  switchFlag,
  UsageError,
} from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { type DryRun, dryRunSuffix } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { followOptions } from '../../session/follow-options.ts';
import { type Pod, podClient } from '../connect/pods.ts';
import { printLog } from '../connect/print-log.ts';
import { localStreams, podName, streamFlags, streamsOf } from '../connect/remote-command.ts';

const section = 'Flags';

/** The flags of a run that connects to its pod. */
export const attachFlags = {
  stdin: streamFlags.stdin,
  tty: streamFlags.tty,
  quiet: streamFlags.quiet,
  attach: switchFlag({ name: 'attach', help: 'Connect to the pod; the default with -i.', section }),
  rm: switchFlag({
    name: 'rm',
    help: 'Delete the pod when the command ends; only with -i or --attach.',
    section,
  }),
  leaveStdinOpen: switchFlag({
    name: 'leave-stdin-open',
    help: 'Keep the input of the container open when the first connection ends.',
    section,
  }),
  podRunningTimeoutMs: durationFlag(
    { name: 'pod-running-timeout', help: 'How long to wait until the pod runs.', section },
    60_000,
  ),
} as const;

type Given = FlagValues<typeof attachFlags> & { readonly dryRun: DryRun };

export const isAttached = (given: Pick<Given, 'attach' | 'stdin'> & GivenFlags): boolean =>
  isGiven(given, 'attach') ? given.attach : given.stdin;

/** Throws a UsageError for flags that contradict each other. */
export function checkAttachFlags(given: Given): void {
  if (given.tty && !given.stdin)
    throw new UsageError('-i/--stdin is required for containers with -t/--tty=true');
  if (given.rm && !isAttached(given))
    throw new UsageError('--rm should only be used for attached containers');
  if (given.dryRun !== 'none' && isAttached(given))
    throw new UsageError(
      `--dry-run=${given.dryRun} can't be used with attached containers options (--attach, --stdin, or --tty)`,
    );
}

type RunInvocation = Invocation<Given & { readonly restart: string }>;

/** Connects to a created pod until it ends, and deletes it with `--rm`. Returns the exit status. */
export async function attachedRun(invocation: RunInvocation, created: ApiObject): Promise<number> {
  const { flags, io, session: open } = invocation;
  const session = await open();
  const name = created.metadata.name ?? '';
  const pods = podClient({ ...session, namespace: created.metadata.namespace ?? session.namespace });
  try {
    return await connected(invocation, pods, name);
  } finally {
    if (flags.rm) {
      // An interrupted command deletes its pod, too.
      await pods.delete(name, {}, AbortSignal.timeout(DELETE_MS));
      if (!flags.quiet) io.out.write(`pod ${JSON.stringify(name)} deleted${dryRunSuffix('none')}\n`);
    }
  }
}

/** The limit for the deletion of a pod, which is not interrupted. */
const DELETE_MS = 30_000;

async function connected(
  { flags, io, signal, session: open }: RunInvocation,
  pods: ResourceClient<Pod>,
  name: string,
): Promise<number> {
  const session = await open();
  const pod = await started(pods, name, { ms: flags.podRunningTimeoutMs, io, signal });
  const container = pod.spec?.containers[0]?.name ?? name;
  if (hasEnded(pod)) {
    const query = new URLSearchParams({ container });
    await printLog({ pod, container }, { query, prefix: '', out: io.out, session, signal });
  } else {
    using streams = localStreams(flags, io);
    if (!flags.quiet && flags.stdin) io.err.write("If you don't see a command prompt, try pressing enter.\n");
    const outcome = await streamsOf(session, io).attach(podName(pod), { ...streams, container }, signal);
    if (outcome.exitCode === undefined) throw new CommandError(outcome.message);
  }
  if (flags.restart === 'Always' || flags.leaveStdinOpen) return 0;
  return exitStatusOf(await reached({ pods, name, io }, hasEnded, signal));
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The pod when it runs or has ended. Rejects with a `CommandError` at the timeout. */
async function started(
  pods: ResourceClient<Pod>,
  name: string,
  { ms, io, signal }: { readonly ms: number; readonly io: RunInvocation['io']; readonly signal: AbortSignal },
): Promise<Pod> {
  using limit = withDeadline(signal, io.env.clock, ms);
  try {
    const isStarted = (pod: Pod): boolean => pod.status?.phase === 'Running' || hasEnded(pod);
    return await reached({ pods, name, io }, isStarted, limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    throw new CommandError(
      `timed out waiting for pod ${name} to run; "orchctl describe pod ${name}" shows why`,
    );
  }
}

interface CreatedPod {
  readonly pods: ResourceClient<Pod>;
  readonly name: string;
  readonly io: Io;
}

/** The pod when it is in a state. Rejects with a `CommandError` when it is deleted before. */
async function reached(
  { pods, name, io }: CreatedPod,
  isReached: (pod: Pod) => boolean,
  signal: AbortSignal,
): Promise<Pod> {
  const options = { ...followOptions(io), retriesFirst: true };
  for await (const pod of followObject(pods, name, options, signal)) {
    if (pod === undefined) throw new CommandError(`pod ${name} was deleted`);
    if (isReached(pod)) return pod;
  }
  throw signal.reason;
}

/** The exit status of a pod that has ended: that of its first failed container. */
function exitStatusOf({ status, metadata }: Pod): number {
  if (status?.phase === 'Succeeded') return 0;
  const codes = status?.containerStatuses?.map(({ state }) => state?.terminated?.exitCode ?? 0) ?? [];
  const code = codes.find((one) => one !== 0);
  if (code === undefined) throw new CommandError(`pod ${metadata.name} failed with unknown exit code`);
  return code;
}
