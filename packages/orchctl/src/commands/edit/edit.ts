import type { ApiObject } from '@orch/machinery';
import { asText, type JsonObject, jsonText } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { choiceFlag, switchFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { withoutManagedFields } from '../../print/object-text.ts';
import { outputFlags } from '../../print/output-format.ts';
import { sortedFields } from '../../print/sorted-fields.ts';
import { readTargets, type Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { WriteReport } from '../write/report-write.ts';
import { editUntilWritten } from './edit-session.ts';
import { type EditedObjects, readObjects } from './edit-text.ts';
import { type EditTarget, writeEdits } from './write-edits.ts';

const section = 'Flags';

export const edit = command({
  usage: 'edit (TYPE [NAME...] | TYPE/NAME... | -f FILE) [flags]',
  about:
    'Opens objects of the server in an editor and writes what was changed. The editor is that of ORCHCTL_EDITOR, KUBE_EDITOR or EDITOR, or vi. Several objects are a List.\n\nA file that cannot be read, and objects that the server finds invalid, are opened again with the error at the top; comments remain. After other failures the file is kept and named. A change of a list is refused after a concurrent write of the object.',
  examples: [
    { comment: 'A deployment', line: 'orchctl edit deployment/web' },
    { comment: 'Several objects as JSON', line: 'orchctl edit configmap/app deployment/web -o json' },
    { comment: 'A subresource', line: 'orchctl edit deployment web --subresource=status' },
  ],
  flags: {
    ...fileFlags,
    ...validateFlag,
    ...showManagedFieldsFlag,
    fieldManager: writeFlags.fieldManager,
    ...outputFlags(section),
    outputPatch: switchFlag({
      name: 'output-patch',
      help: 'Print the patch of each written object.',
      section,
    }),
    subresource: choiceFlag(
      { name: 'subresource', help: 'Edit this subresource.', section },
      ['', 'status', 'scale', 'resize'],
      '',
    ),
    windowsLineEndings: switchFlag({
      name: 'windows-line-endings',
      help: 'End lines of the file with CR LF.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const report = new WriteReport(io, { ...flags, dryRun: 'none' });
    const session = await open();
    // A type alone is all of its objects.
    const all = words.length === 1 && words[0]?.includes('/') === false;
    const targets = await readTargets({ flags: { ...flags, all }, words, io, session, signal });
    if (targets.length === 0) throw new CommandError('edit cancelled, no objects found');
    const read = (target: Target) => objectOf(target, session, { ...flags, signal });
    const objects = await Promise.all(targets.map(read));
    const format = flags.output === 'json' ? 'json' : 'yaml';
    const text = fileText(objects, format);
    const opened = editTargets(targets, readObjects(text));
    const options = { fieldManager: flags.fieldManager, fieldValidation: fieldValidation(flags.validate) };
    const { subresource, outputPatch: outputsPatch } = flags;
    const status = await editUntilWritten({
      ...{ format, text, io, signal },
      lineEnd: flags.windowsLineEndings ? '\r\n' : '\n',
      hasWritten: () => opened.some(({ isWritten }) => isWritten),
      write: (edited) =>
        writeEdits(edited, opened, { session, io, report, subresource, outputsPatch, options, signal }),
    });
    report.end();
    return status;
  },
});

async function objectOf(
  { resource, namespace, name }: Target,
  { client }: Session,
  { subresource, signal }: { readonly subresource: string; readonly signal: AbortSignal },
): Promise<ApiObject> {
  const objects = client.resource(resource, namespace);
  const object =
    subresource === ''
      ? await objects.get(name, {}, signal)
      : await objects.subresource(subresource).get(name, signal);
  return withoutManagedFields(object);
}

function fileText(objects: readonly ApiObject[], format: 'yaml' | 'json'): string {
  const value =
    objects.length === 1 ? objects[0] : { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} };
  return format === 'json' ? `${jsonText(sortedFields(value), 4)}\n` : encodeYaml(sortedFields(value));
}

/** The objects of the text as it is opened, so that only edits of the text are differences. */
function editTargets(targets: readonly Target[], read: EditedObjects): readonly EditTarget[] {
  if (read.problem !== undefined) throw new CommandError(`the objects cannot be edited: ${read.problem}`);
  return targets.map((target, i) => {
    const base = read.objects[i] ?? {};
    const metadata = base['metadata'] as JsonObject;
    return {
      ...{ target, base, isWritten: false },
      uid: asText(metadata['uid']),
      resourceVersion: asText(metadata['resourceVersion']),
    };
  });
}
