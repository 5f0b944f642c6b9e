const surrogate = /[\ud800-\udfff]/;

/** Orders names by their UTF-8 bytes. UTF-16 order, which is faster, differs only when surrogates are involved. */
export function sortBytewise(names: string[]): string[] {
  for (let i = 1; i < names.length; i++) {
    if ((names[i - 1] ?? '') > (names[i] ?? '')) {
      names.sort();
      break;
    }
  }
  if (names.length > 1 && names.some((name) => surrogate.test(name))) {
    names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
  return names;
}
