import type { Work } from '../concurrency/index.ts';
import { jsonBytesToText } from './parse.ts';
import { JsonWalker } from './walk.ts';

interface Frame {
  /** Path of the container, and of the place in it that the walk is at. */
  readonly path: string;
  current: string;
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
  const here = (): string => stack[stack.length - 1]?.current ?? '';
  const walker = new JsonWalker(jsonBytesToText(bytes), {
    enterObject: () => void stack.push({ path: here(), current: here(), names: new Set() }),
    enterArray: () => void stack.push({ path: here(), current: here(), names: undefined }),
    leave: () => void stack.pop(),
    item(position) {
      const frame = stack[stack.length - 1];
      if (frame !== undefined) frame.current = `${frame.path}[${position}]`;
    },
    field(name) {
      const frame = stack[stack.length - 1];
      if (frame === undefined) return;
      frame.current = frame.path === '' ? name : `${frame.path}.${name}`;
      if (frame.names?.has(name) === true && found.size < MAX_REPORTED) found.add(frame.current);
      frame.names?.add(name);
    },
  });
  return { walker, found };
}
