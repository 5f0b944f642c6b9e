import type { DeleteOptions } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { asBuffer } from '@orch/machinery/json';
import {
  choiceFlag,
  durationFlag,
  type FlagValues,
  switchFlag,
  textFlag,
  UsageError,
  wholeFlag,
} from '@orch/program/flags';
import { cascadeFlag, propagationPolicies } from '../../cli/cascade.ts';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag, fileFlags, selectorFlags } from '../../cli/flag-sets.ts';
import { inFile } from '../../cli/in-file.ts';
import { dryRunSuffix, writeFlags } from '../../cli/write-flags.ts';
import { Progress } from '../../print/progress.ts';
import { kindName, readTargets, type Target, targetName } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { uidIn, waitUntilGone } from '../write/delete-and-wait.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { isConfirmed } from './confirmation.ts';

const section = 'Flags';

const flags = {
  ...fileFlags,
  ...selectorFlags,
  ...allNamespacesFlag,
  dryRun: writeFlags.dryRun,
  all: switchFlag({ name: 'all', help: 'Delete all objects of the types in the namespace.', section }),
  cascade: cascadeFlag,
  force: switchFlag({
    name: 'force',
    help: 'Delete at once, without waiting for a confirmation of nodes. Requires --grace-period=0.',
    section,
  }),
  gracePeriod: wholeFlag(
    {
      name: 'grace-period',
      help: 'Seconds that a pod has to terminate; -1 is the value of the object, 0 without --force is 1.',
      section,
    },
    -1,
    { least: -1, most: 2 ** 31 },
  ),
  ignoreNotFound: switchFlag({
    name: 'ignore-not-found',
    help: 'Treat objects that do not exist as deleted.',
    section,
  }),
  interactive: switchFlag({
    name: 'interactive',
    short: 'i',
    help: 'List the objects and delete them only after the answer y.',
    section,
  }),
  now: switchFlag({ name: 'now', help: 'Same as --grace-period=1.', section }),
  output: choiceFlag(
    { name: 'output', short: 'o', help: 'name prints names only.', section },
    ['', 'name'],
    '',
  ),
  timeoutMs: durationFlag(
    {
      name: 'timeout',
      help: 'How long to wait for the deletion of each object; 0 is without a limit.',
      section,
    },
    0,
  ),
  wait: switchFlag({ name: 'wait', help: 'Wait until the objects are gone.', section }, true),
  raw: textFlag({ name: 'raw', help: 'Send a DELETE request to this path of the server.', section }),
} as const;

export const deleteCommand = command({
  usage: 'delete (TYPE [NAME... | -l SELECTOR | --all] | TYPE/NAME... | -f FILE) [flags]',
  about:
    'Deletes objects and waits until they are gone. An object with finalizers exists until its controllers have removed them; after some seconds the command says which ones it waits for.',
  examples: [
    { comment: 'The object of a file', line: 'orchctl delete -f pod.yaml' },
    { comment: 'By type and name', line: 'orchctl delete pod/web service/web --ignore-not-found' },
    { comment: 'By label', line: 'orchctl delete pods,services -l app=web' },
    { comment: 'All config maps of a namespace', line: 'orchctl delete configmaps --all -n default' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, signal } = invocation;
    const options = deleteOptions(invocation);
    const session = await invocation.session();
    if (given.raw !== '') return deleteRaw(invocation, session);
    using progress = new Progress(invocation.io);
    const { io } = progress;
    const targets = await readTargets({
      ...{ flags: { ...given, allowsEmpty: true }, words, io, session, signal },
    });
    if (targets.length === 0) {
      io.out.write('No resources found\n');
      return 0;
    }
    if (given.interactive && given.dryRun === 'none' && !(await isConfirmed(targets, io))) {
      io.out.write('deletion is cancelled\n');
      return 0;
    }
    const deleted: Deleted[] = [];
    progress.start(targets.length, 'deleted');
    const ignoresAbsence = given.ignoreNotFound || given.all || given.selector !== '';
    const deleteTarget = async (target: Target): Promise<void> => {
      const uid = await deleteOne(session, target, { options, ignoresAbsence, given, signal });
      if (uid === undefined) return;
      io.out.write(reportText(target, given));
      deleted.push({ target, uid });
    };
    const status = await forEachTarget(targets, io, progress.counted(deleteTarget));
    if (!given.wait || given.dryRun !== 'none') return status;
    progress.start(deleted.length, 'gone');
    for (const { target, uid } of deleted) {
      const client = session.client.resource(target.resource, target.namespace);
      const timeoutMs = given.timeoutMs === 0 ? undefined : given.timeoutMs;
      await waitUntilGone({ client, target, timeoutMs, io, signal }, uid);
      progress.advance();
    }
    return status;
  },
});

type Given = FlagValues<typeof flags>;

interface Deleted {
  readonly target: Target;
  readonly uid: string;
}

/** Throws a UsageError for flags that contradict each other. */
function deleteOptions({ flags: given, io }: Invocation<Given>): DeleteOptions {
  const { force, gracePeriod, now, dryRun, cascade } = given;
  if (now && gracePeriod >= 0) throw new UsageError('--now and --grace-period cannot be specified together');
  if (force && gracePeriod > 0)
    throw new UsageError('--force and --grace-period greater than 0 cannot be specified together');
  if (given.all && (given.selector !== '' || given.fieldSelector !== ''))
    throw new UsageError('cannot set --all and a selector at the same time');
  if (force && dryRun === 'none')
    io.err.write(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    );
  const seconds = force ? 0 : now || gracePeriod === 0 ? 1 : gracePeriod;
  return {
    propagationPolicy: propagationPolicies[cascade],
    ...(seconds >= 0 && { gracePeriodSeconds: seconds }),
    ...(dryRun === 'server' && { dryRun: true }),
  };
}

interface OneDeletion {
  readonly options: DeleteOptions;
  readonly ignoresAbsence: boolean;
  readonly given: Given;
  readonly signal: AbortSignal;
}

/** The uid of the deleted object; undefined when it did not exist. */
async function deleteOne(
  session: Session,
  target: Target,
  { options, ignoresAbsence, given, signal }: OneDeletion,
): Promise<string | undefined> {
  const { resource, namespace, name } = target;
  const client = session.client.resource(resource, namespace);
  try {
    if (given.dryRun === 'client') return (await client.get(name, {}, signal)).metadata.uid ?? '';
    return uidIn(await client.delete(name, options, signal));
  } catch (error) {
    if (ignoresAbsence && error instanceof ApiError && error.status.code === 404) return undefined;
    throw inFile(error, 'deleting', target);
  }
}

function reportText(target: Target, { output, dryRun, force }: Given): string {
  if (output === 'name') return `${targetName(target)}\n`;
  const verb = force ? 'force deleted' : 'deleted';
  return `${kindName(target.resource)} ${JSON.stringify(target.name)} ${verb}${dryRunSuffix(dryRun)}\n`;
}

async function deleteRaw(
  { flags: { raw }, words, io, signal }: Invocation<Given>,
  { client }: Session,
): Promise<number> {
  if (words.length > 0) throw new UsageError('arguments may not be passed when --raw is specified');
  const body = await client.rawBody({ method: 'DELETE', target: raw, headers: {} }, signal);
  io.out.write(asBuffer(body).toString('utf8'));
  return 0;
}
