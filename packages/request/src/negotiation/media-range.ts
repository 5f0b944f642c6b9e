/** An entry of an Accept header, or a Content-Type: lower-case type, parameters, quality. */
export interface MediaRange {
  /** `application/json`, `application/*` or any. */
  readonly type: string;
  /** Without `q`. Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/**
 * Entries with quality above 0, best first (RFC 9110 section 12.5.1). Of equal quality, concrete types precede
 * ranges; otherwise the order of the header is kept.
 */
export function parseAccept(header: string): readonly MediaRange[] {
  return splitOutsideQuotes(header, ',')
    .map(parseMediaRange)
    .filter((range) => range.type !== '' && range.quality > 0)
    .sort((a, b) => b.quality - a.quality || openness(a) - openness(b));
}

/** Specificity: 0 for a concrete media type, more for ranges. */
function openness({ type }: MediaRange): number {
  if (type.startsWith('*/')) return 2;
  return type.endsWith('/*') ? 1 : 0;
}

/** Reads one media type with its parameters. */
export function parseMediaRange(text: string): MediaRange {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';');
  const parameters: Record<string, string> = Object.create(null);
  let quality = 1;
  for (const part of rest) {
    const split = part.indexOf('=');
    if (split === -1) continue;
    const name = part.slice(0, split).trim().toLowerCase();
    const value = unquote(part.slice(split + 1).trim());
    if (name === 'q') quality = qualityOf(value);
    else parameters[name] = value;
  }
  return { type: type.trim().toLowerCase(), parameters, quality };
}

function qualityOf(text: string): number {
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 1;
}

const unquote = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted && char === '\\') i++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
