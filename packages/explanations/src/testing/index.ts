export { as, bindRole, root, textsOf } from './explanations.ts';
