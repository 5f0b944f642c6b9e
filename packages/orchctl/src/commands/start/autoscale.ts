import { type FlagValues, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { fileFlags } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import { commonFlags, createObject, newMetadata, section } from '../generate/generator.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';

const MAX_INT32 = 2 ** 31 - 1;
const count = (name: string, help: string) =>
  wholeFlag({ name, help, section }, -1, { least: -1, most: MAX_INT32 });

const flags = {
  ...fileFlags,
  ...commonFlags,
  min: count('min', 'The minimum number of pods; by default the server decides.'),
  max: count('max', 'The maximum number of pods.'),
  cpuPercent: count('cpu-percent', 'The target average CPU utilization, in percent of the requests.'),
  name: textFlag({
    name: 'name',
    help: 'The name of the autoscaler; that of the workload when absent.',
    section,
  }),
} as const;

export const autoscale = command({
  usage:
    'autoscale (TYPE NAME | TYPE/NAME | -f FILE) --max=COUNT [--min=COUNT] [--cpu-percent=PERCENT] [flags]',
  about: 'Creates a horizontal pod autoscaler for a workload that has the subresource scale.',
  examples: [
    { comment: 'A deployment', line: 'orchctl autoscale deployment web --min=2 --max=10 --cpu-percent=80' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, signal } = invocation;
    if (given.max < 1) throw new UsageError('--max=MAXPODS is required and must be at least 1');
    if (given.max < given.min)
      throw new UsageError(
        `--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${given.max}, min: ${given.min}`,
      );
    const report = new WriteReport(io, given);
    const session = await invocation.session();
    const targets = await readTargets({ flags: given, words, io, session, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      const { kind, subresources } = target.resource;
      if (!subresources.includes('scale'))
        throw new CommandError(`cannot autoscale a ${kind}: it has no subresource scale`);
      await createObject(invocation, autoscalerOf(target, invocation), { report, action: 'autoscaled' });
    });
    report.end();
    return status;
  },
});

function autoscalerOf(
  { resource, name }: Target,
  { flags: given, globals }: Invocation<FlagValues<typeof flags>>,
) {
  const { group, version, kind } = resource;
  return {
    ...{ apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
    metadata: {
      ...newMetadata(given.name || name),
      ...(globals.namespace !== '' && { namespace: globals.namespace }),
    },
    spec: {
      ...{ maxReplicas: given.max },
      ...(given.min > 0 && { minReplicas: given.min }),
      scaleTargetRef: { apiVersion: group === '' ? version : `${group}/${version}`, kind, name },
      ...(given.cpuPercent >= 0 && { targetCPUUtilizationPercentage: given.cpuPercent }),
    },
    status: { currentReplicas: 0, desiredReplicas: 0 },
  };
}
