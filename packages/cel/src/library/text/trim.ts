/** White space of Unicode, as the reference trims it. */
function isBlank(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  if (unit >= 0x2000 && unit <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit);
}

/** Without white space at its start and its end. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  return text.slice(start, end);
}
