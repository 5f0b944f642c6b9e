export { expand, setPath } from './set-path.ts';
