import type { DiscoveredResource } from '@orch/client';
import { asText, objectAt } from '@orch/machinery/json';
import type { FlagValues } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { readObjectFiles } from '../../files/read-files.ts';
import { readResourceWords } from '../../resources/resource-words.ts';
import type { Session } from '../../session/session.ts';
import type { getFlags } from './flags.ts';

export type GetFlags = FlagValues<typeof getFlags>;

/** Objects of one resource in one namespace to print. */
export interface GetPart {
  readonly resource: DiscoveredResource;
  /** Undefined for all namespaces, and for resources without. */
  readonly namespace: string | undefined;
  /** Undefined for all that the selectors select. */
  readonly names: readonly string[] | undefined;
}

interface NamedPart extends GetPart {
  readonly names: readonly string[];
}

export interface GetRequest {
  readonly session: Session;
  readonly parts: readonly GetPart[];
  /** Whether exactly one object is named: it is printed alone, not as a list. */
  readonly isSingle: boolean;
}

/** The request of a command line. */
export async function readRequest(invocation: Invocation<GetFlags>): Promise<GetRequest> {
  const { flags, words } = invocation;
  const session = await invocation.session();
  const parts =
    flags.filename.length > 0
      ? await filesParts(invocation, session)
      : await wordParts(words, flags, session);
  const named = parts.reduce((count, { names }) => count + (names?.length ?? 2), 0);
  return { session, parts, isSingle: named === 1 };
}

async function wordParts(
  words: readonly string[],
  { allNamespaces }: GetFlags,
  { resources, namespace }: Session,
): Promise<readonly GetPart[]> {
  return (await readResourceWords(words, resources)).map(({ resource, names }) => ({
    resource,
    namespace: resource.namespaced && !allNamespaces ? namespace : undefined,
    names,
  }));
}

async function filesParts(
  { flags, io }: Invocation<GetFlags>,
  session: Session,
): Promise<readonly NamedPart[]> {
  const documents = await readObjectFiles(flags, io);
  const parts = await Promise.all(
    documents.map(async ({ object, place }) => {
      const resource = await session.resources.ofKind(asText(object['apiVersion']), asText(object['kind']));
      const metadata = objectAt(object, 'metadata');
      const name = asText(metadata['name']);
      if (name === '') throw new CommandError(`${place.file}:${place.line}: metadata.name is required`);
      const own = asText(metadata['namespace']);
      const namespace = resource.namespaced ? own || session.namespace : undefined;
      return { resource, namespace, names: [name] };
    }),
  );
  return joined(parts);
}

/** Joins neighbouring objects of one resource and namespace into one part, whose table has one header. */
function joined(parts: readonly NamedPart[]): readonly NamedPart[] {
  const all: NamedPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const isSame = last?.resource === part.resource && last.namespace === part.namespace;
    if (isSame) all[all.length - 1] = { ...part, names: [...last.names, ...part.names] };
    else all.push(part);
  }
  return all;
}
