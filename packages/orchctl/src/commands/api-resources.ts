import type { DiscoveredResource } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';
import { jsonText } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { choiceFlag, isGiven, listFlag, switchFlag, textFlag, withBareText } from '@orch/program/flags';
import { command } from '../cli/command.ts';
import { CommandError } from '../command-error.ts';
import { encodeKyaml } from '../print/kyaml.ts';
import { sortedFields } from '../print/sorted-fields.ts';
import { styleOf } from '../print/style.ts';
import { StyledTable } from '../print/styled-table.ts';

const section = 'Flags';

const flags = {
  apiGroup: textFlag({ name: 'api-group', help: 'Only resources of this group.', section }),
  cached: switchFlag({
    name: 'cached',
    help: 'Use the discovery of an earlier command if it is at most ten minutes old.',
    section,
  }),
  categories: listFlag({ name: 'categories', help: 'Only resources of these categories.', section }),
  namespaced: withBareText(
    choiceFlag(
      { name: 'namespaced', help: 'Only resources with (or without) a namespace.', section },
      ['', 'true', 'false'],
      '',
    ),
    'true',
  ),
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  output: choiceFlag(
    { name: 'output', short: 'o', help: 'The format of the output.', section },
    ['', 'wide', 'name', 'json', 'yaml', 'kyaml'],
    '',
  ),
  sortBy: choiceFlag(
    { name: 'sort-by', help: 'The order of the output.', section },
    ['', 'name', 'kind'],
    '',
  ),
  verbs: listFlag({ name: 'verbs', help: 'Only resources with all of these verbs.', section }),
} as const;

export const apiResources = command({
  usage: 'api-resources [flags]',
  about: 'Prints the resources that the server serves, each in its preferred version.',
  examples: [
    { comment: 'All resources', line: 'orchctl api-resources' },
    { comment: 'With verbs and categories', line: 'orchctl api-resources -o wide' },
    {
      comment: 'Names of resources without a namespace',
      line: 'orchctl api-resources --namespaced=false -o name',
    },
  ],
  flags,
  hasArguments: false,
  async run({ io, flags: given, globals, session }) {
    const { resources } = await session();
    const { preferred, failed } = given.cached
      ? { ...(await resources.known()), failed: new Map<string, string>() }
      : await resources.all();
    const selected = preferred.filter((one) => isSelected(one, given)).toSorted(orderOf(given.sortBy));
    if (given.output === 'name') {
      for (const one of selected) io.out.write(`${nameOf(one)}\n`);
    } else if (given.output !== '' && given.output !== 'wide') {
      io.out.write(documentText(given.output, selected));
    } else {
      const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
      const isWide = given.output === 'wide';
      if (isWide) header.push('VERBS', 'CATEGORIES');
      const rows = selected.map((one) => rowOf(one, isWide));
      const table = new StyledTable(header, styleOf(io, globals, { isWide }));
      table.print(io.out, rows, { hasHeader: !given.noHeaders });
    }
    if (failed.size === 0) return 0;
    const reasons = [...failed].map(([apiVersion, reason]) => `${apiVersion}: ${reason}`).join('; ');
    throw new CommandError(`unable to retrieve the complete list of server APIs: ${reasons}`);
  },
});

type Given = Parameters<typeof apiResources.run>[0]['flags'];

const isSelected = (one: DiscoveredResource, given: Given): boolean =>
  // The empty group is the core group.
  (!isGiven(given, 'api-group') || one.group === given.apiGroup) && isSelectedBy(one, given);

const isSelectedBy = (one: DiscoveredResource, { categories, namespaced, verbs }: Given): boolean =>
  categories.every((category) => one.categories.includes(category)) &&
  (namespaced === '' || String(one.namespaced) === namespaced) &&
  verbs.every((verb) => one.verbs.includes(verb));

/** The list of resources as a document of discovery, whose resources name their group and version. */
function documentText(format: 'json' | 'yaml' | 'kyaml', selected: readonly DiscoveredResource[]): string {
  const resources = selected.map(
    ({ resource: name, singular, namespaced, group, version, kind, verbs, shortNames, categories }) => ({
      ...{ name, singularName: singular, namespaced },
      ...(group !== '' && { group }),
      ...{ version, kind, verbs },
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
    }),
  );
  const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources };
  if (format === 'json') return `${jsonText(list, 4)}\n`;
  return format === 'yaml' ? encodeYaml(sortedFields(list)) : encodeKyaml(sortedFields(list));
}

const nameOf = (one: DiscoveredResource): string =>
  one.group === '' ? one.resource : `${one.resource}.${one.group}`;

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function orderOf(sortBy: Given['sortBy']): (a: DiscoveredResource, b: DiscoveredResource) => number {
  if (sortBy === 'name') return (a, b) => compared(a.resource, b.resource);
  if (sortBy === 'kind') return (a, b) => compared(a.kind, b.kind);
  return (a, b) => compared(a.group, b.group) || compared(a.resource, b.resource);
}

function rowOf(one: DiscoveredResource, isWide: boolean): readonly string[] {
  const { resource, shortNames, namespaced, kind, verbs, categories } = one;
  const row = [resource, shortNames.join(','), formatApiVersion(one), String(namespaced), kind];
  return isWide ? [...row, verbs.toSorted().join(','), categories.join(',')] : row;
}
