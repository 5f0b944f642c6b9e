import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { atLeast, LATEST, NEWEST_RELEASE, parseRelease, type Release } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { yamlLines } from '@orch/machinery/yaml';
import { choiceFlag, listFlag, switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import type { FileDocument } from '../../files/documents.ts';
import { readObjectFiles } from '../../files/read-files.ts';
import { columnText } from '../../print/columns.ts';
import { objectText } from '../../print/object-text.ts';
import type { Session } from '../../session/session.ts';
import { checkObject, type Finding, type ObjectCheck, type Upgrade } from '../../versions/check-object.ts';
import { clusterDocuments } from './cluster-documents.ts';
import { namesOfDocuments } from './names-of-documents.ts';

const section = 'Flags';

/** The release that servers under the naming of the product emulate by default. */
const SPECIFIED: Release = '1.24';

export const check = command({
  usage: 'check [--from=RELEASE] [--to=RELEASE] (FILE... | cluster) [flags]',
  about:
    'Reports what an upgrade from one release to another changes for the objects of files, or of the current cluster: versions that are not served any more, defaults that change, fields that are dropped or become required and values that the later release refuses, with file and line. Of a cluster, it checks the versions that clients used for their last writes, from managed fields and what client-side apply stored.\n\nThe exit status is 1 when something has to be changed, and 0 when there are deprecations only.',
  examples: [
    { comment: 'The files of a folder', line: 'orchctl check --from=1.21 --to=1.25 manifests/' },
    { comment: 'Write what has to change', line: 'orchctl check --from=1.21 --to=1.25 manifests/ --fix' },
    { comment: 'The current cluster', line: 'orchctl check --to=1.36 cluster' },
    { comment: 'A chart', line: 'helm template shop ./shop | orchctl check --to=1.36 -' },
  ],
  flags: {
    filename: listFlag({
      name: 'filename',
      short: 'f',
      help: 'Files and folders, also as arguments.',
      section,
    }),
    recursive: switchFlag({
      name: 'recursive',
      short: 'R',
      help: 'Read the subfolders of folders, too.',
      section,
    }),
    from: textFlag({
      name: 'from',
      help: `The release before the upgrade, such as 1.21; by default that of the cluster, and for files ${SPECIFIED}, or --to if that is earlier.`,
      section,
    }),
    to: textFlag({ name: 'to', help: `The release after the upgrade, or ${LATEST}.`, section }, LATEST),
    fix: switchFlag({
      name: 'fix',
      help: 'Write the files with replaced objects. Other objects and their comments are kept.',
      section,
    }),
    output: choiceFlag(
      { name: 'output', short: 'o', help: 'The format of the output.', section },
      ['text', 'json'],
      'text',
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
    const filename = [...flags.filename, ...words];
    if (filename.length === 0) throw new UsageError('name files, folders, or cluster');
    const isCluster = filename.length === 1 && filename[0] === 'cluster';
    if (isCluster && flags.fix) throw new UsageError('--fix is for files');
    const releases = await releasesOf(invocation, isCluster);
    const { documents, unrecorded, naming } = isCluster
      ? await clusterDocuments(invocation)
      : {
          documents: await readObjectFiles({ filename, recursive: flags.recursive }, io),
          unrecorded: 0,
          naming: flags.naming,
        };
    const names = await namesOfDocuments(documents, naming, invocation);
    const checked = documents.map((document) => ({
      document,
      check: checkObject(document.object, { ...releases, names: names(document) }),
    }));
    const located = checked.flatMap(({ document, check: { findings } }) =>
      locate(document, isCluster ? findings.filter(isAboutVersion) : findings),
    );
    report(invocation, located, { count: documents.length, isCluster });
    if (unrecorded > 0)
      io.err.write(
        `Warning: ${unrecorded} objects do not record the version of their last write; check the files of their clients\n`,
      );
    if (flags.fix) writeFixed(invocation, checked);
    return located.some(({ kind }) => kind !== 'deprecated') && !flags.fix ? 1 : 0;
  },
});

/** Of objects of a cluster, only the version is known. */
const isAboutVersion = ({ field }: Finding): boolean => field === 'apiVersion';

type Given = Parameters<typeof check.run>[0]['flags'];

const releaseNamed = (text: string): Release | undefined =>
  text === LATEST ? NEWEST_RELEASE : parseRelease(text);

/** The releases of the flags. Of a cluster, its own release is the first one by default. */
async function releasesOf(
  { flags: { from, to }, session, signal }: Invocation<Given>,
  isCluster: boolean,
): Promise<Pick<Upgrade, 'from' | 'to'>> {
  const last = releaseNamed(to);
  if (last === undefined) throw new UsageError(`--to must be ${LATEST} or a release such as 1.25`);
  if (from === '' && !isCluster) return { from: atLeast(last, SPECIFIED) ? SPECIFIED : last, to: last };
  const text = from === '' ? await servedRelease(await session(), signal) : from;
  const first = releaseNamed(text);
  if (first === undefined)
    throw new UsageError(
      from === ''
        ? `the server has the unknown release ${JSON.stringify(text)}; name one by --from`
        : '--from must be a release such as 1.21',
    );
  if (!atLeast(last, first))
    throw new UsageError(
      `--to must not be before ${from === '' ? 'the release of the cluster' : '--from'}: ${to} is before ${text}`,
    );
  return { from: first, to: last };
}

/** The release of the API that a server serves, such as `1.24`. */
async function servedRelease({ client }: Session, signal: AbortSignal): Promise<string> {
  const answer = await client.raw({ method: 'GET', target: '/version', headers: {} }, signal);
  const { major, minor } = asObject(answer);
  // Some servers append a sign: `24+`.
  return `${asText(major)}.${/^\d+/.exec(asText(minor))?.[0] ?? ''}`;
}

interface LocatedFinding extends Finding {
  readonly file: string;
  readonly line: number;
  readonly object: string;
}

/** Findings with the lines of their fields. */
function locate(
  { object, place, text }: FileDocument,
  findings: readonly Finding[],
): readonly LocatedFinding[] {
  if (findings.length === 0) return [];
  const lineOf = text === '' ? () => 1 : yamlLines(text);
  const { kind, metadata } = object as unknown as ApiObject;
  // The text of a document begins before its first line with content.
  const offset = place.line - (text === '' ? 1 : lineOf([]));
  return findings.map((finding) => ({
    ...finding,
    file: place.file,
    line: lineOf(stepsOf(finding.field)) + offset,
    object: `${kind} ${metadata?.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata?.name ?? ''}`,
  }));
}

const stepsOf = (field: string): readonly (string | number)[] =>
  (field.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));

function report(
  { flags, io }: Invocation<Given>,
  located: readonly LocatedFinding[],
  { count, isCluster }: { readonly count: number; readonly isCluster: boolean },
): void {
  if (flags.output === 'json') {
    io.out.write(`${JSON.stringify({ objects: count, findings: located }, undefined, 2)}\n`);
    return;
  }
  const rows = located.map(({ file, line, object, kind, message }) => [
    isCluster ? file : `${file}:${line}`,
    object,
    kind,
    message,
  ]);
  const place = isCluster ? 'CLIENT' : 'PLACE';
  if (rows.length > 0) io.out.write(columnText([[place, 'OBJECT', 'CHANGE', 'MESSAGE'], ...rows]));
  io.err.write(`checked objects: ${count}, findings: ${rows.length}\n`);
}

interface Checked {
  readonly document: FileDocument;
  readonly check: ObjectCheck;
}

/** Writes each file with a replaced object. Documents without findings keep their text. */
function writeFixed({ io }: Invocation<Given>, checked: readonly Checked[]): void {
  for (const [file, parts] of Map.groupBy(checked, ({ document }) => document.place.file)) {
    if (file === 'STDIN' || !parts.some(({ check: { fixed } }) => fixed !== undefined)) continue;
    const isJson = file.endsWith('.json');
    const texts = parts.map(({ document, check: { fixed } }) => {
      const kind = isJson ? 'json' : 'yaml';
      if (fixed !== undefined) return objectText({ kind }, { objects: [fixed], isList: false });
      return `${document.text.trim()}\n`;
    });
    writeFileSync(resolve(io.folder, file), texts.join('---\n'));
    io.err.write(`${file} written\n`);
  }
}
