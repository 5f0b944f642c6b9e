import type { Names } from '@orch/machinery';
import { wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import { type ObjectFormat, objectText, withoutManagedFields } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat } from '../../print/output-format.ts';
import { targetName } from '../../resources/targets.ts';
import { Description } from '../describe/text/description.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { revisionsOf, type WorkloadRevision } from './revision-history.ts';
import { rolloutFlags, rolloutTargets } from './rollout-targets.ts';
import { templateText } from './template-text.ts';
import type { Workload } from './workload.ts';

const section = 'Flags';

export const history = command({
  usage: 'rollout history (TYPE NAME | TYPE/NAME | -f FILE) [flags]',
  about:
    'Prints the revisions of deployments, daemon sets and stateful sets with the cause of each change, or the template of one revision. The controllers of workloads keep a limited number of them.',
  examples: [
    { comment: 'All revisions', line: 'orchctl rollout history deployment/web' },
    { comment: 'The template of one', line: 'orchctl rollout history deployment/web --revision=1' },
  ],
  flags: {
    ...rolloutFlags,
    ...showManagedFieldsFlag,
    ...outputFlags(section),
    revision: wholeFlag({ name: 'revision', help: 'Print the template of this revision.', section }, 0, {
      least: 0,
      most: 2 ** 31 - 1,
    }),
  },
  async run(invocation) {
    const { flags, io, signal } = invocation;
    const format = parseOutputFormat(flags, io);
    const session = await invocation.session();
    return forEachTarget(await rolloutTargets(invocation, session), io, async (target) => {
      const client = session.client.resource<Workload>(target.resource, target.namespace);
      const workload = await client.get(target.name, {}, signal);
      const all = await revisionsOf(workload, target, { session, signal });
      const chosen = flags.revision === 0 ? all : all.filter(({ revision }) => revision === flags.revision);
      if (all.length > 0 && chosen.length === 0)
        throw new CommandError('unable to find the specified revision');
      if (format.kind !== 'table') {
        io.out.write(printedText(format, chosen, flags.showManagedFields));
        return;
      }
      const name = targetName(target);
      const [one] = chosen;
      const text =
        one === undefined
          ? 'No rollout history found.'
          : flags.revision === 0
            ? tableText(all)
            : detailText(one, target.resource.kind, session.names);
      io.out.write(`${name} ${flags.revision === 0 ? '' : `with revision #${flags.revision}`}\n${text}\n`);
    });
  },
});

function tableText(revisions: readonly WorkloadRevision[]): string {
  const out = new Description();
  out.line(0, 'REVISION', 'CHANGE-CAUSE');
  for (const { revision, changeCause } of revisions) out.line(0, revision, changeCause || '<none>');
  return out.toString();
}

function detailText({ template, changeCause }: WorkloadRevision, kind: string, names: Names): string {
  if (kind !== 'Deployment' || changeCause === '') return templateText(template, names);
  const annotations = { ...template.metadata?.annotations, [names.annotations.changeCause]: changeCause };
  return templateText({ ...template, metadata: { ...template.metadata, annotations } }, names);
}

function printedText(format: ObjectFormat, revisions: readonly WorkloadRevision[], isWhole: boolean): string {
  const texts = revisions.map(({ object }) =>
    objectText(format, { objects: [isWhole ? object : withoutManagedFields(object)], isList: false }),
  );
  return texts.join(format.kind === 'yaml' ? '---\n' : '');
}
