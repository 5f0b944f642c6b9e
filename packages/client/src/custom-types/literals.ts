const LINE_WIDTH = 110;

/** The source text of a plain value: scalars, regular expressions, lists and objects, without fields that are undefined. */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return enclosed(['[', ']'], { indent, parts: value.map((one) => literal(one, inner)) });
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${fieldName(name)}: ${literal(field, inner)}`);
  return parts.length === 0 ? '{}' : enclosed(['{', '}'], { indent, parts });
}

/** The source text of a string. It has one line, also where it is a comment. */
export const quoted = (text: string): string => {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
};

/** The name of a field in a type or an object. */
export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name);

/** A field with this name would set the prototype of the object. */
const fieldName = (name: string): string => (name === '__proto__' ? `['__proto__']` : propertyName(name));

function enclosed(
  [open, close]: readonly [string, string],
  { indent, parts }: { readonly indent: string; readonly parts: readonly string[] },
): string {
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (indent.length + line.length <= LINE_WIDTH && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;
}

/** A documentation comment, or nothing without a text. Lines stay as they are. */
export function comment(text: string, indent: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]?.trim()} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
