import { type FlagValues, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { fileFlags } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import { commonFlags, createObject, newMetadata, section } from '../generate/generator.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { type MetricTargets, metricFlags, metricTargets } from './metric-targets.ts';

const MAX_INT32 = 2 ** 31 - 1;
const count = (name: string, help: string) =>
  wholeFlag({ name, help, section }, -1, { least: -1, most: MAX_INT32 });

const flags = {
  ...fileFlags,
  ...commonFlags,
  min: count('min', 'The minimum number of pods; by default the server decides.'),
  max: count('max', 'The maximum number of pods.'),
  ...metricFlags,
  name: textFlag({
    name: 'name',
    help: 'The name of the autoscaler; that of the workload when absent.',
    section,
  }),
} as const;

export const autoscale = command({
  usage:
    'autoscale (TYPE NAME | TYPE/NAME | -f FILE) --max=COUNT [--min=COUNT] [--cpu=TARGET] [--memory=TARGET] [flags]',
  about: 'Creates a horizontal pod autoscaler for a workload that has the subresource scale.',
  examples: [
    { comment: 'A deployment', line: 'orchctl autoscale deployment web --min=2 --max=10 --cpu=80%' },
    {
      comment: 'By memory, under another name',
      line: 'orchctl autoscale deployment web --name=web-memory --max=6 --cpu=500m --memory=200Mi',
    },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, signal } = invocation;
    if (given.max < 1) throw new UsageError('--max=MAXPODS is required and must be at least 1');
    if (given.max < given.min)
      throw new UsageError(
        `--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${given.max}, min: ${given.min}`,
      );
    const targeted = metricTargets(given);
    const report = new WriteReport(io, given);
    const session = await invocation.session();
    const targets = await readTargets({ flags: given, words, io, session, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      const { kind, subresources } = target.resource;
      if (!subresources.includes('scale'))
        throw new CommandError(`cannot autoscale a ${kind}: it has no subresource scale`);
      const autoscaler = autoscalerOf(target, targeted, invocation);
      await createObject(invocation, autoscaler, { report, action: 'autoscaled' });
    });
    report.end();
    return status;
  },
});

function autoscalerOf(
  { resource, name }: Target,
  { cpuPercent, metrics }: MetricTargets,
  { flags: given, globals }: Invocation<FlagValues<typeof flags>>,
) {
  const { group, version, kind } = resource;
  return {
    ...{
      apiVersion: metrics === undefined ? 'autoscaling/v1' : 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
    },
    metadata: {
      ...newMetadata(given.name || name),
      ...(globals.namespace !== '' && { namespace: globals.namespace }),
    },
    spec: {
      ...{ maxReplicas: given.max },
      ...(given.min > 0 && { minReplicas: given.min }),
      scaleTargetRef: { apiVersion: group === '' ? version : `${group}/${version}`, kind, name },
      ...(cpuPercent !== undefined && { targetCPUUtilizationPercentage: cpuPercent }),
      ...(metrics !== undefined && { metrics }),
    },
    status: { currentReplicas: 0, desiredReplicas: 0 },
  };
}
