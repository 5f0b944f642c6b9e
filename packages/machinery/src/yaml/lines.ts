import { isNode, LineCounter, parseDocument } from 'yaml';

/**
 * Returns the line, from 1, of a field of a string; the line of the closest existing parent where the text has no such
 * field.
 */
export type LineOf = (path: readonly (string | number)[]) => number;

/**
 * Finds the lines of a string that `parseYaml` has read already, for messages about its content. For files of
 * configuration, not for requests: the text is parsed a second time.
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
