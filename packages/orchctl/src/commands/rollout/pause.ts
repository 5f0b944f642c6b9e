import { command } from '../../cli/command.ts';
import { showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { changeObject } from '../write/change-object.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { rolloutFlags, rolloutTargets, workloadText } from './rollout-targets.ts';
import type { Workload } from './workload.ts';

interface Texts {
  readonly verb: string;
  readonly done: string;
  readonly about: string;
  readonly paused: boolean;
}

/** The command that pauses or resumes the rollouts of deployments. */
const pausing = ({ verb, done, about, paused }: Texts) =>
  command({
    usage: `rollout ${verb} (TYPE NAME | TYPE/NAME | -f FILE) [flags]`,
    about,
    examples: [{ comment: 'One deployment', line: `orchctl rollout ${verb} deployment/web` }],
    flags: { ...rolloutFlags, ...writeFlags, ...showManagedFieldsFlag, ...outputFlags('Flags') },
    async run(invocation) {
      const { flags, io, signal } = invocation;
      const report = new WriteReport(io, flags);
      const session = await invocation.session();
      const status = await forEachTarget(await rolloutTargets(invocation, session), io, async (target) => {
        const text = workloadText(target);
        if (target.resource.kind !== 'Deployment')
          throw new CommandError(`${text} ${verb === 'pause' ? 'pausing' : 'resuming'} is not supported`);
        const client = session.client.resource<Workload>(target.resource, target.namespace);
        const { object } = await changeObject<Workload>({
          ...{ client, name: target.name, flags, io, signal },
          change: (workload) => {
            if ((workload.spec?.paused ?? false) === paused)
              throw new CommandError(`${text} is ${paused ? 'already' : 'not'} paused`);
            return { ...workload, spec: { ...workload.spec, paused } };
          },
        });
        report.add(target, object, done);
      });
      report.end();
      return status;
    },
  });

export const pause = pausing({
  verb: 'pause',
  done: 'paused',
  about:
    'Pauses the rollouts of deployments: changes of the template are stored and rolled out after resume.',
  paused: true,
});

export const resume = pausing({
  verb: 'resume',
  done: 'resumed',
  about: 'Resumes the rollouts of paused deployments.',
  paused: false,
});
