import type { Work } from '../concurrency/index.ts';
import { jsonBytesToText } from './parse.ts';
import { JsonWalker } from './walk.ts';

interface Frame {
  /** The field, or position, of the container that the walk is at. */
  current: string | number;
  readonly names: Set<string> | undefined;
}

/** At most this many duplicates are reported: strict decoding only needs some of them for its error. */
const MAX_REPORTED = 100;

/**
 * Paths of fields that occur more than once in their object, each once, in order of appearance:
 * `['metadata.labels.a', 'spec.ports[0].name']`. Throws a JsonSyntaxError when the text is not JSON.
 */
export function findDuplicateKeys(bytes: Uint8Array): string[] {
  const { walker, found } = duplicatesWalk(bytes);
  walker.walk();
  return [...found];
}

/** As `findDuplicateKeys`, in pieces. */
export function* findDuplicateKeysInPieces(bytes: Uint8Array): Work<string[]> {
  const { walker, found } = duplicatesWalk(bytes);
  yield* walker.walkInPieces();
  return [...found];
}

/** A walk over the text, after which the duplicates are found. */
function duplicatesWalk(bytes: Uint8Array) {
  const found = new Set<string>();
  const stack: Frame[] = [];
  let here: Frame | undefined;
  const enter = (names: Frame['names']): void => {
    here = { current: '', names };
    stack.push(here);
  };
  const walker = new JsonWalker(jsonBytesToText(bytes), {
    enterObject: () => enter(new Set()),
    enterArray: () => enter(undefined),
    leave() {
      stack.pop();
      here = stack.at(-1);
    },
    item(position) {
      if (here !== undefined) here.current = position;
    },
    field(name) {
      if (here?.names === undefined) return;
      here.current = name;
      const { size } = here.names;
      if (here.names.add(name).size === size && found.size < MAX_REPORTED) found.add(pathOf(stack));
    },
  });
  return { walker, found };
}

/** The path of the place that the walk is at: built for duplicates only, since most texts have none. */
function pathOf(stack: readonly Frame[]): string {
  let path = '';
  for (const { current } of stack) {
    if (typeof current === 'number') path += `[${current}]`;
    else path += path === '' ? current : `.${current}`;
  }
  return path;
}
