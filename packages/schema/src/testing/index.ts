export { arbitraryInput } from './arbitrary.ts';
