import type { Names } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { isSameTemplate, withoutHash } from '../workloads/revisions.ts';
import { changeObject } from '../write/change-object.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { revisionsOf, type WorkloadRevision } from './revision-history.ts';
import { rolloutFlags, rolloutTargets } from './rollout-targets.ts';
import { templateText } from './template-text.ts';
import type { Workload } from './workload.ts';

const section = 'Flags';
const MAX_INT32 = 2 ** 31 - 1;

export const undo = command({
  usage: 'rollout undo (TYPE NAME | TYPE/NAME | -f FILE) [--to-revision=REVISION] [flags]',
  about:
    'Restores the template of an earlier revision of deployments, daemon sets and stateful sets; the controller rolls it out as a new revision.',
  examples: [
    { comment: 'The previous revision', line: 'orchctl rollout undo deployment/web' },
    {
      comment: 'Show what would be restored',
      line: 'orchctl rollout undo deployment/web --to-revision=1 --dry-run=client',
    },
  ],
  flags: {
    ...rolloutFlags,
    ...showManagedFieldsFlag,
    dryRun: writeFlags.dryRun,
    ...outputFlags(section),
    toRevision: wholeFlag(
      { name: 'to-revision', help: 'The revision to restore; 0 is the previous one.', section },
      0,
      { least: 0, most: MAX_INT32 },
    ),
  },
  async run(invocation) {
    const { flags, io, signal } = invocation;
    const report = new WriteReport(io, flags);
    const session = await invocation.session();
    const status = await forEachTarget(await rolloutTargets(invocation, session), io, async (target) => {
      const { kind } = target.resource;
      const client = session.client.resource<Workload>(target.resource, target.namespace);
      const workload = await client.get(target.name, {}, signal);
      const restored = chosenRevision(await revisionsOf(workload, target, { session, signal }), {
        ...{ wanted: flags.toRevision, kind, name: target.name },
      });
      if (flags.dryRun === 'client') {
        const text = templateText(restored.template, session.names);
        report.add(target, workload, kind === 'Deployment' ? text : `will roll back to ${text}`);
        return;
      }
      const { object, isChanged } = await changeObject<Workload>({
        ...{ client, name: target.name, flags, io, signal },
        change: (current) => restoredWorkload(current, restored, { kind, names: session.names }),
      });
      const skipped = `skipped rollback (current template already matches revision ${flags.toRevision})`;
      report.add(target, object, isChanged ? 'rolled back' : skipped);
    });
    report.end();
    return status;
  },
});

interface Wanted {
  /** 0 is the previous one. */
  readonly wanted: number;
  readonly kind: string;
  readonly name: string;
}

function chosenRevision(
  revisions: readonly WorkloadRevision[],
  { wanted, kind, name }: Wanted,
): WorkloadRevision {
  const found = wanted === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === wanted);
  if (found !== undefined) return found;
  if (wanted > 0) throw new CommandError(`unable to find specified revision ${wanted} in history`);
  throw new CommandError(
    kind === 'Deployment'
      ? `no rollout history found for deployment ${JSON.stringify(name)}`
      : 'no last revision to roll back to',
  );
}

/** The workload with the template of a revision; the same one if it has that template. */
function restoredWorkload(
  workload: Workload,
  { template, annotations }: WorkloadRevision,
  { kind, names }: { readonly kind: string; readonly names: Names },
): Workload {
  if (workload.spec?.paused === true)
    throw new CommandError(
      "you cannot rollback a paused deployment; resume it first with 'orchctl rollout resume' and try again",
    );
  if (isSameTemplate(workload.spec?.template, template)) return workload;
  const spec = { ...workload.spec, template: cloneJson(withoutHash(template)) };
  if (kind !== 'Deployment') return { ...workload, spec };
  const metadata = {
    ...workload.metadata,
    annotations: restoredAnnotations(workload.metadata.annotations ?? {}, annotations, names),
  };
  return { ...workload, metadata, spec };
}

/** A replica set has the annotations that its deployment had, except those of controllers. */
function restoredAnnotations(
  current: Readonly<Record<string, string>>,
  earlier: Readonly<Record<string, string>>,
  { annotations: keys }: Names,
): Record<string, string> {
  const kept: ReadonlySet<string> = new Set([
    keys.lastApplied,
    keys.deploymentRevision,
    keys.deploymentRevisionHistory,
    keys.deploymentDesiredReplicas,
    keys.deploymentMaxReplicas,
    keys.deploymentRollbackTo,
  ]);
  const pick = (from: Readonly<Record<string, string>>, isKept: boolean) =>
    Object.entries(from).filter(([key]) => kept.has(key) === isKept);
  return Object.fromEntries([...pick(current, true), ...pick(earlier, false)]);
}
