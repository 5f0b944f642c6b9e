import type { ApiObject } from '@orch/machinery';
import { asText, exactNumberText, type JsonObject, objectAt } from '@orch/machinery/json';
import { switchFlag } from '@orch/program/flags';
import { command } from '../../../cli/command.ts';
import { selectorFlags } from '../../../cli/flag-sets.ts';
import { CommandError } from '../../../command-error.ts';
import { bytesText, byUsage, cpuText, memoryText, readUsage, shareText, type Usage } from './amounts.ts';
import { readName, readSortBy, usageClient, usageFlags, usageTable } from './usage-client.ts';

const titles = ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'];
const swapTitles = ['SWAP(bytes)', 'SWAP(%)'];
const UNKNOWN = '<unknown>';

export const topNode = command({
  usage: 'top node [NAME | -l SELECTOR] [flags]',
  about:
    'Prints what nodes use, also as a share of what they offer to pods. The numbers come from the extension server of the metrics API.',
  examples: [
    { comment: 'All nodes, those with most memory first', line: 'orchctl top node --sort-by=memory' },
  ],
  flags: {
    ...usageFlags,
    selector: selectorFlags.selector,
    showCapacity: switchFlag({
      name: 'show-capacity',
      help: 'Shares of the capacity of nodes instead of what they offer to pods.',
      section: 'Flags',
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const sortBy = readSortBy(flags.sortBy);
    const name = readName('node', words, flags.selector !== '');
    const session = await open();
    const usages = await usageClient(session, 'nodes');
    const nodes = session.client.resource(await session.resources.ofKind('v1', 'Node'));
    const selection = flags.selector === '' ? {} : { labelSelector: flags.selector };
    const read = async (client: typeof usages): Promise<readonly ApiObject[]> =>
      name === undefined
        ? (await client.list(selection, signal)).items
        : [await client.get(name, {}, signal)];
    const measured = (await read(usages)).map(nodeUsage);
    if (measured.length === 0) throw new CommandError('metrics not available yet');
    const field = flags.showCapacity ? 'capacity' : 'allocatable';
    const available = new Map(
      (await read(nodes)).map((node) => [
        node.metadata.name ?? '',
        objectAt(node as unknown as JsonObject, 'status'),
      ]),
    );
    const sorted = measured.toSorted(
      byUsage(
        sortBy,
        ({ usage }) => usage,
        (node) => node.name,
      ),
    );
    const header = flags.showSwap ? [...titles, ...swapTitles] : titles;
    const rows = sorted.map((node) => {
      const status = available.get(node.name) ?? {};
      const row = nodeRow(node, objectAt(status, field));
      return flags.showSwap ? [...row, ...swapCells(node, status)] : row;
    });
    const known = new Set(measured.map((node) => node.name));
    const unknown = [...available.keys()].filter((node) => !known.has(node)).toSorted();
    const rest = unknown.map((node) => [node, ...header.slice(1).map(() => UNKNOWN)]);
    io.out.write(usageTable([...(flags.noHeaders ? [] : [header]), ...rows, ...rest]));
    return 0;
  },
});

interface NodeUsage {
  readonly name: string;
  readonly usage: Usage;
}

const nodeUsage = (object: ApiObject): NodeUsage => ({
  name: object.metadata.name ?? '',
  usage: readUsage(objectAt(object as unknown as JsonObject, 'usage')),
});

/** A node that does not report its allocatable amounts has no shares. */
function nodeRow({ name, usage }: NodeUsage, available: JsonObject): readonly string[] {
  const share = (resource: 'cpu' | 'memory'): readonly string[] => {
    const amount = asText(available[resource]);
    return amount === '' ? [] : [shareText(usage[resource], amount)];
  };
  return [name, cpuText(usage), ...share('cpu'), memoryText(usage), ...share('memory')];
}

/** The swap space that a node uses, also as a share of its own. */
function swapCells({ usage: { swap } }: NodeUsage, status: JsonObject): readonly string[] {
  const capacity = exactNumberText(objectAt(status, 'nodeInfo', 'swap')['capacity']) ?? '';
  const share =
    swap === undefined || capacity === '' || capacity === '0' ? UNKNOWN : shareText(swap, capacity);
  return [swap === undefined ? UNKNOWN : bytesText(swap), share];
}
