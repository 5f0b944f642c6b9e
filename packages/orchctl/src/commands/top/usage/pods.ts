import type { ApiObject } from '@orch/machinery';
import { asObjects, asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../../cli/command.ts';
import { allNamespacesFlag, selectorFlags } from '../../../cli/flag-sets.ts';
import { CommandError } from '../../../command-error.ts';
import type { Session } from '../../../session/session.ts';
import {
  addUsage,
  bytesText,
  byUsage,
  cpuText,
  memoryText,
  noUsage,
  readUsage,
  type Usage,
} from './amounts.ts';
import { readName, readSortBy, usageClient, usageFlags, usageTable } from './usage-client.ts';

const section = 'Flags';

/** The metrics of a pod may take this long after its creation. */
const NEW_MS = 120_000;

const flags = {
  ...usageFlags,
  ...selectorFlags,
  ...allNamespacesFlag,
  containers: switchFlag({ name: 'containers', help: 'Print what each container uses.', section }),
  sum: switchFlag({ name: 'sum', help: 'Print the sum after the rows.', section }),
} as const;

export const topPod = command({
  usage: 'top pod [NAME | -l SELECTOR] [flags]',
  about:
    'Prints what pods or their containers use. The numbers come from the extension server of the metrics API, which may take some minutes after the creation of a pod.',
  examples: [
    { comment: 'The pods of all namespaces, with their sum', line: 'orchctl top pod -A --sum' },
    { comment: 'The containers of a pod', line: 'orchctl top pod web --containers' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, session: open, signal } = invocation;
    const sortBy = readSortBy(given.sortBy);
    const name = readName('pod', words, given.selector !== '' || given.fieldSelector !== '');
    if (name !== undefined && given.allNamespaces)
      throw new UsageError('a resource cannot be retrieved by name across all namespaces');
    const session = await open();
    const client = await usageClient(session, 'pods', given.allNamespaces ? undefined : session.namespace);
    const items =
      name === undefined
        ? (await client.list(selectionOf(given), signal)).items
        : [await client.get(name, {}, signal)];
    if (items.length === 0) {
      await checkAges(invocation, session);
      const place = given.allNamespaces ? '' : ` in ${session.namespace} namespace.`;
      io.err.write(`No resources found${place}\n`);
      return 0;
    }
    const pods = items.map(podUsage).toSorted(byUsage(sortBy, ({ usage }) => usage, sortName));
    io.out.write(podTable(pods, { ...given, sortBy }));
    return 0;
  },
});

type Given = Invocation<Parameters<typeof topPod.run>[0]['flags']>['flags'];

const selectionOf = ({ selector, fieldSelector }: Pick<Given, 'selector' | 'fieldSelector'>) => ({
  ...(selector !== '' && { labelSelector: selector }),
  ...(fieldSelector !== '' && { fieldSelector }),
});

/** Fails when there are pods without metrics that are not new. */
async function checkAges(
  { flags: given, io, signal }: Pick<Invocation<Given>, 'flags' | 'io' | 'signal'>,
  session: Session,
): Promise<void> {
  const pods = session.client.resource(
    await session.resources.ofKind('v1', 'Pod'),
    given.allNamespaces ? undefined : session.namespace,
  );
  const { items } = await pods.list(selectionOf(given), signal);
  for (const { metadata } of items) {
    const ageMs = io.env.clock.now() - Date.parse(asText(metadata.creationTimestamp));
    if (ageMs > NEW_MS)
      throw new CommandError(
        `Metrics not available for pod ${metadata.namespace}/${metadata.name}, age: ${Math.round(ageMs / 1000)}s`,
      );
  }
}

interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

interface PodUsage extends ContainerUsage {
  readonly namespace: string;
  readonly containers: readonly ContainerUsage[];
}

const sortName = ({ namespace, name }: PodUsage): string => `${namespace}/${name}`;

function podUsage(object: ApiObject): PodUsage {
  const containers = asObjects((object as unknown as JsonObject)['containers']).map((container) => ({
    name: asText(container['name']),
    usage: readUsage(objectAt(container, 'usage')),
  }));
  const usage = containers.map((one) => one.usage).reduce(addUsage, noUsage);
  const { name = '', namespace = '' } = object.metadata;
  return { name, namespace, containers, usage };
}

type TableFlags = Pick<Given, 'allNamespaces' | 'containers' | 'noHeaders' | 'showSwap' | 'sum'> & {
  readonly sortBy: '' | 'cpu' | 'memory';
};

function podTable(pods: readonly PodUsage[], options: TableFlags): string {
  const { allNamespaces, containers, noHeaders, showSwap, sum, sortBy } = options;
  const titles = [...(allNamespaces ? ['NAMESPACE'] : []), ...(containers ? ['POD'] : []), 'NAME'];
  const columns = ['CPU(cores)', 'MEMORY(bytes)', ...(showSwap ? ['SWAP(bytes)'] : [])];
  const amounts = (usage: Usage): readonly string[] => [
    ...[cpuText(usage), memoryText(usage)],
    ...(showSwap ? [usage.swap === undefined ? '0Mi' : bytesText(usage.swap)] : []),
  ];
  const ofPod = (pod: PodUsage): readonly (readonly string[])[] => {
    const place = allNamespaces ? [pod.namespace] : [];
    if (!containers) return [[...place, pod.name, ...amounts(pod.usage)]];
    return pod.containers
      .toSorted(
        byUsage(
          sortBy,
          ({ usage }) => usage,
          ({ name }) => name,
        ),
      )
      .map((one) => [...place, pod.name, one.name, ...amounts(one.usage)]);
  };
  const blanks = titles.map(() => '');
  const total = pods.map(({ usage }) => usage).reduce(addUsage, noUsage);
  return usageTable([
    ...(noHeaders ? [] : [[...titles, ...columns]]),
    ...pods.flatMap(ofPod),
    ...(sum
      ? [
          [...blanks, ...columns.map(() => '________')],
          [...blanks, ...amounts(total)],
        ]
      : []),
  ]);
}
