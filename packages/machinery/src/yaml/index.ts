export { changeYaml, type YamlChange } from './change.ts';
export { ConfigFileError, ConfigValue } from './config-value.ts';
export { leadingLines, type TextPart, yamlDocuments } from './documents.ts';
export { encodeYaml } from './encode.ts';
export { encodeYamlInPieces } from './encode-in-pieces.ts';
export { type LineOf, yamlLines } from './lines.ts';
export { type ParseYamlOptions, parseYaml } from './parse.ts';
export { parsePlainYaml } from './plain.ts';
export { YamlSyntaxError } from './syntax-error.ts';
