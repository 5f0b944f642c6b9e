import type { ApiObject } from '@orch/machinery';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, fileSelectorFlag, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { inFile } from '../../cli/in-file.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { fileTargets, isAnswered } from '../../resources/targets.ts';
import { FieldCheck } from '../../schemas/field-check.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';
import { rawFlag, sendRaw } from './send-raw.ts';

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
    ...fileSelectorFlag,
    ...writeFlags,
    ...validateFlag,
    ...rawFlag,
    ...showManagedFieldsFlag,
    ...outputFlags(section),
    saveConfig: switchFlag({
      name: 'save-config',
      help: 'Accepted for scripts of kubectl; server-side apply needs no stored configuration.',
      section,
    }),
  },
  async run(invocation) {
    const { flags, words, io, session: open, signal } = invocation;
    const [word] = words;
    if (word !== undefined)
      throw new UsageError(`unknown argument ${JSON.stringify(word)}; objects are given by --filename`);
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    if (flags.raw !== '') return sendRaw('POST', invocation);
    const report = new WriteReport(io, flags);
    const session = await open();
    const targets = await fileTargets({ flags, io, session, signal });
    if (targets.length === 0) throw new CommandError('no objects passed to create');
    const options = {
      dryRun: flags.dryRun === 'server',
      fieldManager: flags.fieldManager,
      fieldValidation: fieldValidation(flags.validate),
    };
    const check = new FieldCheck({ session, validate: flags.validate, io, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      await check.check(target);
      const { resource, namespace, document } = target;
      const object = document?.object as unknown as ApiObject;
      if (flags.dryRun === 'client') return report.add(target, object, 'created');
      try {
        const client = session.client.resource(resource, namespace);
        const created = await client.create(object, options, signal);
        if (isAnswered(resource) && flags.dryRun === 'none') report.answer(created);
        else report.add(target, created, 'created');
      } catch (error) {
        throw inFile(error, 'creating', target);
      }
    });
    report.end();
    return status;
  },
});
