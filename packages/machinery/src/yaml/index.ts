export { type ParseYamlOptions, parseYaml } from './parse.ts';
export { YamlSyntaxError } from './syntax-error.ts';
