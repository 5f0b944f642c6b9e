import type { KindVersion } from '@orch/apis';
import { type ApiObject, parseApiVersion } from '@orch/machinery';
import { choiceFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import type { FileDocument } from '../../files/documents.ts';
import { readObjectFiles } from '../../files/read-files.ts';
import { type ObjectFormat, objectText } from '../../print/object-text.ts';
import { convertObject } from '../../versions/convert-object.ts';
import { type FoundVersion, findVersion, versionText } from '../../versions/find-version.ts';
import { namesOfDocuments } from './names-of-documents.ts';

const section = 'Flags';

export const convert = command({
  usage: 'convert -f FILE [--output-version=GROUP/VERSION] [flags]',
  about:
    'Prints the objects of files in another version of their kind, from the declarations of all releases in this program. A configured server is asked only for its naming, where the files do not tell theirs. Defaults that differ between the versions are written out, so that objects keep their meaning. Fields without an equivalent are reported on standard error. Objects of other kinds are printed unchanged.',
  examples: [
    { comment: 'In the most stable version', line: 'orchctl convert -f ingress.yaml' },
    { comment: 'In a certain version', line: 'orchctl convert -f cronjob.yaml --output-version=batch/v1' },
  ],
  flags: {
    ...fileFlags,
    outputVersion: textFlag({
      name: 'output-version',
      help: 'The group and version, such as apps/v1; the most stable version of each kind when absent.',
      section,
    }),
    output: choiceFlag(
      { name: 'output', short: 'o', help: 'The format of the output.', section },
      ['yaml', 'json'],
      'yaml',
    ),
    naming: choiceFlag(
      {
        name: 'naming',
        help: 'The naming of kinds whose group has one name under both; by default that of the other objects of the file, or of the configured server.',
        section,
      },
      ['', 'orch', 'kubernetes'],
      '',
    ),
  },
  async run(invocation) {
    const { flags, words, io } = invocation;
    if (words.length > 0) throw new UsageError('objects are given by --filename');
    if (flags.filename.length === 0) throw new UsageError('must specify --filename');
    const documents = await readObjectFiles(flags, io);
    const names = await namesOfDocuments(documents, flags.naming, invocation);
    const objects = documents.map((document) => {
      const found = findVersion(document.object, names(document));
      if (found === undefined) return document.object as unknown as ApiObject;
      const { object, dropped } = convertObject(
        document.object,
        found,
        targetOf(found, flags.outputVersion, document),
      );
      for (const field of dropped)
        io.err.write(
          `Warning: ${placeOf(document)}: ${field} has no equivalent in ${object.apiVersion} and is dropped\n`,
        );
      return object;
    });
    io.out.write(textOf({ kind: flags.output }, objects));
    return 0;
  },
});

const placeOf = ({ place }: FileDocument): string => `${place.file}:${place.line}`;

/** YAML documents in one file, or a JSON list. */
const textOf = (format: ObjectFormat, objects: readonly ApiObject[]): string =>
  format.kind === 'yaml'
    ? objects.map((object) => objectText(format, { objects: [object], isList: false })).join('---\n')
    : objectText(format, { objects, isList: objects.length > 1 });

/** The version of the flag, or the most stable one: of the group of the object, if that has a stable one. */
function targetOf(found: FoundVersion, text: string, document: FileDocument): KindVersion {
  const { type, names } = found;
  if (text === '') return mostStable(found);
  const parsed = parseApiVersion(text);
  const group = parsed === undefined ? undefined : parsed.group === '' ? '' : names.groupKey(parsed.group);
  const target = type.versions.find(
    (one) => one.version === parsed?.version && (one.group ?? type.group) === group,
  );
  if (target !== undefined) return target;
  throw new CommandError(
    `${placeOf(document)}: ${versionText(found)} cannot be converted to ${text}; its versions are ${versionsOf(found)}`,
  );
}

function mostStable({ type, version }: FoundVersion): KindVersion {
  const isStable = (one: KindVersion): boolean => /^v\d+$/.test(one.version);
  const inGroup = type.versions.find((one) => one.group === version.group && isStable(one));
  return inGroup ?? type.versions[0] ?? version;
}

const versionsOf = ({ type, names }: FoundVersion): string =>
  type.versions.map((one) => names.apiVersion(one.group ?? type.group, one.version)).join(', ');
