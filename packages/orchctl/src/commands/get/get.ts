import { asBuffer } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { parseOutputFormat, withTemplate } from '../../print/output-format.ts';
import { getFlags } from './flags.ts';
import { getAt } from './get-at.ts';
import { printObjects } from './print-objects.ts';
import { printTables } from './print-tables.ts';
import { type GetFlags, readRequest } from './request.ts';
import { watchObjects } from './watch.ts';

export const get = command({
  usage: 'get (TYPE[,TYPE] [NAME...] | TYPE/NAME... | -f FILE | --raw PATH) [flags]',
  about:
    'Prints objects as a table of the server, or in the format of --output. A type is a plural, singular, short or kind name, optionally with version and group: deployments, deploy, deployments.v1.apps. A category such as all stands for several types.\n\nObjects that exist are printed also when others do not; the exit status is then 1.',
  examples: [
    { comment: 'The pods of the current namespace', line: 'orchctl get pods' },
    { comment: 'With more columns, of all namespaces', line: 'orchctl get pods -A -o wide' },
    { comment: 'One object as YAML', line: 'orchctl get service web -o yaml' },
    { comment: 'Several types', line: 'orchctl get services,endpoints' },
    {
      comment: 'Selected by label and field',
      line: "orchctl get pods -l 'app in (web, api)' --field-selector status.phase=Running",
    },
    {
      comment: 'Own columns',
      line: 'orchctl get namespaces -o custom-columns=NAME:.metadata.name,PHASE:.status.phase',
    },
    { comment: 'As it was an hour ago', line: 'orchctl get deployment web --at=1h -o yaml' },
    { comment: 'A path of the server', line: 'orchctl get --raw /readyz' },
  ],
  flags: getFlags,
  isBrief: true,
  async run(invocation) {
    const { flags, words, io } = invocation;
    if (flags.raw !== '' && flags.output !== '')
      throw new UsageError('--raw and --output are mutually exclusive');
    if (flags.raw !== '') return getRaw(invocation);
    if (words.length === 0 && flags.filename.length === 0)
      throw new UsageError(
        'you must specify the type of resource to get; run "orchctl api-resources" for a complete list of resources',
      );
    checkFlags(invocation);
    const format = parseOutputFormat({ ...flags, output: withTemplate(flags) }, io);
    if (flags.at !== '') return getAt(invocation, format);
    const request = await readRequest(invocation);
    if (flags.subresource !== '' && request.parts.some(({ names }) => names === undefined))
      throw new UsageError('--subresource requires the names of objects');
    if (flags.watch || flags.watchOnly) return watchObjects(invocation, request, format);
    return format.kind === 'table'
      ? printTables(invocation, request, format.isWide)
      : printObjects(invocation, request, format);
  },
});

function checkFlags({ flags, words }: Invocation<Parameters<typeof get.run>[0]['flags']>): void {
  const selects = flags.selector !== '' || flags.fieldSelector !== '';
  const hasNames = words.some((word) => word.includes('/')) || words.length > 1;
  if (selects && hasNames) throw new UsageError('name cannot be provided when a selector is specified');
  if (flags.filename.length > 0 && words.length > 0)
    throw new UsageError('types and names cannot be given together with --filename');
  if (flags.filename.length > 0 && selects)
    throw new UsageError('selectors cannot be given together with --filename');
  if (flags.allNamespaces && hasNames)
    throw new UsageError('a resource cannot be retrieved by name across all namespaces');
  if (flags.outputWatchEvents && !flags.watch && !flags.watchOnly)
    throw new UsageError('--output-watch-events option can only be used with --watch or --watch-only');
  if (!flags.serverPrint && (flags.watch || flags.watchOnly))
    throw new UsageError('--server-print=false cannot be used with --watch or --watch-only');
  if (flags.sortBy !== '' && (flags.watch || flags.watchOnly))
    throw new UsageError('--sort-by cannot be used with --watch or --watch-only');
}

/** Prints the response of a path as it is. */
async function getRaw({ flags, words, io, session, signal }: Invocation<GetFlags>): Promise<number> {
  if (words.length > 0) throw new UsageError('arguments may not be passed when --raw is specified');
  if (!flags.raw.startsWith('/')) throw new UsageError('--raw must be a path that begins with /');
  const body = await (await session()).client.rawBody(
    { method: 'GET', target: flags.raw, headers: { accept: 'application/json, */*' } },
    signal,
  );
  io.out.write(asBuffer(body).toString('utf8'));
  return 0;
}
