import { followObject, isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { durationMs } from '@orch/machinery/time';
import { type FlagValues, switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag, fileFlags, selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { Progress } from '../../print/progress.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import { followOptions } from '../../session/follow-options.ts';
import type { Session } from '../../session/session.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { parseWaitCondition, type WaitCondition } from './wait-condition.ts';

const section = 'Flags';
/** Between looks for the first object of a selector. */
const LOOK_AGAIN_MS = 1000;
const WEEK_MS = 7 * 24 * 3_600_000;

const flags = {
  ...fileFlags,
  ...selectorFlags,
  ...allNamespacesFlag,
  ...showManagedFieldsFlag,
  ...outputFlags(section),
  all: switchFlag({ name: 'all', help: 'All objects of the types in the namespace.', section }),
  for: textFlag({
    name: 'for',
    help: 'delete, create, condition=TYPE[=STATUS], or jsonpath={PATH}[=VALUE].',
    section,
  }),
  timeout: textFlag(
    {
      name: 'timeout',
      help: 'How long to wait for all objects; 0 checks once, a negative duration waits for a week.',
      section,
    },
    '30s',
  ),
} as const;

export const wait = command({
  usage: 'wait (TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | -f FILE) --for=CONDITION [flags]',
  about:
    'Waits until every object meets a condition, is created, or is deleted. Conditions of an older generation of an object do not count. The exit status at the timeout is 1.',
  examples: [
    { comment: 'A condition of the status', line: 'orchctl wait --for=condition=Ready pod/web' },
    { comment: 'Another status', line: 'orchctl wait --for=condition=Ready=false pod/web' },
    { comment: 'A field', line: "orchctl wait --for=jsonpath='{.status.phase}'=Running pod/web" },
    { comment: 'A deletion', line: 'orchctl wait --for=delete pod/web --timeout=60s' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, signal } = invocation;
    using progress = new Progress(invocation.io);
    const { io } = progress;
    if (given.for === '') throw new UsageError('--for is required');
    const condition = parseWaitCondition(given.for);
    const timeoutMs = timeoutOf(given.timeout);
    const report = new WriteReport(io, { ...given, dryRun: 'none' });
    const session = await invocation.session();
    const deadline = io.env.clock.monotonic() + timeoutMs;
    const read = () => readTargets({ flags: given, words, io, session, signal });
    let targets = await read();
    // Objects of a selector may be created later; those of files and names are waited for one by one.
    while (condition.kind === 'create' && targets.length === 0) {
      const leftMs = deadline - io.env.clock.monotonic();
      if (leftMs <= 0) break;
      await sleep(io.env.clock, Math.min(leftMs, LOOK_AGAIN_MS), signal);
      targets = await read();
    }
    if (targets.length === 0) {
      if (condition.kind === 'delete') return 0;
      throw new CommandError('no matching resources found');
    }
    progress.start(targets.length, 'done');
    const waitFor = async (target: Target): Promise<void> => {
      const leftMs = Math.max(0, deadline - io.env.clock.monotonic());
      const object = await waitForTarget(invocation, { session, target, condition, leftMs });
      if (object !== undefined) report.add(target, object, 'condition met');
    };
    const status = await forEachTarget(targets, io, progress.counted(waitFor));
    progress.end();
    report.end();
    return status;
  },
});

function timeoutOf(text: string): number {
  const ms = durationMs(text.replace(/^-/, ''));
  if (ms === undefined)
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --timeout: must be a duration such as 30s or 1h5m`,
    );
  return text.startsWith('-') ? WEEK_MS : ms;
}

interface TargetWait {
  readonly session: Session;
  readonly target: Target;
  readonly condition: WaitCondition;
  readonly leftMs: number;
}

/** Resolves with the object once it meets the condition: the last one that existed for a deletion, if any. */
async function waitForTarget(
  { io, signal }: Invocation<FlagValues<typeof flags>>,
  { session, target, condition, leftMs }: TargetWait,
): Promise<ApiObject | undefined> {
  const client = session.client.resource(target.resource, target.namespace);
  const limit = new AbortController();
  // The first check is always completed: a timeout of 0 checks once.
  let isChecked = false;
  const stopTimer = io.env.clock.schedule(leftMs, () => limit.abort(new Error('timeout')));
  try {
    let last: ApiObject | undefined;
    const options = { ...followOptions(io), firstSignal: signal };
    const both = AbortSignal.any([signal, limit.signal]);
    for await (const object of followObject(client, target.name, options, both)) {
      if (object === undefined && !isChecked && condition.kind === 'object')
        await client.get(target.name, {}, signal);
      isChecked = true;
      if (object === undefined) {
        if (condition.kind === 'delete') return last;
      } else {
        // An object of the same name that was created since is another one.
        const isOther = last !== undefined && object.metadata.uid !== last.metadata.uid;
        if (condition.kind === 'delete' && isOther) return last;
        last = object;
        if (condition.kind === 'create') return object;
        if (condition.kind === 'object' && condition.isMet(object)) return object;
      }
      if (leftMs === 0) break;
    }
    throw timedOut(target);
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted && !isNotFound(error)) throw timedOut(target);
    throw error;
  } finally {
    stopTimer();
  }
}

const timedOut = ({ resource, name }: Target): CommandError =>
  new CommandError(`timed out waiting for the condition on ${resource.resource}/${name}`);
