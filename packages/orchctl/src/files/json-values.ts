import type { TextPart } from '@orch/machinery/yaml';

/**
 * The concatenated JSON objects of a string, as programs print them: `{…}{…}`. One part for any other text, which may
 * be YAML.
 */
export function jsonValues({ text, line }: TextPart): readonly TextPart[] {
  const parts: TextPart[] = [];
  let [first, at, behind] = [text.search(/\S/), line, 0];
  while (first >= 0 && text[first] === '{') {
    const end = endOfObject(text, first);
    if (end === undefined) return [{ text, line }];
    at += lineBreaks(text.slice(behind, first));
    behind = first;
    parts.push({ text: text.slice(first, end), line: at });
    const next = text.slice(end).search(/\S/);
    first = next < 0 ? -1 : end + next;
  }
  const isComplete = parts.length > 1 && first < 0 && parts.every(isJson);
  return isComplete ? parts : [{ text, line }];
}

/** The position behind the brace that closes the one at `first`; undefined without one. Braces in strings do not count. */
function endOfObject(text: string, first: number): number | undefined {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  tokens.lastIndex = first;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') depth++;
    else if (token[0] === '}' && --depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

function isJson({ text }: TextPart): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;
