export type { Spending } from './part-test.ts';
export { UniquenessTest } from './uniqueness-test.ts';
export { ValueTest } from './value-test.ts';
