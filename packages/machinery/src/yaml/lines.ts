import { isNode, LineCounter, parseDocument } from 'yaml';

/** Tells on which line, from 1, a field of a text stands; the line of what is around it where it does not stand. */
export type LineOf = (path: readonly (string | number)[]) => number;

/**
 * Finds the lines of a text that `parseYaml` has read already, for messages about its content. For files of
 * configuration, not for requests: the text is taken apart once more.
 */
export function yamlLines(text: string): LineOf {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: '1.1', lineCounter: lines, uniqueKeys: false });
  return (path) => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
}
