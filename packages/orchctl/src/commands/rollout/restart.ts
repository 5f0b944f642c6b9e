import { formatTime } from '@orch/machinery/time';
import { command } from '../../cli/command.ts';
import { showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { changeObject } from '../write/change-object.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { ROLLED_OUT, rolloutFlags, rolloutTargets, workloadText } from './rollout-targets.ts';
import type { Workload } from './workload.ts';

export const restart = command({
  usage: 'rollout restart (TYPE [NAME...] | TYPE/NAME... | -f FILE) [flags]',
  about:
    'Replaces the pods of deployments, daemon sets and stateful sets by an annotation of their template with the time. They are replaced as in every rollout.',
  examples: [
    { comment: 'One deployment', line: 'orchctl rollout restart deployment/web' },
    { comment: 'All with a label', line: 'orchctl rollout restart deployment -l app=web' },
  ],
  flags: { ...rolloutFlags, ...writeFlags, ...showManagedFieldsFlag, ...outputFlags('Flags') },
  async run(invocation) {
    const { flags, io, signal } = invocation;
    const report = new WriteReport(io, flags);
    const session = await invocation.session();
    const key = session.names.annotations.restartedAt;
    const status = await forEachTarget(await rolloutTargets(invocation, session), io, async (target) => {
      const text = workloadText(target);
      if (!ROLLED_OUT.has(target.resource.kind))
        throw new CommandError(`${text} restarting is not supported`);
      const client = session.client.resource<Workload>(target.resource, target.namespace);
      const { object, isChanged } = await changeObject<Workload>({
        ...{ client, name: target.name, flags, io, signal },
        change: (workload) => {
          if (workload.spec?.paused === true)
            throw new CommandError(`${text} can't restart paused deployment (run rollout resume first)`);
          return annotated(workload, key, formatTime(io.env.clock.now()));
        },
      });
      if (!isChanged)
        throw new CommandError(`${text} was restarted within the past second; wait before the next restart`);
      report.add(target, object, 'restarted');
    });
    report.end();
    return status;
  },
});

/** A workload whose template has an annotation. */
function annotated(workload: Workload, key: string, value: string): Workload {
  const template = workload.spec?.template ?? { spec: { containers: [] } };
  const annotations = { ...template.metadata?.annotations, [key]: value };
  const metadata = { ...template.metadata, annotations };
  return { ...workload, spec: { ...workload.spec, template: { ...template, metadata } } };
}
