import { resolve } from 'node:path';
import { builtinResources, type TypedResource } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type FlagValues, listFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { hidesManagedFields, type ObjectFormat } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat, withTemplate } from '../../print/output-format.ts';
import type { Session } from '../../session/session.ts';
import { folderOutput, standardOutput } from './dump-output.ts';
import { DumpParts } from './dump-parts.ts';

const section = 'Flags';

const dumpFlags = {
  ...allNamespacesFlag,
  ...showManagedFieldsFlag,
  namespaces: listFlag({ name: 'namespaces', help: 'Namespaces, separated by commas.', section }),
  ...outputFlags(section),
  template: textFlag({
    name: 'template',
    help: 'The template, or its file, of an --output that takes one.',
    section,
  }),
  outputDirectory: textFlag({
    name: 'output-directory',
    help: 'Write files into this folder; - is standard output.',
    section,
  }),
} as const;

type DumpInvocation = Invocation<FlagValues<typeof dumpFlags>>;

export const dump = command({
  usage: 'cluster-info dump [--output-directory=FOLDER] [flags]',
  about:
    'Prints what is needed to find a fault of the cluster: the nodes, and of each namespace the events, replication controllers, services, daemon sets, deployments, replica sets and pods with the logs of their containers. The namespaces are those of the system and of the context.\n\nWith --output-directory, each list and each log is a file, which only the user can read. A kind that the server does not serve is left out, and a log that cannot be read is replaced by its error. Secrets are not read, but environment variables and logs may hold credentials.',
  examples: [
    { comment: 'To standard output', line: 'orchctl cluster-info dump' },
    {
      comment: 'All namespaces as YAML, into files of a folder',
      line: 'orchctl cluster-info dump -A -o yaml --output-directory=state',
    },
    { comment: 'Some namespaces', line: 'orchctl cluster-info dump --namespaces=default,shop' },
  ],
  flags: dumpFlags,
  hasArguments: false,
  async run(invocation) {
    const { flags, io, signal } = invocation;
    const format = formatOf(invocation);
    const session = await invocation.session();
    const toFolder = flags.outputDirectory !== '' && flags.outputDirectory !== '-';
    const { core, apps } = builtinResources(session.names);
    const { nodes, pods } = core.v1;
    const lists: Readonly<Record<string, TypedResource<ApiObject>>> = {
      events: core.v1.events,
      'replication-controllers': core.v1.replicationcontrollers,
      services: core.v1.services,
      ...{ daemonsets: apps.v1.daemonsets, deployments: apps.v1.deployments },
      replicasets: apps.v1.replicasets,
    };
    const output = toFolder ? folderOutput(resolve(io.folder, flags.outputDirectory)) : standardOutput(io);
    const hidesFields = !flags.showManagedFields && hidesManagedFields(format);
    const parts = new DumpParts({ format, hidesFields, separates: !toFolder, session, output, signal });
    await parts.list(nodes, ['nodes']);
    for (const namespace of await namespacesOf(invocation, session)) {
      for (const [name, resource] of Object.entries(lists)) await parts.list(resource, [namespace, name]);
      for (const pod of await parts.list(pods, [namespace, 'pods'])) await parts.logs(pod, namespace);
    }
    if (toFolder) io.out.write(`Cluster info dumped to ${flags.outputDirectory}\n`);
    return 0;
  },
});

function formatOf({ flags, io }: DumpInvocation): ObjectFormat {
  const text = withTemplate(flags);
  const format = parseOutputFormat({ ...flags, output: text === '' ? 'json' : text }, io);
  if (format.kind === 'table' || format.kind === 'columns' || format.kind === 'name')
    throw new UsageError(
      `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,yaml`,
    );
  return format;
}

async function namespacesOf({ flags, signal }: DumpInvocation, session: Session): Promise<readonly string[]> {
  const { client, names, namespace } = session;
  if (flags.allNamespaces) {
    const { items } = await client.resource(builtinResources(names).core.v1.namespaces).list({}, signal);
    return items.map(({ metadata }) => metadata.name ?? '');
  }
  return [...new Set(flags.namespaces.length > 0 ? flags.namespaces : [names.namespaces.system, namespace])];
}
