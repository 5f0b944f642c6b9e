export { type DefinedVersion, type Definition, DefinitionError, readDefinition } from './definition.ts';
export { moduleText } from './module-text.ts';
export { expressionOf } from './pattern.ts';
export { runTypesProgram, type TypesProcess, typesFlags } from './types-program.ts';
