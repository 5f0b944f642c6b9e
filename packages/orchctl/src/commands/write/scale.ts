import { retryOnConflict } from '@orch/client';
import { asNumber, specOf } from '@orch/machinery/json';
import { switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';

const section = 'Flags';

export const scale = command({
  usage: 'scale --replicas=COUNT (TYPE NAME... | TYPE/NAME... | -f FILE) [flags]',
  about:
    'Sets the number of replicas through the subresource scale, of built-in kinds and of custom resources that have it. --current-replicas and --resource-version are preconditions.',
  examples: [
    { comment: 'A deployment', line: 'orchctl scale --replicas=3 deployment/web' },
    {
      comment: 'Only if it has two replicas now',
      line: 'orchctl scale --current-replicas=2 --replicas=3 deployment/web',
    },
  ],
  flags: {
    ...fileFlags,
    ...selectorFlags,
    ...writeFlags,
    ...showManagedFieldsFlag,
    ...outputFlags(section),
    all: switchFlag({ name: 'all', help: 'Scale all objects of the types in the namespace.', section }),
    replicas: wholeFlag({ name: 'replicas', help: 'The new number of replicas.', section }, -1, {
      least: 0,
      most: 2 ** 31 - 1,
    }),
    currentReplicas: wholeFlag(
      { name: 'current-replicas', help: 'The required current number; -1 is any.', section },
      -1,
      { least: -1, most: 2 ** 31 - 1 },
    ),
    resourceVersion: textFlag({ name: 'resource-version', help: 'The required resourceVersion.', section }),
  },
  async run({ flags, words, io, session: open, signal }) {
    if (flags.replicas < 0)
      throw new UsageError(
        'the --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
      );
    const report = new WriteReport(io, flags);
    const session = await open();
    const targets = await readTargets({ flags, words, io, session, signal });
    if (targets.length === 0) throw new CommandError('no objects passed to scale');
    const options = { dryRun: flags.dryRun === 'server', fieldManager: flags.fieldManager };
    const scaleOne = async (target: Target, attempt: AbortSignal): Promise<void> => {
      const objects = session.client.resource(target.resource, target.namespace);
      const client = objects.subresource('scale');
      const before = await client.get(target.name, attempt);
      const current = asNumber(specOf(before)['replicas']);
      if (flags.currentReplicas >= 0 && current !== flags.currentReplicas)
        throw new CommandError(`Expected replicas to be ${flags.currentReplicas}, was ${current}`);
      if (flags.resourceVersion !== '' && before.metadata.resourceVersion !== flags.resourceVersion)
        throw new CommandError(
          `Expected resource version to be ${flags.resourceVersion}, was ${before.metadata.resourceVersion}`,
        );
      const wanted = { ...before, spec: { ...specOf(before), replicas: flags.replicas } };
      // The resourceVersion that was read makes the preconditions hold when the write is carried out.
      const after = flags.dryRun === 'client' ? wanted : await client.update(wanted, options, attempt);
      // --output is about the object, as everywhere, not about its subresource.
      const shown = flags.output === '' ? after : await objects.get(target.name, {}, attempt);
      report.add(target, shown, 'scaled');
    };
    const status = await forEachTarget(targets, io, (target) =>
      retryOnConflict(io.env, (attempt) => scaleOne(target, attempt), signal),
    );
    report.end();
    return status;
  },
});
