import type { SyntaxNode, Tree } from '@lezer/common';

/** A part of a text, from its first character to before its last one. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a field is in YAML: `spec.containers[0].image`, `metadata.labels[example.com/a]`. Of a field that is not there, the nearest one
 * around it; the start of the text where there is none.
 */
export function rangeOfField(tree: Tree, text: string, field: string): TextRange {
  let range: TextRange = { from: 0, to: 0 };
  let value = tree.topNode.getChild('Document')?.firstChild ?? null;
  for (const step of stepsOf(field)) {
    const found = value === null ? undefined : childOf(value, text, step);
    if (found === undefined) return range;
    range = found.range;
    value = found.value;
  }
  return range;
}

/** The names and numbers of a path. Text in brackets is a number or a key. */
const stepsOf = (field: string): readonly string[] =>
  [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, name]) =>
    (inBrackets ?? name ?? '').replace(/^"(.*)"$/, '$1'),
  );

interface Child {
  readonly range: TextRange;
  readonly value: SyntaxNode | null;
}

function childOf(value: SyntaxNode, text: string, step: string): Child | undefined {
  if (value.name === 'BlockMapping' || value.name === 'FlowMapping') {
    const pair = value.getChildren('Pair').find((each) => keyOf(each, text) === step);
    const key = pair?.getChild('Key');
    return pair === undefined || key === null || key === undefined
      ? undefined
      : { range: { from: key.from, to: key.to }, value: lastValue(pair) };
  }
  if (!/^\d+$/.test(step)) return undefined;
  const item = value.getChildren('Item')[Number(step)];
  return item === undefined ? undefined : { range: firstLine(item, text), value: lastValue(item) };
}

const keyOf = (pair: SyntaxNode, text: string): string => {
  const key = pair.getChild('Key');
  return key === null ? '' : text.slice(key.from, key.to).replace(/^(["'])(.*)\1$/, '$2');
};

/** The last child: those before it are the key, marks and properties. */
const lastValue = (node: SyntaxNode): SyntaxNode | null => {
  const last = node.lastChild;
  return last === null || ['Key', ':', '-', '?'].includes(last.name) ? null : last;
};

/** What stands on the line of an item of a list; its dash where that is nothing. */
function firstLine({ from, to }: SyntaxNode, text: string): TextRange {
  const [line = ''] = text.slice(from, to).split('\n', 1);
  const start = from + line.length - line.trimStart().length;
  return line.trim() === ''
    ? { from: Math.max(0, from - 1), to: from }
    : { from: start, to: from + line.length };
}
