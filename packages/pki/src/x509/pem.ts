/** One block of PEM data. */
export interface PemBlock {
  /** The text between `-----BEGIN ` and `-----`. */
  readonly label: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = /^-----BEGIN ([^\r\n]{0,128}?)-----[ \t\r]*$/;
const header = /^[^:\s]+:/;

/** The bytes and headers between the boundaries of a block; undefined when it is not base64. */
function readBody(lines: readonly string[]): Omit<PemBlock, 'label'> | undefined {
  let at = 0;
  while (at < lines.length && header.test(lines[at] ?? '')) at++;
  const hasHeaders = at > 0;
  const text = lines.slice(at).join('').replace(/[\s]+/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return { hasHeaders, bytes: Buffer.from(text, 'base64') };
}

/**
 * The PEM blocks in a string, in order (RFC 7468). Text around blocks and malformed blocks are skipped, as clients
 * expect. Runs in linear time.
 */
export function* pemBlocks(text: string): Generator<PemBlock> {
  const lines = text.split('\n');
  let label: string | undefined;
  let start = 0;
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('-----')) continue;
    const opened = begin.exec(line)?.[1];
    if (opened !== undefined) {
      label = opened;
      start = i + 1;
    } else if (label !== undefined && line.trimEnd() === `-----END ${label}-----`) {
      const body = readBody(lines.slice(start, i));
      if (body !== undefined) yield { label, ...body };
      label = undefined;
    }
  }
}

/** The bytes of the first certificate in a string; undefined when it contains none. */
export function firstCertificate(text: string): Buffer | undefined {
  for (const { label, bytes } of pemBlocks(text)) if (label === 'CERTIFICATE') return bytes;
  return undefined;
}

/** One block of PEM, with a newline at its end. */
export function encodePem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
