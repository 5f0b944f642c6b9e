export { type EvaluateOptions, goTemplateText } from './evaluate.ts';
export { type GoTemplate, TemplateError } from './nodes.ts';
export { parseGoTemplate } from './parse.ts';
