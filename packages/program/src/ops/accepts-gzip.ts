/**
 * Reports whether a client accepts gzip (RFC 9110 section 12.5.3): named, or covered by `*`, and not with quality 0.
 */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  let verdict = false;
  for (const item of String(header).split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (coding !== 'gzip' && coding !== '*') continue;
    const isWanted = !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
    if (coding === 'gzip') return isWanted;
    verdict = isWanted;
  }
  return verdict;
}
