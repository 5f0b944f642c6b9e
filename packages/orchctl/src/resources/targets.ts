import type { DiscoveredResource } from '@orch/client';
import { asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import type { FileDocument } from '../files/documents.ts';
import { readObjectFiles } from '../files/read-files.ts';
import type { Io } from '../io.ts';
import type { Session } from '../session/session.ts';
import { allPages } from './all-pages.ts';
import { readResourceWords } from './resource-words.ts';

/** An object that a command works on. */
export interface Target {
  readonly resource: DiscoveredResource;
  /** Undefined for resources without namespaces. */
  readonly namespace: string | undefined;
  /** Empty for an object of a file with `generateName`. */
  readonly name: string;
  /** The object of the file; undefined for an object that is named by arguments. */
  readonly document: FileDocument | undefined;
}

/** Flags that select targets; those that a command does not have are absent. */
export interface TargetFlags {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly allNamespaces?: boolean;
  /** All objects of the types. */
  readonly all?: boolean;
  readonly allowsEmpty?: boolean;
}

export interface TargetRequest {
  readonly flags: TargetFlags;
  readonly words: readonly string[];
  readonly io: Io;
  readonly session: Session;
  readonly signal: AbortSignal;
}

/** The targets of a command line, from files or from arguments. Rejects when it names none. */
export async function readTargets(request: TargetRequest): Promise<readonly Target[]> {
  const { flags, words } = request;
  if (flags.filename.length > 0) {
    if (words.length > 0) throw new UsageError('types and names cannot be given together with --filename');
    if (flags.fieldSelector !== undefined && flags.fieldSelector !== '')
      throw new UsageError('--field-selector cannot be used together with --filename');
    return fileTargets(request);
  }
  if (words.length === 0)
    throw new UsageError('you must provide one or more resources by argument or --filename');
  return wordTargets(request);
}

/** The objects of files with their resources, in order. */
export async function fileTargets({
  flags,
  io,
  session,
}: Omit<TargetRequest, 'words'>): Promise<readonly Target[]> {
  return targetsOf(await readObjectFiles(flags, io), session);
}

/** The objects of documents with their resources. */
export const targetsOf = (documents: readonly FileDocument[], session: Session): Promise<readonly Target[]> =>
  Promise.all(documents.map((document) => targetOf(document, session)));

async function targetOf(document: FileDocument, session: Session): Promise<Target> {
  const { object, place } = document;
  const at = `${place.file}:${place.line}`;
  for (const field of ['apiVersion', 'kind'])
    if (asText(object[field]) === '') throw new CommandError(`${at}: ${field} is required`);
  const resource = await session.resources.ofKind(asText(object['apiVersion']), asText(object['kind']));
  const metadata = objectAt(object, 'metadata');
  const name = asText(metadata['name']);
  if (name === '' && asText(metadata['generateName']) === '' && !isAnswered(resource))
    throw new CommandError(`${at}: metadata.name is required`);
  return { resource, namespace: namespaceOf(metadata, resource, session), name, document };
}

/**
 * Reports whether objects of a resource are answered and not stored, such as access reviews, and therefore need no
 * name.
 */
export const isAnswered = ({ verbs }: Pick<DiscoveredResource, 'verbs'>): boolean =>
  verbs.includes('create') && !verbs.includes('get');

/** The namespace of an object of a file. One that contradicts the flag is refused, so that nothing is written elsewhere. */
function namespaceOf(
  metadata: JsonObject,
  resource: DiscoveredResource,
  session: Session,
): string | undefined {
  if (!resource.namespaced) return undefined;
  const own = asText(metadata['namespace']);
  if (own !== '' && session.isNamespaceGiven && own !== session.namespace)
    throw new CommandError(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(session.namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  return own === '' ? session.namespace : own;
}

async function wordTargets({ flags, words, session, signal }: TargetRequest): Promise<readonly Target[]> {
  const { selector = '', fieldSelector = '', allNamespaces = false, all = false } = flags;
  const selects = selector !== '' || fieldSelector !== '' || all;
  const targets: Target[] = [];
  for (const { resource, names } of await readResourceWords(words, session.resources)) {
    const namespace = resource.namespaced && !allNamespaces ? session.namespace : undefined;
    if (names !== undefined) {
      if (selects) throw new UsageError('name cannot be provided when a selector is specified');
      if (allNamespaces && resource.namespaced)
        throw new UsageError('a resource cannot be retrieved by name across all namespaces');
      targets.push(...names.map((name) => ({ resource, namespace, name, document: undefined })));
      continue;
    }
    if (!selects) throw new UsageError('resource(s) were provided, but no name was specified');
    const options = {
      ...(selector !== '' && { labelSelector: selector }),
      ...(fieldSelector !== '' && { fieldSelector }),
    };
    const objects = session.client.metadata(resource, namespace);
    for (const { items } of await allPages(500, (limit) => objects.pages({ ...options, ...limit }, signal)))
      for (const { metadata } of items)
        targets.push({
          resource,
          namespace: metadata.namespace,
          name: metadata.name ?? '',
          document: undefined,
        });
  }
  return targets;
}

/** `deployment.apps/web`, as output names objects. */
export const targetName = ({ resource, name }: NamedKind): string => `${kindName(resource)}/${name}`;

/** The kind in the name of an object in the output. */
export interface NamedKind {
  readonly resource: Pick<DiscoveredResource, 'kind' | 'group'>;
  readonly name: string;
}

/** `deployment.apps`. */
export const kindName = ({ kind, group }: NamedKind['resource']): string =>
  group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
