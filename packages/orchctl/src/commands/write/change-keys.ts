import type { ApiObject } from '@orch/machinery';
import { asStringMap } from '@orch/machinery/json';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { type Command, command } from '../../cli/command.ts';
import { allNamespacesFlag, fileFlags, selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { outputFlags } from '../../print/output-format.ts';
import { readTargets, targetName } from '../../resources/targets.ts';
import { forEachTarget } from './for-each-target.ts';
import { type KeyChanges, splitKeyChanges } from './key-values.ts';
import { WriteReport } from './report-write.ts';

const section = 'Flags';

/** The metadata field that a command changes. */
export interface KeyField {
  /** `label`. */
  readonly verb: string;
  readonly field: 'labels' | 'annotations';
  /** In reports: `labeled`. */
  readonly done: string;
  readonly undone: string;
}

const flags = {
  ...fileFlags,
  ...selectorFlags,
  ...allNamespacesFlag,
  ...writeFlags,
  ...showManagedFieldsFlag,
  ...outputFlags(section),
  local: switchFlag({
    name: 'local',
    help: 'Change the objects of the files only, without the server.',
    section,
  }),
  all: switchFlag({ name: 'all', help: 'Change all objects of the types in the namespace.', section }),
  list: switchFlag({
    name: 'list',
    help: 'Print the values that each object would have; nothing is written.',
    section,
  }),
  overwrite: switchFlag({ name: 'overwrite', help: 'Replace existing values.', section }),
  resourceVersion: textFlag({
    name: 'resource-version',
    help: 'Refuse the write when the object has another resourceVersion. For a single object.',
    section,
  }),
} as const;

/** The command that sets and removes labels or annotations. An existing value is replaced only with `--overwrite`. */
export const changeKeys = (field: KeyField, texts: Pick<Command, 'usage' | 'about' | 'examples'>) =>
  command({
    ...texts,
    flags,
    async run({ flags: given, words, io, session: open, signal }) {
      const { objects, changes } = splitKeyChanges(words, { hasFiles: given.filename.length > 0 });
      if (changes.set.size + changes.removed.size === 0 && !given.list)
        throw new UsageError(
          `at least one ${field.verb} update is required: KEY=VALUE, or KEY- to remove it`,
        );
      if (given.local && given.filename.length === 0)
        throw new UsageError('you must specify resources by --filename when --local is set');
      const report = new WriteReport(io, given);
      const session = await open();
      const targets = await readTargets({ flags: given, words: objects, io, session, signal });
      if (given.resourceVersion !== '' && targets.length > 1)
        throw new UsageError('--resource-version may only be used with a single resource');
      const options = { dryRun: given.dryRun === 'server', fieldManager: given.fieldManager };
      const status = await forEachTarget(targets, io, async (target) => {
        const client = session.client.resource(target.resource, target.namespace);
        const before = given.local
          ? (target.document?.object as unknown as ApiObject)
          : await client.get(target.name, {}, signal);
        const patch = keyPatch(before, { field, changes, given });
        const isChanged = patch !== undefined;
        const isLocal = given.local || given.list || given.dryRun === 'client';
        const after =
          isChanged && !isLocal
            ? await client.patch.merge(target.name, patch, options, signal)
            : withValues(before, field, patch?.metadata[field.field] ?? {});
        if (given.list) {
          io.out.write(listText(targets.length > 1 ? targetName(target) : '', after, field));
          return;
        }
        for (const key of changes.removed)
          if (field.field === 'labels' && asStringMap(before.metadata.labels)[key] === undefined)
            io.out.write(`${field.verb} ${JSON.stringify(key)} not found.\n`);
        report.add(target, after, actionOf(field, changes, isChanged));
      });
      report.end();
      return status;
    },
  });

interface MetadataPatch {
  readonly metadata: {
    readonly labels?: Values;
    readonly annotations?: Values;
    readonly resourceVersion?: string;
  };
}

type Values = Readonly<Record<string, string | null>>;

/** The object with set and removed values. */
function withValues(object: ApiObject, { field }: KeyField, values: Values): ApiObject {
  const merged = Object.entries({ ...asStringMap(object.metadata[field]), ...values });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(kept.length > 0 || field in object.metadata ? { [field]: Object.fromEntries(kept) } : {}),
    },
  };
}

interface KeyPatch {
  readonly field: KeyField;
  readonly changes: KeyChanges;
  readonly given: { readonly overwrite: boolean; readonly resourceVersion: string };
}

/** The merge patch for an object; undefined when it has the values already. Throws a CommandError for an existing value. */
function keyPatch(object: ApiObject, { field, changes, given }: KeyPatch): MetadataPatch | undefined {
  const current = asStringMap(object.metadata[field.field]);
  const values: Record<string, string | null> = {};
  for (const [key, value] of changes.set) {
    const old = current[key];
    if (old === value) continue;
    if (old !== undefined && !given.overwrite)
      throw new CommandError(`${JSON.stringify(key)} already has a value (${old}), and --overwrite is false`);
    values[key] = value;
  }
  for (const key of changes.removed) if (current[key] !== undefined) values[key] = null;
  if (Object.keys(values).length === 0) return undefined;
  const { resourceVersion } = given;
  return { metadata: { [field.field]: values, ...(resourceVersion !== '' && { resourceVersion }) } };
}

function actionOf(field: KeyField, changes: KeyChanges, isChanged: boolean): string {
  if (!isChanged) return field.field === 'labels' ? 'not labeled' : field.done;
  return changes.set.size === 0 ? field.undone : field.done;
}

/** The values of an object; below its name if it is one of several. */
function listText(name: string, { metadata }: ApiObject, { field }: KeyField): string {
  const lines = Object.entries(asStringMap(metadata[field])).map(([key, value]) => `${key}=${value}\n`);
  return name === ''
    ? lines.join('')
    : `Listing ${field} for ${name}:\n${lines.map((line) => ` ${line}`).join('')}`;
}
