import { isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { outputFlag } from '../../print/output-format.ts';
import { fileTargets } from '../../resources/targets.ts';
import { deleteAndWait } from './delete-and-wait.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';

const section = 'Flags';

export const replace = command({
  usage: 'replace -f FILE [--force] [flags]',
  about:
    'Replaces objects by those of files. The objects must exist. A resourceVersion in the file makes the write conditional: it is refused after another write.',
  examples: [
    { comment: 'Replace an object', line: 'orchctl replace -f pod.yaml' },
    { comment: 'Delete and create it again', line: 'orchctl replace --force -f pod.yaml' },
  ],
  flags: {
    ...fileFlags,
    ...writeFlags,
    ...validateFlag,
    ...showManagedFieldsFlag,
    output: outputFlag(section),
    force: switchFlag({
      name: 'force',
      help: 'Delete the objects, wait until they are gone, and create them.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    if (words.length > 0) throw new UsageError('objects are given by --filename');
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    if (flags.force && flags.dryRun !== 'none')
      throw new UsageError('--dry-run can not be used when --force is set');
    const report = new WriteReport(io, flags);
    const session = await open();
    const options = {
      dryRun: flags.dryRun === 'server',
      fieldManager: flags.fieldManager,
      fieldValidation: fieldValidation(flags.validate),
    };
    const targets = await fileTargets({ flags, io, session, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      const { resource, namespace, document } = target;
      const object = document?.object as unknown as ApiObject;
      const client = session.client.resource(resource, namespace);
      if (flags.dryRun === 'client') return report.add(target, object, 'replaced');
      if (!flags.force) return report.add(target, await client.update(object, options, signal), 'replaced');
      try {
        await deleteAndWait({ client, target, io, signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      report.add(target, await client.create(object, options, signal), 'replaced');
    });
    report.end();
    return status;
  },
});
