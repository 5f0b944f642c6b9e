import { followObject } from '@orch/client';
import { withDeadline } from '@orch/machinery/concurrency';
import type { Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { followOptions } from '../../session/follow-options.ts';
import { type Pod, podClient } from '../connect/pods.ts';
import { printLog } from '../connect/print-log.ts';
import { exitStatusOf, localStreams, podName, streamsOf } from '../connect/remote-command.ts';
import type { DebugFlags } from './flags.ts';

type DebugInvocation = Invocation<DebugFlags>;

/** Connects to a container when it runs. The log of one that has ended, or cannot be attached to, is printed. Returns the exit status. */
export async function attachDebug(invocation: DebugInvocation, pod: Pod, container: string): Promise<number> {
  const { flags, io, signal } = invocation;
  const session = await invocation.session();
  const print = async (): Promise<number> => {
    const query = new URLSearchParams({ container });
    await printLog({ pod, container }, { query, prefix: '', out: io.out, session, signal });
    return 0;
  };
  const started = await startedContainer(invocation, pod, container);
  if (started === 'ended') return print();
  using streams = localStreams(flags, io);
  if (!flags.quiet && flags.stdin) io.err.write("If you don't see a command prompt, try pressing enter.\n");
  const outcome = await streamsOf(session, io).attach(podName(pod), { ...streams, container }, signal);
  if (outcome.exitCode !== undefined) return exitStatusOf(outcome, io);
  io.err.write(
    `warning: couldn't attach to pod/${pod.metadata.name}, printing its log instead: ${outcome.message}\n`,
  );
  return print();
}

/** Waits until a container runs or has ended. Rejects with a `CommandError` at the timeout, and when the pod is deleted. */
async function startedContainer(
  { flags, io, signal, session: open }: DebugInvocation,
  { metadata }: Pod,
  container: string,
): Promise<'running' | 'ended'> {
  const session = await open();
  const { name = '', namespace = session.namespace } = metadata;
  using limit = withDeadline(signal, io.env.clock, flags.podRunningTimeoutMs);
  const pods = podClient({ ...session, namespace });
  let told = '';
  try {
    const options = { ...followOptions(io), retriesFirst: true };
    for await (const pod of followObject(pods, name, options, limit.signal)) {
      if (pod === undefined) throw new CommandError(`pod ${name} was deleted`);
      const { running, terminated, waiting } = stateOf(pod, container);
      if (running !== undefined || terminated !== undefined)
        return running === undefined ? 'ended' : 'running';
      const message = waiting?.message ?? '';
      if (message !== '' && message !== told && !flags.quiet)
        io.err.write(`Warning: container ${container}: ${message}\n`);
      told = message;
    }
    throw limit.signal.reason;
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    throw new CommandError(
      `timed out waiting for container ${container} of pod ${name} to run; "orchctl describe pod ${name}" shows why`,
    );
  }
}

function stateOf({ status = {} }: Pod, container: string) {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return all.find(({ name }) => name === container)?.state ?? {};
}
