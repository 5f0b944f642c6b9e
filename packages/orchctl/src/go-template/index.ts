export { goTemplateText } from './evaluate.ts';
export { generalText } from './format.ts';
export { type GoTemplate, TemplateError } from './nodes.ts';
export { parseGoTemplate } from './parse.ts';
