import { switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, fileSelectorFlag, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { readObjectFiles } from '../../files/read-files.ts';
import { outputFlags } from '../../print/output-format.ts';
import { Progress } from '../../print/progress.ts';
import { WriteReport } from '../write/report-write.ts';
import { ApplyRun } from './apply-run.ts';
import { Inventory } from './inventory.ts';
import { prune } from './prune.ts';

const section = 'Flags';

export const apply = command({
  usage: 'apply -f FILE [--prune --inventory=NAME] [flags]',
  about:
    'Applies the objects of files by server-side apply: creates objects that do not exist, and sets the fields in the files on others. Fields that were applied before and are no longer in a file are removed; fields of other managers are kept. A field that another manager owns with another value is a conflict: nothing of that object is written, and a table shows both values. Fields that other commands of this tool have set, such as scale, are taken over, and a line says the former value. Fields of kubectl apply become fields of this tool.\n\nNamespaces and definitions of custom resources are applied first. Other objects are applied concurrently.\n\nWith --prune, objects that an earlier apply with the same inventory has applied, and that are not in the files now, are deleted. The inventory is a config map in the current namespace.',
  examples: [
    { comment: 'The objects of a folder', line: 'orchctl apply -f manifests/' },
    { comment: 'What the server would store', line: 'orchctl apply -f pod.yaml --dry-run=server -o yaml' },
    {
      comment: 'Delete what is no longer in the folder',
      line: 'orchctl apply -f manifests/ --prune --inventory=web',
    },
  ],
  flags: {
    ...fileFlags,
    ...fileSelectorFlag,
    ...writeFlags,
    ...validateFlag,
    ...showManagedFieldsFlag,
    ...outputFlags(section),
    subresource: textFlag({
      name: 'subresource',
      help: 'Apply to this subresource: status or scale.',
      section,
    }),
    serverSide: switchFlag(
      { name: 'server-side', help: 'Accepted: all applies are server-side.', section },
      true,
    ),
    forceConflicts: switchFlag({
      name: 'force-conflicts',
      help: 'Take over fields that other managers own.',
      section,
    }),
    prune: switchFlag({
      name: 'prune',
      help: 'Delete objects that are in the inventory and not in the files.',
      section,
    }),
    inventory: textFlag({
      name: 'inventory',
      help: 'The config map that lists the applied objects. Updated also without --prune.',
      section,
    }),
    concurrency: wholeFlag(
      { name: 'concurrency', help: 'Maximum number of concurrent requests.', section },
      16,
      {
        least: 1,
        most: 256,
      },
    ),
  },
  async run({ flags, words, io: original, session: open, signal }) {
    if (words.length > 0) throw new UsageError('objects are given by --filename');
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    if (!flags.serverSide)
      throw new UsageError(
        '--server-side=false is not supported: client-side apply loses fields of other managers',
      );
    if (flags.prune && flags.inventory === '')
      throw new UsageError(
        '--prune requires --inventory, the name of the config map that lists the applied objects',
      );
    if (flags.subresource !== '' && flags.inventory !== '')
      throw new UsageError('--subresource cannot be used with --inventory');
    if (flags.selector !== '' && flags.inventory !== '')
      throw new UsageError(
        '--selector cannot be used with --inventory: the objects that it leaves out would count as removed',
      );
    using progress = new Progress(original);
    const { io } = progress;
    const report = new WriteReport(io, flags);
    const documents = await readObjectFiles({ ...flags, allowsEmpty: flags.prune }, io);
    // With an inventory, files that no longer have any object are pruned too.
    if (documents.length === 0 && !flags.prune) throw new CommandError('no objects passed to apply');
    const session = await open();
    const run = new ApplyRun({ session, io, signal, flags, report, progress });
    const inventory =
      flags.inventory === '' || flags.dryRun === 'client'
        ? undefined
        : await Inventory.open(session, flags.inventory, flags.fieldManager);
    const before = (await inventory?.read(signal)) ?? [];
    const status = await run.all(documents);
    progress.end();
    report.end();
    if (inventory === undefined) return status;
    const context = { inventory, session, io, signal, dryRun: flags.dryRun };
    return prune(context, { before, applied: run.applied, isPruning: flags.prune, status });
  },
});
