/** What the process that gets killed writes, and its parent expects to find. */
export function crashKey(client: number): string {
  return `/crash/${client}`;
}

/** Values of different sizes, up to several pages, that tell their key and sequence number. */
export function crashValue(key: string, sequence: number): Buffer {
  const size = 40 + ((sequence * 2_654_435_761) % 9000);
  return Buffer.from(`${key} ${sequence} `.padEnd(size, '.'), 'latin1');
}
