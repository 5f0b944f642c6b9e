/** Members of objects whose form nobody has checked here: what is of another type counts as absent. */
export type Members = Readonly<Record<string, unknown>>;

const none: Members = Object.freeze({});

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const membersOf = (value: unknown): Members => (isMembers(value) ? value : none);

export const listOf = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter(isMembers) : [];

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
