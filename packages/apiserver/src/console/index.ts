export { openConsole } from './open-console.ts';
export { withConsole } from './with-console.ts';
