/** Fields and list positions only: `.spec.replicas`, `.spec.parts[0].size`. */
export const isSimpleJsonPath = (text: string): boolean =>
  /^(?:\.(?:[^\s.[\]{}'"\\]|\\.)+(?:\[-?\d{1,9}\])*)+$/.test(text);

/** Brackets that a filter may have within each other; nobody writes more than two. */
const MAX_DEPTH = 16;

const slice = /^-?\d{0,9}(?::-?\d{0,9}){0,2}$/;
const quotedKey = /^'(?:[^'\\]|\\.)*'$/;
const literal = /^(?:-?\d+(?:\.\d+)?|true|false|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")$/;

/** Position of the bracket that closes the one at `open`; -1 when there is none. Quoted text may hold brackets. */
function closing(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let at = open; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\') at++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '[' || char === '(') depth++;
    else if ((char === ']' || char === ')') && --depth === 0) return at;
  }
  return -1;
}

/** Parts of a text between commas outside of quotes. */
const union = (text: string): readonly string[] =>
  (text.match(/(?:'(?:[^'\\]|\\.)*'|[^,'])+/g) ?? ['']).map((part) => part.trim());

/** One side of a comparison: a literal, or a path from the item at hand. */
function operandProblem(text: string, depth: number): string | undefined {
  const operand = text.trim();
  if (literal.test(operand)) return undefined;
  return operand.startsWith('@') || operand.startsWith('$') || operand.startsWith('.')
    ? problemOf(operand, depth + 1)
    : `unrecognized operand ${JSON.stringify(operand.slice(0, 64))} in a filter`;
}

function filterProblem(condition: string, depth: number): string | undefined {
  const comparison = /^([^!<>=]+)([!<>=]{1,2})([^!<>=].*)$/s.exec(condition);
  if (comparison === null) {
    return /[!<>=]/.test(condition) ? 'a filter without both sides' : operandProblem(condition, depth);
  }
  const [, left = '', operator = '', right = ''] = comparison;
  if (!['<', '>', '==', '!=', '<=', '>='].includes(operator))
    return `unrecognized filter operator ${operator}`;
  return operandProblem(left, depth) ?? operandProblem(right, depth);
}

function bracketProblem(inner: string, depth: number): string | undefined {
  if (inner.startsWith('?(')) {
    return inner.endsWith(')') ? filterProblem(inner.slice(2, -1), depth) : 'unterminated filter';
  }
  for (const part of union(inner)) {
    if (part !== '*' && !slice.test(part) && !quotedKey.test(part)) {
      return `invalid array index ${JSON.stringify(part.slice(0, 64))}`;
    }
  }
  return inner.trim() === '' ? 'an array index without content' : undefined;
}

function problemOf(text: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return 'filters nested too deep';
  let at = /^[@$]/.test(text) ? 1 : 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '[') {
      const end = closing(text, at);
      if (end < 0 || text[end] !== ']') return 'unterminated array';
      const wrong = bracketProblem(text.slice(at + 1, end), depth);
      if (wrong !== undefined) return wrong;
      at = end + 1;
    } else if (char === '.') {
      at++;
      while (at < text.length && !/[\s.[\]{}'"]/.test(text[at] as string)) at += text[at] === '\\' ? 2 : 1;
    } else if (char === ' ') at++;
    else return `unrecognized character or identifier at ${JSON.stringify(text.slice(at, at + 64))}`;
  }
  return undefined;
}

/** What is wrong with a path into objects, as command line clients write it: `.status.parts[?(@.type=="a")].size`. */
export function jsonPathProblem(text: string): string | undefined {
  const wrong = problemOf(text, 0);
  return wrong === undefined ? undefined : `is an invalid JSON path: ${wrong}`;
}
