import { listFlag, switchFlag, textFlag, wholeFlag } from '@orch/program/flags';
import { allNamespacesFlag, fileFlags, selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { outputFlags } from '../../print/output-format.ts';

const section = 'Flags';

export const getFlags = {
  ...allNamespacesFlag,
  ...fileFlags,
  ...selectorFlags,
  ...showManagedFieldsFlag,
  ...outputFlags(section),
  template: textFlag({
    name: 'template',
    help: 'The template, or its file, of an --output that takes one; of go-template without --output.',
    section,
  }),
  at: textFlag({
    name: 'at',
    help: 'Print the object as it was at this resourceVersion or time, or this long ago: 10m. From the history of the server.',
    section,
  }),
  chunkSize: wholeFlag(
    {
      name: 'chunk-size',
      help: 'Read large lists in chunks of this many objects; 0 reads all at once.',
      section,
    },
    500,
    { least: 0, most: 1_000_000 },
  ),
  ignoreNotFound: switchFlag({
    name: 'ignore-not-found',
    help: 'Exit with status 0 when an object does not exist.',
    section,
  }),
  labelColumns: listFlag({
    name: 'label-columns',
    short: 'L',
    help: 'Labels to show as columns, separated by commas.',
    section,
  }),
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  outputWatchEvents: switchFlag({
    name: 'output-watch-events',
    help: 'Print the types of events with --watch and --watch-only.',
    section,
  }),
  raw: textFlag({ name: 'raw', help: 'Print the response of this path of the server.', section }),
  serverPrint: switchFlag(
    {
      name: 'server-print',
      help: 'The server makes the table; otherwise it has names and ages only.',
      section,
    },
    true,
  ),
  showKind: switchFlag({ name: 'show-kind', help: 'Print the kind of objects before their names.', section }),
  showLabels: switchFlag({ name: 'show-labels', help: 'Print all labels as the last column.', section }),
  sortBy: textFlag({
    name: 'sort-by',
    help: 'Sort by the value of this JSONPath expression, such as .metadata.name.',
    section,
  }),
  subresource: textFlag({ name: 'subresource', help: 'Print this subresource: status or scale.', section }),
  watch: switchFlag({
    name: 'watch',
    short: 'w',
    help: 'After the objects, print their changes until the command is interrupted.',
    section,
  }),
  watchOnly: switchFlag({
    name: 'watch-only',
    help: 'Print changes only, without the current objects.',
    section,
  }),
} as const;
