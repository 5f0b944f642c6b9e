import type { ApiObject } from '@orch/machinery';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { outputFlag } from '../../print/output-format.ts';
import { fileTargets } from '../../resources/targets.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';

const section = 'Flags';

export const create = command({
  usage: 'create -f FILE [flags]',
  about:
    'Creates the objects of files. An object that exists is refused; use apply to change it. The objects after a refused one are created, and the exit status is 1.',
  examples: [
    { comment: 'The objects of a file', line: 'orchctl create -f pod.yaml' },
    {
      comment: 'From standard input, without storing anything',
      line: 'cat pod.yaml | orchctl create -f - --dry-run=server',
    },
  ],
  flags: {
    ...fileFlags,
    ...writeFlags,
    ...validateFlag,
    ...showManagedFieldsFlag,
    output: outputFlag(section),
    saveConfig: switchFlag({
      name: 'save-config',
      help: 'Accepted for scripts of kubectl; server-side apply needs no stored configuration.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const [word] = words;
    if (word !== undefined)
      throw new UsageError(`unknown argument ${JSON.stringify(word)}; objects are given by --filename`);
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    const report = new WriteReport(io, flags);
    const session = await open();
    const targets = await fileTargets({ flags, io, session, signal });
    const options = {
      dryRun: flags.dryRun === 'server',
      fieldManager: flags.fieldManager,
      fieldValidation: fieldValidation(flags.validate),
    };
    const status = await forEachTarget(targets, io, async (target) => {
      const { resource, namespace, document } = target;
      const object = document?.object as unknown as ApiObject;
      const created =
        flags.dryRun === 'client'
          ? object
          : await session.client.resource(resource, namespace).create(object, options, signal);
      report.add(target, created, 'created');
    });
    report.end();
    return status;
  },
});
