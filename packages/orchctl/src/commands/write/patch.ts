import type { JsonPatchOperation, PatchClient } from '@orch/client';
import { type ApiObject, parseApiVersion } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import { choiceFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';
import { readText } from '../../files/read-files.ts';
import type { Io } from '../../io.ts';
import { outputFlags } from '../../print/output-format.ts';
import { type NamedKind, readTargets } from '../../resources/targets.ts';
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
    ...outputFlags(section),
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
    const options = { dryRun: flags.dryRun !== 'none', fieldManager: flags.fieldManager };
    const status = await forEachTarget(targets, io, async (target) => {
      const client = session.client.resource(target.resource, target.namespace);
      const { patch: patches } = flags.subresource === '' ? client : client.subresource(flags.subresource);
      const before = await client.get(target.name, {}, signal);
      // Only the server merges patches: a dry run of the client that prints objects asks it, too.
      const isUnsent = flags.dryRun === 'client' && flags.output === '';
      const after = isUnsent
        ? before
        : await send(patches, flags.type, { name: target.name, body, options, signal });
      const isChanged =
        after.metadata.resourceVersion !== before.metadata.resourceVersion || flags.dryRun !== 'none';
      const shown = flags.subresource === '' ? target : { resource: resourceOf(after) };
      report.add(shown, after, isChanged ? 'patched' : 'patched (no change)');
    });
    report.end();
    return status;
  },
});

/** A subresource can return another kind than its object: `Scale`. */
const resourceOf = ({ apiVersion = '', kind = '' }: ApiObject): NamedKind['resource'] => ({
  group: parseApiVersion(apiVersion)?.group ?? '',
  kind,
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
  const body = parsedPatch(text === '' ? await readText(patchFile, io) : text);
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
