export { type AccessExpressions, accessExpressions } from './access-expressions.ts';
export { declared, text, texts, userDecl } from './declarations.ts';
