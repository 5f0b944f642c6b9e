import { type Completion, nothing, words } from './candidate.ts';
import type { Sources } from './sources.ts';

export interface ArgumentRequest {
  readonly current: string;
  readonly sources: Sources;
  /** The arguments before the cursor that are not flags. */
  readonly words: readonly string[];
}

/** The kinds of arguments, by the word of the usage. */
const kinds = ['POD', 'TYPE', 'CONTEXT', 'CLUSTER', 'USER', 'REQUEST', 'FILE'] as const;
type ArgumentKind = (typeof kinds)[number];

/** Completes an argument of a command, as its usage describes it. */
export function completeArgument(usage: string, request: ArgumentRequest): Promise<Completion> {
  const kind = kindOf(usage);
  const { sources, words: before, current } = request;
  switch (kind) {
    case 'TYPE':
      return completeObject(usage, request);
    case 'POD':
      if (current.includes('/')) return namesBehindSlash(current, sources);
      return before.length > 0 ? Promise.resolve(nothing) : sources.names('pods').then(words);
    case 'CONTEXT':
      return sources.configured('contexts').then(words);
    case 'CLUSTER':
      return sources.configured('clusters').then(words);
    case 'USER':
      return sources.configured('users').then(words);
    case 'REQUEST':
      return sources.names('certificatesigningrequests').then(words);
    case 'FILE':
      return Promise.resolve({ candidates: [], withFiles: true });
    case undefined:
      return Promise.resolve(nothing);
  }
}

/** The kind of the arguments of a usage. Values of flags are none. */
function kindOf(usage: string): ArgumentKind | undefined {
  const withoutFlags = usage.replaceAll(/(?<=[\s[(|])--?[\w-]+[= ](?:\[?[A-Z_/,.]+\]?)/g, '');
  return kinds.find((kind) => new RegExp(`\\b${kind}\\b`).test(withoutFlags));
}

/** `TYPE`, `TYPE,TYPE`, `TYPE NAME…`, `TYPE/NAME…`; behind a verb in `auth can-i VERB TYPE`. */
async function completeObject(usage: string, request: ArgumentRequest): Promise<Completion> {
  const { current, sources } = request;
  const hasVerb = usage.includes('VERB');
  if (hasVerb && request.words.length === 0) return words(verbs);
  const [type, ...names] = hasVerb ? request.words.slice(1) : request.words;
  if (current.includes('/')) return namesBehindSlash(current, sources);
  if (type === undefined) return types(current, sources);
  if (type.includes('/') || type.includes(',') || !usage.includes('NAME')) return nothing;
  return words((await sources.names(type)).filter((name) => !names.includes(name)));
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Names of resources; after a comma, the last one of a list. */
async function types(current: string, sources: Sources): Promise<Completion> {
  const prefix = current.slice(0, current.lastIndexOf(',') + 1);
  const all = await sources.resources();
  const isUnique = (name: string): boolean => all.filter(({ resource }) => resource === name).length === 1;
  return {
    candidates: all
      .map(({ resource, group, kind }) => ({
        word: `${prefix}${isUnique(resource) || group === '' ? resource : `${resource}.${group}`}`,
        description: kind,
      }))
      .toSorted((a, b) => (a.word < b.word ? -1 : 1)),
  };
}

async function namesBehindSlash(current: string, sources: Sources): Promise<Completion> {
  const type = current.slice(0, current.indexOf('/'));
  return words((await sources.names(type)).map((name) => `${type}/${name}`));
}
