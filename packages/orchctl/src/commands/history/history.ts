import type { ObjectChange } from '@orch/client';
import { jsonText } from '@orch/machinery/json';
import { humanAge } from '@orch/machinery/time';
import { encodeYaml } from '@orch/machinery/yaml';
import {
  choiceFlag,
  type FlagValues,
  switchFlag,
  textFlag,
  UsageError,
  wholeFlag,
} from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { allNamespacesFlag } from '../../cli/flag-sets.ts';
import type { TextOutput } from '../../io.ts';
import { type Style, styleOf } from '../../print/style.ts';
import { StyledTable } from '../../print/styled-table.ts';
import { readResourceWords } from '../../resources/resource-words.ts';
import { momentOf } from './moment.ts';
import { allChanges, fromHistory, namespaceOf } from './read-history.ts';

const section = 'Flags';

const flags = {
  ...allNamespacesFlag,
  limit: wholeFlag(
    { name: 'limit', help: 'Print the newest changes, at most this many; 0 prints all.', section },
    0,
    { least: 0, most: 1_000_000 },
  ),
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  output: choiceFlag(
    { name: 'output', short: 'o', help: 'The format of the output.', section },
    ['', 'wide', 'json', 'yaml'],
    '',
  ),
  since: textFlag({
    name: 'since',
    help: 'Only changes after this resourceVersion or time, or within this duration: 10m.',
    section,
  }),
} as const;

type Given = FlagValues<typeof flags>;

const SUBJECT_NEEDED = 'one type, or one object, must be named: TYPE, TYPE NAME or TYPE/NAME';

export const history = command({
  usage: 'history (TYPE [NAME] | TYPE/NAME) [flags]',
  about:
    'Prints the changes of an object, or of all objects of a type: when, by whom, and which fields. The newest is the first. The server keeps a history with --history-retention. Who may read an object may read its history; the history of secrets is kept only while they are encrypted at rest.\n\nWith the revisions in the output, get --at prints an earlier state, diff --at compares with it, and undo restores it.',
  examples: [
    { comment: 'The changes of a deployment', line: 'orchctl history deployment web' },
    { comment: 'With all fields', line: 'orchctl history deployment/web -o wide' },
    { comment: 'Of all config maps within the last hour', line: 'orchctl history configmaps --since=1h' },
  ],
  flags,
  async run({ flags: given, words, io, globals, session: open, signal }) {
    const since = given.since === '' ? undefined : momentOf('since', given.since, io.env.clock.now());
    const session = await open();
    if (words.length === 0) throw new UsageError(SUBJECT_NEEDED);
    const [named, ...more] = await readResourceWords(words, session.resources);
    const names = named?.names ?? [undefined];
    if (named === undefined || more.length > 0 || names.length !== 1) throw new UsageError(SUBJECT_NEEDED);
    const { resource } = named;
    const namespace = given.allNamespaces ? undefined : namespaceOf(resource, session);
    const limit = given.limit === 0 ? undefined : given.limit;
    const reading = session.client.history(resource, namespace).changes(names[0], { since, limit }, signal);
    const changes = await fromHistory(allChanges(reading));
    if (given.output === 'json') io.out.write(`${jsonText({ changes }, 4)}\n`);
    else if (given.output === 'yaml') io.out.write(encodeYaml({ changes }));
    else if (changes.length === 0) io.err.write('No changes found.\n');
    else
      printChanges(changes, given, {
        isCollection: names[0] === undefined,
        nowMs: io.env.clock.now(),
        style: styleOf(io, globals),
        out: io.out,
      });
    return 0;
  },
});

interface Shown {
  readonly isCollection: boolean;
  readonly nowMs: number;
  readonly style: Style;
  readonly out: TextOutput;
}

function printChanges(
  changes: readonly ObjectChange[],
  { output, noHeaders, allNamespaces }: Given,
  { isCollection, nowMs, style, out }: Shown,
): void {
  const isWide = output === 'wide';
  const header = [
    ...(allNamespaces ? ['NAMESPACE'] : []),
    ...(isCollection ? ['NAME'] : []),
    'REVISION',
    'AGE',
    'CHANGE',
    'USER',
    'MANAGER',
    ...(isWide ? ['TIME', 'VERB'] : []),
    'FIELDS',
  ];
  const rows = changes.map((change) => [
    ...(allNamespaces ? [change.namespace] : []),
    ...(isCollection ? [change.name] : []),
    change.revision,
    humanAge(nowMs - Date.parse(change.time)),
    change.change,
    userText(change),
    change.manager,
    ...(isWide ? [change.time, verbText(change)] : []),
    fieldsText(change, isWide ? Number.POSITIVE_INFINITY : SHOWN_FIELDS),
  ]);
  new StyledTable(header, style).print(out, rows, { hasHeader: !noHeaders });
}

const SHOWN_FIELDS = 3;

const verbText = ({ verb, subresource }: ObjectChange): string =>
  verb === '' ? '<none>' : subresource === '' ? verb : `${verb} ${subresource}`;

/** The user, and who acted as that user. */
export const userText = ({ user, impersonatedBy }: ObjectChange): string =>
  impersonatedBy === '' ? user : `${user} (by ${impersonatedBy})`;

/** The first changed fields, and the number of further ones. */
export function fieldsText({ fields, moreFields, note }: ObjectChange, shown = SHOWN_FIELDS): string {
  if (note !== '') return `<${note}>`;
  if (fields.length === 0) return '<none>';
  const more = moreFields + Math.max(0, fields.length - shown);
  return `${fields.slice(0, shown).join(',')}${more === 0 ? '' : ` + ${more} more`}`;
}
