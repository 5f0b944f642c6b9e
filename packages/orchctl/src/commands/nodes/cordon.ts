import { command } from '../../cli/command.ts';
import { selectorFlags } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { nodeTargets } from './node-targets.ts';
import { setSchedulable } from './set-schedulable.ts';

interface Texts {
  readonly verb: string;
  readonly done: string;
  readonly about: string;
  readonly isSchedulable: boolean;
}

const scheduling = ({ verb, done, about, isSchedulable }: Texts) =>
  command({
    usage: `${verb} NODE... [flags]`,
    about,
    examples: [
      { comment: 'One node', line: `orchctl ${verb} node-1` },
      { comment: 'Nodes with a label', line: `orchctl ${verb} -l pool=old` },
    ],
    flags: { selector: selectorFlags.selector, dryRun: writeFlags.dryRun },
    async run(invocation) {
      const { flags, io, signal } = invocation;
      const session = await invocation.session();
      const targets = await nodeTargets(verb, invocation, session);
      const report = new WriteReport(io, { output: '', dryRun: flags.dryRun });
      return forEachTarget(targets, io, async (target) => {
        const { object, isChanged } = await setSchedulable(target, isSchedulable, {
          ...{ session, flags, io, signal },
        });
        report.add(target, object, isChanged ? done : `already ${done}`);
      });
    },
  });

export const cordon = scheduling({
  verb: 'cordon',
  done: 'cordoned',
  about: 'Marks nodes as unschedulable: no new pods are scheduled to them. Pods that run there stay.',
  isSchedulable: false,
});

export const uncordon = scheduling({
  verb: 'uncordon',
  done: 'uncordoned',
  about: 'Marks nodes as schedulable again.',
  isSchedulable: true,
});
