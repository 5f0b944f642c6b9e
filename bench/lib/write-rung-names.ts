/** The rungs between the floor of the write benchmarks and a server, in their order. */
export const writeRungs = ['listener', 'watch', 'cache', 'JSON', 'pipeline'] as const;

export type WriteRung = (typeof writeRungs)[number];
