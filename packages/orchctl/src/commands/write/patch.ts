import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonPatchOperation, PatchClient } from '@orch/client';
import { type ApiObject, isJsonObject, messageOf, parseYaml, YamlSyntaxError } from '@orch/machinery';
import { choiceFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { readInput } from '../../files/read-files.ts';
import type { Io } from '../../io.ts';
import { outputFlag } from '../../print/output-format.ts';
import { readTargets } from '../../resources/targets.ts';
import { forEachTarget } from './for-each-target.ts';
import { WriteReport } from './report-write.ts';

const section = 'Flags';

export const patch = command({
  usage: 'patch (TYPE NAME | TYPE/NAME | -f FILE) -p PATCH [--type=strategic|merge|json] [flags]',
  about:
    'Changes fields of objects. The patch is JSON or YAML. A strategic merge patch merges lists by key and is for built-in kinds; a merge patch replaces lists; a JSON patch is a list of operations.',
  examples: [
    { comment: 'A field', line: `orchctl patch deployment web -p '{"spec":{"replicas":2}}'` },
    { comment: 'A custom resource', line: `orchctl patch widget small --type=merge -p 'spec: {size: 3}'` },
    {
      comment: 'Operations',
      line: `orchctl patch pod web --type=json -p '[{"op":"add","path":"/metadata/labels/a","value":"b"}]'`,
    },
  ],
  flags: {
    ...fileFlags,
    ...writeFlags,
    ...showManagedFieldsFlag,
    output: outputFlag(section),
    patch: textFlag({ name: 'patch', short: 'p', help: 'The patch.', section }),
    patchFile: textFlag({ name: 'patch-file', help: 'A file with the patch; - is standard input.', section }),
    type: choiceFlag(
      { name: 'type', help: 'The type of the patch.', section },
      ['strategic', 'merge', 'json'],
      'strategic',
    ),
    subresource: textFlag({ name: 'subresource', help: 'Patch this subresource: status or scale.', section }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const body = await readPatch(flags, io);
    const report = new WriteReport(io, flags);
    const session = await open();
    const targets = await readTargets({ flags, words, io, session, signal });
    const options = { dryRun: flags.dryRun === 'server', fieldManager: flags.fieldManager };
    const status = await forEachTarget(targets, io, async (target) => {
      const client = session.client.resource(target.resource, target.namespace);
      const { patch: patches } = flags.subresource === '' ? client : client.subresource(flags.subresource);
      const before = await client.get(target.name, {}, signal);
      const after =
        flags.dryRun === 'client'
          ? before
          : await send(patches, flags.type, { name: target.name, body, options, signal });
      const isChanged =
        after.metadata.resourceVersion !== before.metadata.resourceVersion || flags.dryRun !== 'none';
      report.add(target, after, isChanged ? 'patched' : 'patched (no change)');
    });
    report.end();
    return status;
  },
});

interface Patch {
  readonly name: string;
  readonly body: unknown;
  readonly options: { readonly dryRun: boolean; readonly fieldManager: string };
  readonly signal: AbortSignal;
}

function send(
  patches: PatchClient<ApiObject>,
  type: 'strategic' | 'merge' | 'json',
  { name, body, options, signal }: Patch,
): Promise<ApiObject> {
  if (type === 'json') return patches.json(name, body as readonly JsonPatchOperation[], options, signal);
  return patches[type](name, body as object, options, signal);
}

/** The patch of the flags. Throws a UsageError for one that is not of its type. */
async function readPatch(
  {
    patch: text,
    patchFile,
    type,
  }: { readonly patch: string; readonly patchFile: string; readonly type: string },
  io: Io,
): Promise<unknown> {
  if ((text === '') === (patchFile === ''))
    throw new UsageError('must specify --patch or --patch-file, and not both');
  const body = parsedPatch(text === '' ? await fileText(patchFile, io) : text);
  if (type === 'json' ? Array.isArray(body) : isJsonObject(body)) return body;
  throw new UsageError(
    type === 'json' ? 'a JSON patch must be a list of operations' : `a ${type} patch must be an object`,
  );
}

function parsedPatch(text: string): unknown {
  try {
    return parseYaml(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw new UsageError(`unable to parse the patch: ${error.message}`);
  }
}

async function fileText(path: string, io: Io): Promise<string> {
  if (path === '-') return readInput(io);
  try {
    return readFileSync(resolve(io.folder, path), 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
