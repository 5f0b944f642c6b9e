export { arbitraryInput } from './arbitrary.ts';
export { RandomStructural } from './random-structural.ts';
