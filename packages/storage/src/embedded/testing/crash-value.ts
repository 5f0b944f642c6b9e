/** Keys and values that the killed process writes and its parent expects. */
export function crashKey(client: number): string {
  return `/crash/${client}`;
}

/** Values of different sizes, up to several pages, that contain their key and sequence number. */
export function crashValue(key: string, sequence: number): Buffer {
  const size = 40 + ((sequence * 2_654_435_761) % 9000);
  return Buffer.from(`${key} ${sequence} `.padEnd(size, '.'), 'latin1');
}
