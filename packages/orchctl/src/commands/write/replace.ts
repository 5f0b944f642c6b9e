import { isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { durationFlag, switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { cascadeFlag, propagationPolicies } from '../../cli/cascade.ts';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { inFile } from '../../cli/in-file.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { outputFlags } from '../../print/output-format.ts';
import { fileTargets, kindName } from '../../resources/targets.ts';
import { FieldCheck } from '../../schemas/field-check.ts';
import { type Deletion, deleteAndWait } from './delete-and-wait.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';
import { rawFlag, sendRaw } from './send-raw.ts';

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
    ...rawFlag,
    ...showManagedFieldsFlag,
    ...outputFlags(section),
    subresource: textFlag({
      name: 'subresource',
      help: 'Replace this subresource: status or scale.',
      section,
    }),
    saveConfig: switchFlag({
      name: 'save-config',
      help: 'Accepted for scripts of kubectl; server-side apply needs no stored configuration.',
      section,
    }),
    cascade: cascadeFlag,
    gracePeriod: wholeFlag(
      {
        name: 'grace-period',
        help: 'With --force: seconds that a pod has to end; -1 is the value of the object.',
        section,
      },
      -1,
      { least: -1, most: 2 ** 31 },
    ),
    timeoutMs: durationFlag(
      {
        name: 'timeout',
        help: 'With --force: how long to wait for each deletion; 0 is without a limit.',
        section,
      },
      0,
    ),
    wait: switchFlag(
      { name: 'wait', help: 'Accepted for scripts of kubectl; --force always waits for deletions.', section },
      true,
    ),
    force: switchFlag({
      name: 'force',
      help: 'Delete the objects, wait until they are gone, and create them.',
      section,
    }),
  },
  async run(invocation) {
    const { flags, words, io, session: open, signal } = invocation;
    if (words.length > 0) throw new UsageError('objects are given by --filename');
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    if (flags.raw !== '') return sendRaw('PUT', invocation);
    if (flags.force && flags.dryRun !== 'none')
      throw new UsageError('--dry-run can not be used when --force is set');
    if (flags.force && flags.subresource !== '')
      throw new UsageError('--force and --subresource cannot be specified together');
    if (!flags.force && flags.gracePeriod >= 0)
      throw new UsageError('--grace-period must have --force specified');
    if (!flags.force && flags.timeoutMs > 0) throw new UsageError('--timeout must have --force specified');
    const report = new WriteReport(io, flags);
    const session = await open();
    const options = {
      dryRun: flags.dryRun === 'server',
      fieldManager: flags.fieldManager,
      fieldValidation: fieldValidation(flags.validate),
    };
    const deletion = {
      options: {
        propagationPolicy: propagationPolicies[flags.cascade],
        ...(flags.gracePeriod >= 0 && { gracePeriodSeconds: flags.gracePeriod }),
      },
      timeoutMs: flags.timeoutMs === 0 ? undefined : flags.timeoutMs,
    };
    const targets = await fileTargets({ flags, io, session, signal });
    const check = new FieldCheck({ session, validate: flags.validate, io, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      await check.check(target);
      const { resource, namespace, document } = target;
      const object = document?.object as unknown as ApiObject;
      const client = session.client.resource(resource, namespace);
      if (flags.dryRun === 'client') return report.add(target, object, 'replaced');
      try {
        if (
          flags.force &&
          (await deleteExisting({ client, target, ...deletion, io, signal })) &&
          flags.output === ''
        )
          io.out.write(`${kindName(resource)} ${JSON.stringify(target.name)} deleted\n`);
        const replaced = flags.force
          ? await client.create(object, options, signal)
          : await (flags.subresource === '' ? client : client.subresource(flags.subresource)).update(
              object,
              options,
              signal,
            );
        report.add(target, replaced, 'replaced');
      } catch (error) {
        throw inFile(error, 'replacing', target);
      }
    });
    report.end();
    return status;
  },
});

/** Deletes an object, if it exists, and waits until it is gone. False if there was none. */
async function deleteExisting(deletion: Deletion): Promise<boolean> {
  try {
    await deleteAndWait(deletion);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}
