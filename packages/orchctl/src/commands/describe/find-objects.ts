import { isNotFound } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { reportFailure } from '../../cli/report-failure.ts';
import type { Io } from '../../io.ts';
import { allPages } from '../../resources/all-pages.ts';
import { type NamedResource, readResourceWords } from '../../resources/resource-words.ts';
import { fileTargets } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import type { DescribedName } from './describe-object.ts';

/** The objects that a command line selects. */
export interface Selection {
  readonly flags: {
    readonly filename: readonly string[];
    readonly recursive: boolean;
    readonly selector: string;
    readonly allNamespaces: boolean;
    readonly chunkSize: number;
  };
  readonly words: readonly string[];
  readonly io: Io;
  readonly session: Session;
  readonly signal: AbortSignal;
}

export interface FoundObjects {
  readonly objects: readonly DescribedName[];
  /** Whether their names begin with the given one, which no object has. */
  readonly isPrefix: boolean;
  /** 1 after objects that do not exist, which have been reported. */
  readonly status: number;
}

/** The objects to describe. Those that do not exist are reported on standard error. */
export async function findObjects(selection: Selection): Promise<FoundObjects> {
  const { flags, words, session } = selection;
  if (flags.filename.length > 0) return { objects: await fileTargets(selection), isPrefix: false, status: 0 };
  const objects: DescribedName[] = [];
  let status = 0;
  for (const part of await readResourceWords(words, session.resources)) {
    checkPart(part, selection);
    if (part.names === undefined) objects.push(...(await listed(part, selection)));
    for (const name of part.names ?? []) {
      const problem = await problemOf({ ...scoped(part, session), name }, selection);
      if (problem === undefined) objects.push({ ...scoped(part, session), name });
      else {
        const found = isNotFound(problem) && words.length === 2 ? await listed(part, selection) : [];
        const matching = found.filter((one) => one.name.startsWith(name));
        if (matching.length > 0) return { objects: matching, isPrefix: true, status: 0 };
        selection.io.err.write(`${reportFailure(problem).text}\n`);
        status = 1;
      }
    }
  }
  return { objects, isPrefix: false, status };
}

function checkPart({ names, resource }: NamedResource, { flags }: Selection): void {
  if (names === undefined) return;
  if (flags.selector !== '') throw new UsageError('name cannot be provided when a selector is specified');
  if (flags.allNamespaces && resource.namespaced)
    throw new UsageError('a resource cannot be retrieved by name across all namespaces');
}

const scoped = ({ resource }: NamedResource, session: Session) => ({
  resource,
  namespace: resource.namespaced ? session.namespace : undefined,
});

/** The reason why an object cannot be read; undefined if it can. */
async function problemOf(
  { resource, namespace, name }: DescribedName,
  { session, signal }: Selection,
): Promise<ApiError | undefined> {
  try {
    await session.client.metadata(resource, namespace).get(name, {}, signal);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** All objects of a resource that the flags select. */
async function listed(
  { resource }: NamedResource,
  { session, flags, signal }: Selection,
): Promise<readonly DescribedName[]> {
  const namespace = resource.namespaced && !flags.allNamespaces ? session.namespace : undefined;
  const options = flags.selector === '' ? {} : { labelSelector: flags.selector };
  const objects = session.client.metadata(resource, namespace);
  const found: DescribedName[] = [];
  for (const { items } of await allPages(flags.chunkSize, (limit) =>
    objects.pages({ ...options, ...limit }, signal),
  ))
    for (const { metadata } of items)
      found.push({ resource, namespace: metadata.namespace, name: metadata.name ?? '' });
  return found;
}
