export { usualOptions } from './options.ts';
