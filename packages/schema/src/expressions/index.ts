export { kindDecl } from './kind-decl.ts';
