import { isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { textFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import type { Session } from '../../session/session.ts';
import { WriteReport } from '../write/report-write.ts';
import { momentOf } from './moment.ts';
import { allChanges, fromHistory, type NamedObject, namedObject } from './read-history.ts';
import { recreated, stateFor } from './restored-object.ts';

const section = 'Flags';

export const undo = command({
  usage: 'undo (TYPE NAME | TYPE/NAME) [--to=REVISION] [flags]',
  about:
    'Restores an earlier state of an object from the history of the server; without --to, the one before the last change. A deleted object is created again. The write is an ordinary update or creation: it requires the permission for that, is validated, and is recorded, so that it can be undone too. It is refused when the object changes meanwhile.\n\nThe status of an object is not restored, nor is its identity after a deletion: the new object has another uid.',
  examples: [
    { comment: 'The last change', line: 'orchctl undo deployment web' },
    { comment: 'A state of the history', line: 'orchctl undo deployment/web --to=1234' },
    {
      comment: 'As it was ten minutes ago, shown but not stored',
      line: 'orchctl undo deployment/web --to=10m --dry-run=server -o yaml',
    },
  ],
  flags: {
    ...writeFlags,
    ...outputFlags(section),
    to: textFlag({
      name: 'to',
      help: 'The resourceVersion or time of the state to restore, or a duration before now: 10m.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const report = new WriteReport(io, flags);
    const given = flags.to === '' ? undefined : momentOf('to', flags.to, io.env.clock.now());
    const session = await open();
    const target = await namedObject(words, session);
    const history = session.client.history(target.resource, target.namespace);
    const to = given ?? (await beforeLastChange(session, target, signal));
    const past = await fromHistory(history.at(target.name, to, signal));
    const options = { dryRun: flags.dryRun === 'server', fieldManager: flags.fieldManager };
    const { object, warnings, isNew } = await restored(session, target, { past, signal });
    for (const warning of warnings) io.err.write(`Warning: ${warning}\n`);
    const objects = session.client.resource(target.resource, target.namespace);
    const write = (): Promise<ApiObject> =>
      isNew ? objects.create(object, options, signal) : objects.update(object, options, signal);
    const after = flags.dryRun === 'client' ? object : await write();
    report.add(target, after, `restored to ${past.metadata.resourceVersion}`);
    report.end();
    return 0;
  },
});

/** The revision before the last change. */
async function beforeLastChange(
  session: Session,
  { resource, namespace, name }: NamedObject,
  signal: AbortSignal,
): Promise<string> {
  const changes = session.client.history(resource, namespace).changes(name, { limit: 1 }, signal);
  const [last] = await fromHistory(allChanges(changes));
  if (last === undefined) throw new CommandError('no change of the object was recorded');
  if (last.previousRevision === '')
    throw new CommandError('the last change created the object; delete it to undo that');
  return last.previousRevision;
}

interface Restored {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
  readonly isNew: boolean;
}

async function restored(
  session: Session,
  { resource, namespace, name }: NamedObject,
  { past, signal }: { readonly past: ApiObject; readonly signal: AbortSignal },
): Promise<Restored> {
  const live = await session.client
    .resource(resource, namespace)
    .get(name, {}, signal)
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  if (live === undefined) return { ...(await recreated(past, session, signal)), isNew: true };
  if (live.metadata.deletionTimestamp !== undefined)
    throw new CommandError('the object is being deleted; it can be restored once it is gone');
  return { object: stateFor(past, live), warnings: [], isNew: false };
}
