import { isAlreadyExists, isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { outputFlags } from '../../print/output-format.ts';
import { fileTargets, type Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { type Reconciled, reconciled } from './reconciled.ts';

const section = 'Flags';

export const reconcile = command({
  usage: 'auth reconcile -f FILE [flags]',
  about:
    'Creates roles and bindings of files, or adds the missing rules and subjects to existing ones. Rules are compared by what they permit. A binding whose role differs is deleted and created again, because its role cannot be changed. Namespaces are created if necessary.',
  examples: [
    { comment: 'The roles of a file', line: 'orchctl auth reconcile -f roles.yaml' },
    {
      comment: 'Exactly these permissions',
      line: 'orchctl auth reconcile -f roles.yaml --remove-extra-permissions --remove-extra-subjects',
    },
  ],
  flags: {
    ...fileFlags,
    ...showManagedFieldsFlag,
    dryRun: writeFlags.dryRun,
    ...outputFlags(section),
    removePermissions: switchFlag({
      name: 'remove-extra-permissions',
      help: 'Remove the rules that the files do not have.',
      section,
    }),
    removeSubjects: switchFlag({
      name: 'remove-extra-subjects',
      help: 'Remove the subjects that the files do not have.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    if (words.length > 0) throw new UsageError('roles and bindings are given by --filename');
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    const report = new WriteReport(io, flags);
    const session = await open();
    const targets = await fileTargets({ flags, io, session, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      if (target.resource.group !== session.names.group('rbac')) return;
      const wanted = target.document?.object as unknown as ApiObject;
      const existing = await current(session, target, signal);
      const result = reconciled(existing, wanted, { ...flags, group: target.resource.group });
      const object = await write(session, target, { result, dryRun: flags.dryRun, existing, signal });
      report.add(target, object, 'reconciled');
      io.err.write(result.details);
    });
    report.end();
    return status;
  },
});

async function current(
  { client }: Session,
  { resource, namespace, name }: Target,
  signal: AbortSignal,
): Promise<ApiObject | undefined> {
  try {
    return await client.resource(resource, namespace).get(name, {}, signal);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface ReconciledWrite {
  readonly result: Reconciled;
  readonly dryRun: 'none' | 'client' | 'server';
  readonly existing: ApiObject | undefined;
  readonly signal: AbortSignal;
}

async function write(
  session: Session,
  { resource, namespace, name }: Target,
  { result, dryRun, existing, signal }: ReconciledWrite,
): Promise<ApiObject> {
  const { object, operation } = result;
  if (dryRun === 'client' || operation === 'none') return object;
  const client = session.client.resource(resource, namespace);
  const options = { dryRun: dryRun === 'server', fieldManager: 'orchctl-auth-reconcile' };
  if (operation === 'update') return client.update(object, options, signal);
  if (operation === 'recreate') {
    const { uid = '', resourceVersion = '' } = existing?.metadata ?? {};
    const preconditions = { uid, resourceVersion };
    await client.delete(name, { preconditions, dryRun: options.dryRun }, signal);
    if (options.dryRun) return object;
  } else if (namespace !== undefined && !options.dryRun) await ensureNamespace(session, namespace, signal);
  return client.create(object, options, signal);
}

async function ensureNamespace(session: Session, name: string, signal: AbortSignal): Promise<void> {
  const resource = await session.resources.ofKind('v1', 'Namespace');
  try {
    await session.client.resource(resource).create({ metadata: { name } }, {}, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
