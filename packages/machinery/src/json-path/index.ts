export { evaluateJsonPath } from './evaluate.ts';
export {
  type JsonPathAction,
  JsonPathError,
  jsonPathProblem,
  parseJsonPath,
  parseJsonPathAction,
} from './parse.ts';
export type { Filter, FilterOperator, JsonPath, JsonPathStep, Slice } from './steps.ts';
